import { readdir, readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { CommandLine } from '../cli/command-line.ts';

const SECRET_PATH = '/export/orders.csv?hash=planted-hash-2718281828';
const ENVIRONMENT = { STORESIGHT_VENDORS_ON_LOOPBACK: 'true' };

let server: Server;
let cli: CommandLine;
let base: string;
let business: string;
let answers: { status: number; body: string };

const ordersOf = (count: number) =>
  [
    'order_id,ordered_at,currency,total,status,email',
    ...Array.from(
      { length: count },
      (_, index) =>
        `${index + 1},2026-10-${10 + index}T10:00:00Z,EUR,${index + 10},paid,person${index}@example.com`,
    ),
    '',
  ].join('\n');

beforeAll(async () => {
  server = createServer((request, response) => {
    if (request.url !== SECRET_PATH) return response.writeHead(404).end();
    const etag = `"${answers.body.length}"`;
    if (request.headers['if-none-match'] === etag) return response.writeHead(304).end();
    return response.writeHead(answers.status, { etag }).end(answers.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  answers = { status: 200, body: ordersOf(3) };
  cli = await CommandLine.openShared();
  const created = await cli.json([
    ...['business', 'create', '--name', 'Shop', '--currency', 'EUR', '--timezone', 'Europe/Prague'],
  ]);
  business = String((created as { business_id: string }).business_id);
});

afterAll(async () => {
  await cli[Symbol.asyncDispose]();
  server.closeAllConnections();
  server.close();
});

async function source(args: readonly string[], stdin = '') {
  const { status, stdout, stderr } = await cli.run(['source', ...args, '--json'], {
    stdin,
    env: ENVIRONMENT,
  });
  expect(`${stdout}${stderr}`).not.toContain('planted-hash');
  return { status, ...JSON.parse(stdout) };
}

it('a person connects a store, sees how it is, and lets go of it, and no output has the key', async () => {
  const wrong = await source(['add', business, 'url', '--secret-stdin'], `${base}/nothing`);
  expect(wrong).toMatchObject({
    status: 1,
    error: expect.stringContaining('no file at the address any more'),
  });
  expect(await source(['list', business])).toMatchObject({ connections: [], sources: [] });
  const secretless = await source(['add', business, 'url', '--secret-stdin'], '');
  expect(secretless.error).toContain('A file at an address needs address: the address of the file');

  const added = await source(
    ['add', business, 'url', '--every', '30', '--secret-stdin'],
    `${base}${SECRET_PATH}\n`,
  );
  expect(added).toMatchObject({
    status: 0,
    connection: { connection: 'url', vendor: 'url', account: '127.0.0.1', state: 'new', interval_s: 1800 },
    missing: [],
  });

  expect(await source(['sync', business, 'url'])).toMatchObject({
    status: 0,
    state: 'ok',
    runs: [{ rows: { file: 1 }, imports: [{ tables: { orders: { loaded: 3 } } }] }],
  });
  expect(await source(['sync', business, 'url'])).toMatchObject({ state: 'ok', runs: [{ imports: [] }] });
  answers.body = ordersOf(5);
  expect(await source(['sync', business, 'url'])).toMatchObject({
    runs: [{ imports: [{ snapshot: expect.any(String) }] }],
  });
  answers.status = 503;
  answers.body = ordersOf(6);
  expect(await source(['sync', business, 'url'])).toMatchObject({ status: 1, state: 'vendor_down' });
  const listed = await source(['list', business]);
  expect(listed.connections).toMatchObject([
    { state: 'vendor_down', message: 'file: 127.0.0.1 does not give the file now (status 503)' },
  ]);
  expect((await source(['runs', business, 'url'])).runs.map((run: { state: string }) => run.state)).toEqual([
    ...['vendor_down', 'ok', 'ok', 'ok'],
  ]);
  answers.status = 200;

  expect(await source(['pause', business, 'url'])).toMatchObject({ is_paused: true });
  expect(await source(['resume', business, 'url'])).toMatchObject({ is_paused: false });
  expect(await source(['key', business, 'url', '--secret-stdin'], `${base}${SECRET_PATH}`)).toMatchObject({
    status: 0,
  });
  const person = await cli.run(['call', 'order_statistics', JSON.stringify({ business_id: business })], {
    env: ENVIRONMENT,
  });
  expect(person.stdout).not.toContain('example.com');
  for (const name of await readdir(join(cli.folder, 'data'), { recursive: true, withFileTypes: true })) {
    if (!name.isFile()) continue;
    const text = await readFile(join(name.parentPath, name.name), 'latin1');
    expect(text, name.name).not.toContain('planted-hash');
    expect(text, name.name).not.toContain('person1@');
  }
  expect(await source(['remove', business, 'url'])).toMatchObject({ removed: 'url' });
  expect((await source(['sync', business, 'url'])).error).toContain('the business has no connection url');
}, 120_000);

it('says what is wrong with what is asked', async () => {
  const refused = async (args: readonly string[]) => (await source(args)).error;
  expect(await refused(['add', business, 'amazon', '--secret-stdin'])).toContain(
    'there is no vendor amazon; shopify, ',
  );
  expect(await refused(['add', business, 'url'])).toContain('say --secret-stdin');
  expect(await refused(['pause', business, 'nothing'])).toContain('the business has no connection nothing');
  const { stderr } = await cli.run(['source', 'add', business, 'url', '--every', '0'], { env: ENVIRONMENT });
  expect(stderr).toContain('at least 1');
});
