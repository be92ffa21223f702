import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { addUploadFile, createUpload, readUpload } from '../../src/control/businesses/uploads.ts';
import { createAccount } from '../../src/control/people/accounts.ts';
import { InputError } from '../../src/errors.ts';
import { importsAtOnce } from '../../src/snapshot/import-memory.ts';
import { removeLeftovers } from '../../src/snapshot/leftovers.ts';
import { lockBusiness } from '../../src/snapshot/lock-business.ts';
import { markUnfinished } from '../../src/snapshot/unfinished.ts';
import { ImportQueue } from '../../src/uploads/import-queue.ts';
import { readOutcome } from '../../src/uploads/outcome.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';
import { tightLimits } from '../support/tight-limits.ts';
import { replaceTimers } from '../support/timers.ts';

/** Whose import comes next, and who has to wait: without a server, and without importing. */

let test: TestInstance;
const accounts = new Map<string, string>();
const stores = new Map<string, string>();

beforeAll(async () => {
  test = await createTestInstance({ isOneEngineEnough: true });
  for (const name of ['ann', 'bob', 'cat', 'dan']) {
    const account = { email: `${name}@example.com`, password: null };
    accounts.set(name, (await createAccount(test.instance.control, account)).account_id);
    stores.set(name, (await test.createBusiness({ name })).business_id);
  }
});
afterAll(() => test[Symbol.asyncDispose]());

interface Line {
  readonly queue: ImportQueue;
  /** The uploads that were begun to be imported, in their order, by the names that the test gave them. */
  readonly begun: string[];
  /** What `begin` said. */
  ask(name: string, account: string, options?: { store?: string; bytes?: number }): Promise<string>;
  /** Lets the import end that has run for longest, or the one of a name. */
  end(name?: string): Promise<void>;
}

const open: Line[] = [];
beforeEach(async () => {
  for (const { queue } of open.splice(0)) await queue.close();
});

function lineOf(options: ConstructorParameters<typeof ImportQueue>[3] = {}): Line {
  const names = new Map<string, string>();
  const begun: string[] = [];
  const running = new Map<string, () => void>();
  const log = { info: () => {}, warn: () => {}, error: () => {} };
  const waiting = () => [...names.keys()].filter((id) => queue.before(id) !== null).length;
  const queue = new ImportQueue(
    test.instance,
    async ({ upload_id }, stop) => {
      const name = names.get(upload_id) ?? '';
      const { promise, resolve } = Promise.withResolvers<void>();
      begun.push(name);
      running.set(name, resolve);
      stop.addEventListener('abort', () => resolve(), { once: true });
      await promise;
    },
    log,
    options,
  );
  const line: Line = {
    queue,
    begun,
    ask: async (name, account, { store = account, bytes = 10 } = {}) => {
      const upload = await uploadOf(accounts.get(account) ?? '', stores.get(store) ?? '', bytes);
      names.set(upload.upload_id, name);
      return queue.begin(upload, { work: 'check', answers: upload.answers, builds_on: null });
    },
    end: async (name = [...running.keys()][0] ?? '') => {
      running.get(name)?.();
      running.delete(name);
      // The one behind it has begun, or nothing waits.
      await expect.poll(() => running.size > 0 || waiting() === 0).toBe(true);
    },
  };
  open.push(line);
  return line;
}

async function uploadOf(account_id: string, business_id: string, bytes: number) {
  const { control } = test.instance;
  const id = await createUpload(control, { account_id, business_id });
  await addUploadFile(control, id, { bytes, nameOf: () => 'a.csv', keep: async () => {} });
  const upload = await readUpload(control, id);
  if (upload === null) throw new Error('there is an upload');
  return upload;
}

it('lets nobody fill the line: another comes before the second import of who asked for many', async () => {
  const line = lineOf();
  for (const name of ['a1', 'a2', 'a3', 'a4'])
    expect(await line.ask(name, 'ann', { store: name === 'a1' ? 'ann' : 'dan' })).toBe('begun');
  await line.ask('b1', 'bob');
  await line.end('a1');
  await line.end('b1');
  expect(line.begun).toEqual(['a1', 'b1', 'a2']);
});

it('takes a bounded number of one account and of one store', async () => {
  const line = lineOf();
  const said = [];
  for (let count = 0; count < 7; count += 1) said.push(await line.ask(`a${count}`, 'ann'));
  expect(said).toEqual([...Array<string>(6).fill('begun'), 'yours']);
  for (const name of ['b1', 'b2', 'b3']) expect(await line.ask(name, 'bob', { store: 'ann' })).toBe('begun');
  expect(await line.ask('c1', 'cat', { store: 'ann' })).toBe('of_store');
  expect(await line.ask('c2', 'cat')).toBe('begun');
});

it('takes no more at once than one after the other', async () => {
  const line = lineOf();
  await line.ask('first', 'bob');
  const said = await Promise.all(Array.from({ length: 8 }, (_, n) => line.ask(`a${n}`, 'ann')));
  expect(said.filter((each) => each === 'begun')).toHaveLength(5);
});

