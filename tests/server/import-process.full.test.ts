import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createBusiness, currentSnapshot } from '../../src/control/businesses/businesses.ts';
import { addManager } from '../../src/control/people/managers.ts';
import { type Instance, openInstance } from '../../src/server/instance.ts';
import { readSettings } from '../../src/server/settings.ts';
import { lockUpload } from '../../src/uploads/upload-folder.ts';
import { CommandLine } from '../cli/command-line.ts';
import { Person } from '../oauth/person.ts';
import type { Page } from '../web/cookie-browser.ts';
import { titleOf, untilEnded, work } from '../web/upload-person.ts';

/** Imports out of the browser run in processes of their own, whatever happens to the server. */
const HEADER =
  'Name,Email,Financial Status,Currency,Subtotal,Shipping,Taxes,Total,Created at,Lineitem quantity,Lineitem name,Lineitem price,Id\n';
const LARGE =
  HEADER +
  Array.from(
    { length: 50_000 },
    (_, n) =>
      `#${n},p${n}@example.com,paid,EUR,10,0,0,10,2026-03-05 15:40:14 +0100,1,Mug ${n % 999},10,${n}\n`,
  ).join('');

let cli: CommandLine;
let instance: Instance;
let ada: Person;
let shop: string;

beforeAll(async () => {
  cli = await CommandLine.open();
  instance = await openInstance(readSettings({ STORESIGHT_DATA: join(cli.folder, 'data') }));
  shop = (await createBusiness(instance.control, { name: 'Shop', currency: 'EUR' })).business_id;
  ada = await Person.join(instance.control);
  await addManager(instance.control, ada.account_id, shop);
});

afterAll(async () => {
  await instance?.[Symbol.asyncDispose]();
  await cli?.[Symbol.asyncDispose]();
});

async function serve() {
  const { child, url } = await cli.serve();
  const origin = new URL(url).origin;
  await ada.open(`${origin}/stores`);
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  return { child, ended, uploads: `${origin}/stores/${shop}/uploads` };
}

/** Until the work has begun to read. */
async function untilRunning(page: Page): Promise<void> {
  await expect
    .poll(async () => (await ada.browser.get(page.url)).text, { timeout: 30_000, interval: 50 })
    .toMatch(/<span>[1-9]\d? %<\/span>/);
}

const snapshotsOf = () => {
  const folder = instance.data.snapshots(shop);
  return readdirSync(folder).filter((name) => !name.endsWith('.building'));
};

/** Files that came whole are checked without another word. */
async function bringLarge(uploads: string): Promise<Page> {
  const form = new FormData();
  form.append('files', new Blob([LARGE]), 'orders.csv');
  return ada.browser.follow(await ada.browser.upload(uploads, form));
}

it.each(['SIGKILL', 'SIGTERM'] as const)(
  'a server that ends by %s serves nothing of an import, its import ends, and the next one goes on with the files',
  { timeout: 180_000 },
  async (signal) => {
    const first = await serve();
    const begun = await bringLarge(first.uploads);
    await untilRunning(begun);
    const before = await currentSnapshot(instance.control, shop);
    first.child.kill(signal);
    await first.ended;
    const free = () => {
      using lock = lockUpload(instance.data, begun.url.pathname.split('/').at(-1) ?? '');
      return lock !== null;
    };
    await expect.poll(free, { timeout: 10_000 }).toBe(true);
    expect(await currentSnapshot(instance.control, shop)).toEqual(before);

    const second = await serve();
    const path = `${second.uploads.replace(/\/stores.*/, '')}${begun.url.pathname}`;
    const interrupted = await ada.browser.get(path);
    expect(interrupted.text).toContain('The work was interrupted');
    const checked = await work(ada, interrupted, 'check');
    expect(checked.text).toContain('50,000 in the files, 50,000 stored, 50,000 counted');
    if (signal === 'SIGTERM') {
      expect(titleOf(await work(ada, checked, 'publish'))).toBe('Published');
      expect(snapshotsOf()).toHaveLength(1);
    }
    second.child.kill('SIGTERM');
    await second.ended;
  },
);

it('can be stopped; nothing is left of it', { timeout: 120_000 }, async () => {
  const { child, ended, uploads } = await serve();
  const begun = await bringLarge(uploads);
  await untilRunning(begun);
  const stopped = await untilEnded(ada, await ada.browser.submit(begun, {}, '/stop'));
  expect(stopped.text).toContain('The work was stopped, and nothing was changed.');
  expect(readdirSync(instance.data.snapshots(shop)).filter((name) => name.endsWith('.building'))).toEqual([]);
  child.kill('SIGTERM');
  await ended;
});
