import { afterAll, beforeAll, expect, it } from 'vitest';
import { CommandLine } from '../cli/command-line.ts';
import { seededRandom } from './stubs/random.ts';
import { Clock } from './stubs/stub-access.ts';
import { MadeSite } from './stubs/woocommerce/made-site.ts';
import { KEY, startWoocommerceStub } from './stubs/woocommerce/woocommerce-stub.ts';

let cli: CommandLine;
beforeAll(async () => {
  cli = await CommandLine.openShared();
});
afterAll(() => cli[Symbol.asyncDispose]());

it('source sync --reconcile deletes what the shop deleted, and asks before it deletes much', async () => {
  const random = seededRandom(1);
  const site = new MadeSite(random, new Clock(new Date().toISOString()));
  site.fill({ orders: 60, products: 2, customers: 3 });
  await using stub = await startWoocommerceStub(site, random);
  const env = { STORESIGHT_VENDORS_ON_LOOPBACK: 'true' };
  const run = async (args: readonly string[], stdin = '') => {
    const { stdout } = await cli.run([...args, '--json'], { env, stdin });
    return JSON.parse(stdout);
  };
  const { business_id: id } = await run([
    ...['business', 'create', '--name', 'Shop', '--currency', 'CZK', '--timezone', 'Europe/Prague'],
  ]);
  const key = `consumerKey=${KEY.consumerKey}\nconsumerSecret=${KEY.consumerSecret}`;
  await run(['source', 'add', id, 'woocommerce', '--url', stub.url, '--secret-stdin'], key);
  const sync = (...args: string[]) => run(['source', 'sync', id, 'woocommerce', ...args]);
  expect(await sync()).toMatchObject({ state: 'ok' });
  const [one, ...rest] = [...site.orders.values()];
  if (one !== undefined) site.deleteOrder(one);
  // What went is imported before customers are compared, with another run.
  const runs = (gone: number) => [{ gone: { 'order-ids': gone } }, { gone: {} }];
  expect(await sync('--reconcile')).toMatchObject({ state: 'ok', runs: runs(1) });
  for (const order of rest.slice(0, 30)) site.deleteOrder(order);
  const refused = await sync('--reconcile');
  expect(refused).toMatchObject({ state: 'deletions_refused' });
  expect(refused.runs[0].gone).not.toHaveProperty('order-ids');
  const [, command = ''] = /`([^`]+)`/.exec(refused.message) ?? [];
  expect(command).toBe(`source sync ${id} woocommerce --reconcile --most-gone 30`);
  expect(await run(command.split(' '))).toMatchObject({ state: 'ok', runs: runs(30) });
  expect(
    (await cli.run(['source', 'sync', id, 'woocommerce', '--most-gone', '3'], { env })).stderr,
  ).toContain('--most-gone goes with --reconcile');

  // The shop moves, and its key with it.
  await using moved = await startWoocommerceStub(site, random);
  expect(await run(['source', 'key', id, 'woocommerce', '--url', moved.url])).toMatchObject({ missing: [] });
  const asked = moved.asked.length;
  expect(await sync()).toMatchObject({ state: 'ok' });
  expect(moved.asked.length).toBeGreaterThan(asked);
}, 600_000);