it('takes the smaller of two whose people had as much, but lets none be overtaken for ever', async () => {
  const line = lineOf();
  await line.ask('first', 'ann');
  await line.ask('large', 'bob', { bytes: 1000 });
  for (const name of ['s1', 's2', 's3', 's4', 's5']) await line.ask(name, 'cat', { store: 'cat', bytes: 1 });
  await line.ask('d', 'dan', { bytes: 5 });
  await line.end('first');
  expect(line.begun).toEqual(['first', 's1']);
  await line.end('s1');
  expect(line.begun).toEqual(['first', 's1', 'd']);
  await line.end('d');
  expect(line.begun).toEqual(['first', 's1', 'd', 'large']);
});

it('runs several stores side by side, never one store twice, and leaves a place to other accounts', async () => {
  const line = lineOf({ atOnce: 3 });
  await line.ask('a1', 'ann');
  await line.ask('a2', 'ann');
  expect(line.begun).toEqual(['a1']);
  await line.ask('a3', 'ann', { store: 'bob' });
  await line.ask('a4', 'ann', { store: 'cat' });
  expect(line.begun).toEqual(['a1', 'a3']);
  await line.ask('d1', 'dan');
  expect(line.begun).toEqual(['a1', 'a3', 'd1']);
});

it('says how many are before one, in the order in which they will come', async () => {
  const line = lineOf();
  for (const name of ['a1', 'a2', 'a3'])
    await line.ask(name, 'ann', { store: name === 'a1' ? 'ann' : 'dan' });
  const upload = await uploadOf(accounts.get('bob') ?? '', stores.get('bob') ?? '', 10);
  await line.queue.begin(upload, { work: 'check', answers: upload.answers, builds_on: null });
  expect(line.queue.before(upload.upload_id)).toBe(1);
});

it('ends an import whose time is over and that does not end by itself, and says so', async () => {
  // Its minutes, and one more.
  using _timers = replaceTimers(8 * 60_000, 0);
  const line = lineOf({ limits: tightLimits({ minutes: 7 }) });
  const upload = await uploadOf(accounts.get('ann') ?? '', stores.get('ann') ?? '', 10);
  await line.queue.begin(upload, { work: 'check', answers: upload.answers, builds_on: null });
  await expect
    .poll(async () =>
      readOutcome((await readUpload(test.instance.control, upload.upload_id))?.outcome ?? null),
    )
    .toMatchObject({ kind: 'refused', message: expect.stringContaining('may take 7 minutes') });
});

it('removes what a killed import left, at once and in the end, and never what another process holds', async () => {
  const { data } = test.instance;
  const id = stores.get('cat') ?? '';
  const leave = async (name: string) => {
    const folder = join(data.snapshots(id), `${name}.building`);
    mkdirSync(folder, { recursive: true });
    await markUnfinished(folder, { import: name, builds_on: null });
    return folder;
  };
  const first = await leave('20260101T000000000Z-abcd');
  const line = lineOf();
  await line.ask('c', 'cat');
  await line.end('c');
  await expect.poll(() => existsSync(first)).toBe(false);
  const second = await leave('20260101T000000000Z-abce');
  {
    using _held = lockBusiness(data.lock(id));
    expect(await removeLeftovers(test.instance)).toEqual({ removed: 0 });
    expect(existsSync(second)).toBe(true);
  }
  expect(await removeLeftovers(test.instance)).toEqual({ removed: 1 });
  expect(existsSync(second)).toBe(false);
});

it.each([
  ['2GB', 16e9, 8, 4],
  ['4GB', 16e9, 8, 2],
  ['4GB', 16e9, 1, 1],
  ['8GB', 8e9, 8, 1],
  ['1GiB', 2e9, 8, 1],
])(
  'of imports with %s on a machine of %d bytes and %d processors %d run at once',
  (memory, available, processors, count) => {
    expect(importsAtOnce(memory, available, processors)).toBe(count);
  },
);

it.each([
  [new InputError('it needed too much'), { kind: 'refused', message: 'it needed too much' }],
  [new Error('a defect'), { kind: 'interrupted' }],
])(
  'says of a run that ended with %o what a person can do about it, and nothing of a defect',
  async (error, outcome) => {
    const log = { info: () => {}, warn: () => {}, error: () => {} };
    const queue = new ImportQueue(test.instance, () => Promise.reject(error), log);
    const upload = await uploadOf(accounts.get('ann') ?? '', stores.get('ann') ?? '', 10);
    await queue.begin(upload, { work: 'check', answers: upload.answers, builds_on: null });
    const told = async () => (await readUpload(test.instance.control, upload.upload_id))?.outcome ?? null;
    await expect.poll(told).not.toBeNull();
    expect(readOutcome(await told())).toEqual(outcome);
    await queue.close();
  },
);
