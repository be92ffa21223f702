import { createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Json, type Page, VendorError } from '../../src/live/vendor.ts';
import { createAccess } from '../../src/live/vendor-access.ts';
import { socketTo } from '../../src/live/vendor-socket.ts';
import { readConnectionString } from '../../src/live/vendors/fivetran-postgres/connection-string.ts';
import { fivetranPostgres } from '../../src/live/vendors/fivetran-postgres/fivetran-postgres.ts';
import { findPostgres, type TestPostgres } from '../support/postgres.ts';

let postgres: TestPostgres;
let url: string;
beforeAll(async () => {
  postgres = await findPostgres();
  url = await postgres.createDatabase();
  await postgres.query(
    url,
    `create schema shopify_cz; create schema other;
    create table shopify_cz."order" (id bigint primary key, created_at timestamptz, total_price numeric(10,2), currency text,
      financial_status text, note text, _fivetran_synced timestamptz, _fivetran_deleted boolean);
    insert into shopify_cz."order" select n, '2026-03-05 10:00:00+02', n / 10.0, 'EUR', 'paid', 'a secret note', '2026-03-06', false
      from generate_series(1, 2500) as n;
    create table shopify_cz.order_line (id bigint, order_id bigint, quantity bigint, price double precision, name text, sku text,
      _fivetran_synced timestamptz);
    insert into shopify_cz.order_line values (1, 1, 2, 0.1, E'Mug, "large"\\r\\nblue', null, '2026-03-06');
    create table shopify_cz.fulfillment (id bigint, _fivetran_synced timestamptz);
    create table other.refund (id bigint, charge_id text, _fivetran_synced timestamptz)`,
  );
});

const silent = { info: () => {}, warn: () => {}, error: () => {} };

function accessTo(connectionString: string, schema?: string) {
  return createAccess(
    { name: 'a', vendor: 'fivetran-postgres', settings: schema === undefined ? {} : { schema } },
    { connectionString },
    { log: silent, signal: AbortSignal.timeout(60_000), allowsLoopback: true },
  );
}

async function read(
  cursor: Json,
  schema?: string,
): Promise<{ page: Page; files: Map<string, string> } | null> {
  const [stream] = fivetranPostgres.streams;
  for await (const page of stream?.read(accessTo(url, schema), cursor) ?? []) {
    const files = new Map<string, string>();
    for (const { name, content } of page.downloads ?? []) files.set(name, await new Response(content).text());
    return { page, files };
  }
  return null;
}

const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: unknown) => (error instanceof VendorError ? error : Promise.reject(error)),
  );

describe('Fivetran’s tables in PostgreSQL', () => {
  it('are read with the columns that somebody reads, and again when one has changed', async () => {
    const first = await read(null);
    expect([...(first?.files.keys() ?? [])]).toEqual(['order-1.csv', 'order_line-2.csv']);
    const orders = first?.files.get('order-1.csv')?.trimEnd().split('\n') ?? [];
    expect(orders).toHaveLength(2501);
    expect(orders[0]).toBe(
      '"id","created_at","total_price","currency","financial_status","_fivetran_synced","_fivetran_deleted"',
    );
    expect(orders[1]).toBe(
      '"1","2026-03-05 08:00:00+00","0.10","EUR","paid","2026-03-06 00:00:00+00","false"',
    );
    expect(first?.files.get('order_line-2.csv')).toContain('"Mug, ""large""\r\nblue",,"2026');
    const cursor = JSON.parse(JSON.stringify(first?.page.cursor));
    expect(JSON.stringify(cursor)).not.toContain('note');
    expect(await read(cursor)).toBeNull();
    await postgres.query(
      url,
      `update shopify_cz."order" set _fivetran_deleted = true, _fivetran_synced = '2026-03-07' where id = 7`,
    );
    const second = await read(cursor);
    expect(second?.files.get('order-1.csv')).toContain('"7","2026-03-05 08:00:00+00"');
    expect(second?.files.get('order_line-2.csv')).toBe(first?.files.get('order_line-2.csv'));
    // Fivetran commits in parts: a later one may have rows that it took in earlier than the last that was
    // seen.
    const known = JSON.parse(JSON.stringify(second?.page.cursor));
    await postgres.query(
      url,
      `insert into shopify_cz.order_line values (2, 1, 1, 5, 'Late', null, '2026-03-05')`,
    );
    expect((await read(known))?.files.get('order_line-2.csv')).toContain('"Late"');
    await postgres.query(url, 'delete from shopify_cz.order_line where id = 2');
  });

  it('are tried: what is there, what is missing, and what may not be read', async () => {
    const checked = await fivetranPostgres.check(accessTo(url));
    expect(checked.account).toMatch(/^test_\w+ \(shopify_cz\)$/);
    expect(checked.missing).toContainEqual({
      scope: "the table refund (Shopify, Fivetran's tables)",
      costs: 'no refunds',
    });
    const nobody = Object.assign(new URL(url), { username: 'nobody', password: 'wrong' }).href;
    expect(await failureOf(fivetranPostgres.check(accessTo(nobody)))).toMatchObject({
      state: 'unauthorized',
      message: expect.stringContaining('refuses the user or the password'),
    });
    await postgres.query(url, `create role poor login password 'poor'`);
    const poor = Object.assign(new URL(url), { username: 'poor', password: 'poor' }).href;
    expect(await failureOf(fivetranPostgres.check(accessTo(poor)))).toMatchObject({
      state: 'missing_scope',
      message: expect.stringContaining('grant usage on its schema'),
    });
    await postgres.query(url, `drop role poor`);
  });

  it('are read from one of two shops where the setting says which', async () => {
    await postgres.query(
      url,
      `create schema shopify_sk; create table shopify_sk."order" (like shopify_cz."order");
      create table shopify_sk.order_line (like shopify_cz.order_line)`,
    );
    expect(await failureOf(read(null))).toMatchObject({
      state: 'bad_answer',
      message: expect.stringContaining('several schemas: shopify_cz, shopify_sk'),
    });
    expect((await read(null, 'shopify_sk'))?.files.get('order-1.csv')?.split('\n')).toHaveLength(2);
    await postgres.query(url, 'drop schema shopify_sk cascade');
  });
});

