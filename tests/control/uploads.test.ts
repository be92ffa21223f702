import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  addUploadFile,
  beginRun,
  createUpload,
  openUploads,
  readUpload,
  removeUpload,
  removeUploadFile,
  tellRun,
  tellTrouble,
  uploadedBytes,
} from '../../src/control/businesses/uploads.ts';
import type { ControlDatabase } from '../../src/control/database/control-database.ts';
import { removeAccount } from '../../src/control/people/accounts.ts';
import { ENGINES, openPlaces, openShop, type Places } from './engines.ts';

const NOTHING = async () => {};

let places: Places;

beforeAll(async () => {
  places = await openPlaces();
});

afterAll(() => places[Symbol.asyncDispose]());

describe.each(ENGINES)('%s', (engine) => {
  let control: ControlDatabase;
  let ada: string;
  let bob: string;
  let shop: string;

  beforeAll(async () => {
    ({ control, ada, bob, shop } = await openShop(places, engine));
  });

  afterAll(() => control.destroy());

  const create = (account_id: string) => createUpload(control, { account_id, business_id: shop });
  const add = (id: string, name: string, bytes: number) =>
    addUploadFile(control, id, { bytes, nameOf: () => name, keep: NOTHING });
  const answers = { settings: { timezone: 'UTC' }, max_rejects: '1%' };
  const begin = (id: string) => beginRun(control, id, { work: 'check', answers, builds_on: null });

  it('keeps files, and counts their bytes by account and in all', async () => {
    const [own, other] = [await create(ada), await create(bob)];
    await add(own, 'a.csv', 3_000_000_000);
    await add(own, 'b.csv', 5);
    await add(other, 'c.csv', 7);
    expect(await uploadedBytes(control, ada)).toEqual({
      account: 3_000_000_005,
      all: 3_000_000_012,
      uploads: 1,
    });
    const removed: string[] = [];
    const remove = async (name: string) => {
      removed.push(name);
    };
    expect(await removeUploadFile(control, own, 2, remove)).toBe(true);
    expect(await removeUploadFile(control, own, 2, remove)).toBe(false);
    expect(removed).toEqual(['b.csv']);
    expect((await readUpload(control, own))?.files).toEqual([
      { file_number: 1, name: 'a.csv', bytes: 3_000_000_000 },
    ]);
    await removeAccount(control, bob);
    expect(await readUpload(control, other)).toBeNull();
    expect((await openUploads(control, shop)).map(({ upload_id }) => upload_id)).toEqual([own]);
  });

  it('begins one run at a time, however many ask', async () => {
    const upload = await create(ada);
    const runs = await Promise.all([begin(upload), begin(upload), begin(upload)]);
    expect(runs.filter((run) => run !== null)).toHaveLength(1);
    expect(await readUpload(control, upload)).toMatchObject({ state: 'waiting', answers });
    expect(await removeUpload(control, upload)).toBe(false);
    expect(await removeUploadFile(control, upload, 1, NOTHING)).toBe(false);
  });

  it('hears of a run only while it goes on', async () => {
    const upload = await create(ada);
    const first = (await begin(upload)) ?? '';
    expect(await tellRun(control, first, { state: 'running', step: 'reading', done_percent: 5 })).toBe(true);
    expect(await tellRun(control, first, { state: 'open', outcome: '{"kind":"interrupted"}' })).toBe(true);
    const second = (await begin(upload)) ?? '';
    expect(await tellRun(control, first, { state: 'published', outcome: null })).toBe(false);
    expect(await readUpload(control, upload)).toMatchObject({
      state: 'waiting',
      run_id: second,
      outcome: null,
    });
    await tellRun(control, second, { state: 'published' });
    expect(await removeUpload(control, upload)).toBe(true);
  });

  it('forgets what was found out about the files when they change', async () => {
    const upload = await create(ada);
    await tellRun(control, (await begin(upload)) ?? '', { state: 'open', outcome: '{"kind":"checked"}' });
    await add(upload, 'a.csv', 1);
    expect((await readUpload(control, upload))?.outcome).toBeNull();
  });

  it('takes no file while something works on the others, and says so then too', async () => {
    const upload = await create(ada);
    const run = (await begin(upload)) ?? '';
    await expect(add(upload, 'a.csv', 1)).rejects.toThrow('so they were not kept');
    await tellTrouble(control, upload, 'a.csv was not kept');
    expect(await readUpload(control, upload)).toMatchObject({ files: [], trouble: 'a.csv was not kept' });
    await tellRun(control, run, { state: 'published' });
    await expect(add(upload, 'a.csv', 1)).rejects.toThrow('so they were not kept');
  });

  it('has no row of a file that could not be put in its place', async () => {
    const upload = await create(ada);
    const keep = () => Promise.reject(new Error('no room'));
    await expect(addUploadFile(control, upload, { bytes: 1, nameOf: () => 'a.csv', keep })).rejects.toThrow(
      'no room',
    );
    expect((await readUpload(control, upload))?.files).toEqual([]);
  });

  it('gives each file a name and a number of its own, however many come at once', async () => {
    const upload = await create(ada);
    await Promise.all(
      ['a', 'b', 'c', 'd'].map(() =>
        addUploadFile(control, upload, {
          bytes: 1,
          nameOf: (taken) => `orders-${taken.size}.csv`,
          keep: NOTHING,
        }),
      ),
    );
    const files = (await readUpload(control, upload))?.files ?? [];
    expect(files.map(({ file_number, name }) => [file_number, name])).toEqual(
      [0, 1, 2, 3].map((taken) => [taken + 1, `orders-${taken}.csv`]),
    );
  });
});