describe('a connection string', () => {
  it.each([
    ['postgresql://u:p%40@db.example.com/w', { port: 5432, password: 'p@', tls: 'verified' }],
    [
      'postgres://u:p@db.example.com:6543/w?sslmode=require&channel_binding=require',
      { port: 6543, tls: 'verified' },
    ],
    ['postgres://u:p@db.example.com/w?sslmode=no-verify', { tls: 'unverified' }],
    ['postgres://u:p@127.0.0.1/w', { tls: 'none' }],
  ])('%s is understood', (text, server) => {
    expect(readConnectionString(text)).toMatchObject({ user: 'u', database: 'w', ...server });
  });

  it.each([
    ['host=db.example.com dbname=w', 'it must be written like'],
    ['postgresql://u@db.example.com/w', 'it must be written like'],
    ['https://u:p@db.example.com/w', 'it must be written like'],
    ['postgresql://u:p@db.example.com/w?sslrootcert=/etc/passwd', 'leave "sslrootcert" out'],
    ['postgresql://u:p@db.example.com/w?sslmode=disable', 'over TLS only'],
    ['postgresql://u:p%ZZ@db.example.com/w', 'write %25'],
  ])('%s is refused', (text, words) => {
    expect(() => readConnectionString(text)).toThrow(words);
    try {
      readConnectionString(text);
    } catch (error) {
      expect(String(error)).not.toContain('u:p');
    }
  });
});

describe('the address of a connection', () => {
  const server = createServer((socket) => socket.end());
  let port = 0;
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    port = (server.address() as { port: number }).port;
  });
  afterAll(() => void server.close());

  it.each(['10.0.0.1', '127.0.0.1', '169.254.169.254', '::1', '::ffff:10.0.0.1'])('is never %s', (host) => {
    expect(() => socketTo(host)).toThrow('no public address');
  });

  it('is no name of something within the network, whatever the client asks the socket for', async () => {
    const lookup = (_: string, __: unknown, done: (error: null, found: object[]) => void) =>
      done(null, [{ address: '127.0.0.1', family: 4 }]);
    const socket = socketTo('db.example.com', { lookup: lookup as never });
    const failed = new Promise<Error>((resolve) => socket.once('error', resolve));
    socket.connect(port, '127.0.0.1');
    expect((await failed).message).toBe('not a public address');
  });

  it('needs TLS, other than on this machine', async () => {
    const away = Object.assign(new URL(url), { search: '?sslmode=require' }).href;
    expect(await failureOf(fivetranPostgres.check(accessTo(away)))).toMatchObject({
      state: 'vendor_down',
      message: expect.stringContaining('has no TLS'),
    });
  });
});
