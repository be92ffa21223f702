import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createBusiness, listBusinesses } from '../../src/control/businesses/businesses.ts';
import { type ControlDatabase, openControlDatabase } from '../../src/control/database/control-database.ts';
import { createAccount, grantAccess } from '../../src/control/people/accounts.ts';
import { InputError } from '../../src/errors.ts';
import { readSettings } from '../../src/server/settings.ts';
import { findPostgres, PASSWORD, type TestPostgres } from '../support/postgres.ts';
import { replaceTimers } from '../support/timers.ts';

let postgres: TestPostgres;
let url: string;
let control: ControlDatabase;

beforeAll(async () => {
  postgres = await findPostgres();
  url = await postgres.createDatabase();
  control = await openControlDatabase(url);
});

afterAll(async () => {
  await control.destroy();
});

function changed(change: (url: URL) => void): string {
  const copy = new URL(url);
  change(copy);
  return copy.href;
}

describe('a database that cannot be used is told, without the password:', () => {
  it.each<[string, () => string | Promise<string>, RegExp]>([
    [
      'a wrong password',
      () => changed((copy) => Object.assign(copy, { password: 'hunter2' })),
      /it refuses the user or the password/,
    ],
    [
      'a wrong user',
      () => changed((copy) => Object.assign(copy, { username: 'nobody' })),
      /it refuses the user or the password/,
    ],
    [
      'no password',
      () => changed((copy) => Object.assign(copy, { password: '' })),
      /password must be a string/,
    ],
    [
      'no such database',
      () => changed((copy) => Object.assign(copy, { pathname: '/missing' })),
      /at 127\.0\.0\.1:\d+\/missing cannot be used: there is no such database; create it first/,
    ],
    [
      'no server',
      () => changed((copy) => Object.assign(copy, { port: '1' })),
      /at 127\.0\.0\.1:1\/test_\w+ cannot be used: no server answers there/,
    ],
    [
      'no server at any address of the host',
      () => changed((copy) => Object.assign(copy, { host: 'localhost:1' })),
      /no server answers there/,
    ],
    [
      'no such host',
      () => changed((copy) => Object.assign(copy, { hostname: 'no-such-host.invalid' })),
      /there is no such host|the name of the host cannot be resolved/,
    ],
    ['no TLS', () => `${url}?sslmode=verify-full`, /does not support SSL/],
    [
      'no certificate',
      () => `${url}?sslrootcert=/missing.pem`,
      /no such file or directory, open '\/missing.pem'/,
    ],
    [
      'another encoding',
      () => postgres.createDatabase(`encoding 'LATIN1' locale 'C' template template0`),
      /has the encoding LATIN1; create one `with encoding 'UTF8' template template0`/,
    ],
    ['a user that may only read', readOnlyUser, /its user may not create tables there/],
    ['no answer', silentServer, /connection timeout/],
  ])('%s', async (_name, place, says) => {
    // A server that answers may take its time on a busy machine.
    using _impatient = replaceTimers(10_000, place === silentServer ? 100 : 10_000);
    const error = await openControlDatabase(await place()).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(InputError);
    const { message, stack } = error as InputError;
    expect(message).toMatch(says);
    for (const password of [PASSWORD, encodeURIComponent(PASSWORD), 'hunter2']) {
      expect(`${message} ${stack} ${JSON.stringify(error)}`).not.toContain(password);
    }
  });

  async function readOnlyUser(): Promise<string> {
    await postgres.query(url, `create role reader login password 'reader'`);
    const fresh = new URL(await postgres.createDatabase());
    return Object.assign(fresh, { username: 'reader', password: 'reader' }).href;
  }

  function silentServer(): Promise<string> {
    return placeOf(() => {});
  }
});

/** Where a server listens that does this with each connection. */
async function placeOf(answer: (socket: Socket) => void): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    answer(socket);
  });
  server.listen(0, '127.0.0.1').unref();
  await once(server, 'listening');
  return changed((copy) => Object.assign(copy, { port: (server.address() as AddressInfo).port }));
}

/** What a server sends that refuses a connection: an error with its severity and its code. */
function refusal(code: string): Buffer {
  const fields = `SFATAL\0C${code}\0Mnot now\0\0`;
  const length = Buffer.alloc(4);
  length.writeInt32BE(4 + fields.length);
  return Buffer.concat([Buffer.from('E'), length, Buffer.from(fields)]);
}

describe('a process that starts', () => {
  it.each([
    ['57P03', 'that still starts'],
    ['53300', 'that has no connection free'],
  ])('asks a server again that says %s, one %s', async (code) => {
    let asked = 0;
    const place = await placeOf((socket) => {
      asked += 1;
      if (asked === 1) socket.end(refusal(code));
      else socket.pipe(connect(Number(new URL(url).port), '127.0.0.1')).pipe(socket);
    });
    const opened = await openControlDatabase(place);
    await opened.destroy();
    expect(asked).toBeGreaterThan(1);
  });

  it('asks a server that says nothing six times', async () => {
    using _impatient = replaceTimers(10_000, 20);
    let asked = 0;
    const place = await placeOf(() => {
      asked += 1;
    });
    await expect(openControlDatabase(place)).rejects.toThrow(/connection timeout/);
    await expect.poll(() => asked).toBe(6);
  });

  it('asks a server once that would refuse it again', async () => {
    let asked = 0;
    const place = await placeOf((socket) => {
      asked += 1;
      socket.end(refusal('28P01'));
    });
    await expect(openControlDatabase(place)).rejects.toThrow(/it refuses the user or the password/);
    expect(asked).toBe(1);
  });
});

describe('the setting', () => {
  const read = (value: string) => readSettings({ STORESIGHT_CONTROL_URL: value }).CONTROL_URL;

  it.each([
    'postgres://user:password@host/db',
    'postgresql://user@host:5433/db?sslmode=verify-full',
    'postgres:///db?host=/var/run/postgresql',
    'postgres://user:p%40ss%2Fword%23@[::1]:5432/db',
  ])('takes %s', (value) => expect(read(value)).toBe(value));

  it.each([
    'hunter2',
    'mysql://user:hunter2@host/db',
    'https://user:hunter2@host/db',
    'postgres://user:hunter2@host',
    'postgres://user:hunter2@host/',
    'postgres://user:hunter2@host:port/db',
    'postgres://user:1/hunter2@host/db',
    'postgres://user:1#hunter2@host/db',
    'postgres://user:1?hunter2@host/db',
    'postgres://user:1/a?hunter2@host/db',
    ' postgres://user:hunter2@host/db',
  ])('refuses %s', (value) => {
    expect(() => read(value)).toThrow(InputError);
    expect(() => read(value)).toThrow(/^STORESIGHT_CONTROL_URL does not fit: it must be like postgres:/);
    expect(() => read(value)).not.toThrow(/hunter2/);
  });
});

/** As when the server restarts: ends all our connections but that of the test. */
async function endConnections(): Promise<void> {
  await postgres.query(
    url,
    `select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'storesight' and datname = current_database()`,
  );
  await wait(100);
}

it('a connection that ends while idle is replaced', async () => {
  const business = await createBusiness(control, { name: 'Stays' });
  await endConnections();
  expect(await listBusinesses(control)).toContainEqual(business);
});

it('a connection that ends within a transaction ends that, not the process', async () => {
  const broken = control.transaction().execute(async (transaction) => {
    await createBusiness(transaction, { name: 'Never' });
    await endConnections();
    await createBusiness(transaction, { name: 'Neither' });
  });
  await expect(broken).rejects.toThrow('the control database does not answer; try again in a moment');
  const names = (await listBusinesses(control)).map(({ name }) => name);
  expect(names).not.toContain('Never');
});

it('more calls than connections wait their turn', async () => {
  const { account_id } = await createAccount(control, { email: 'many@example.com', password: null });
  const { business_id } = await createBusiness(control, { name: 'Many' });
  await Promise.all(
    Array.from({ length: 200 }, (_, index) =>
      index % 2 === 0 ? listBusinesses(control) : grantAccess(control, account_id, business_id, []),
    ),
  );
  const connections = await postgres.query(
    url,
    `select count(*)::int as open from pg_stat_activity
      where application_name = 'storesight' and datname = current_database()`,
  );
  expect(connections[0]?.open).toBeLessThanOrEqual(10);
});

it('an error does not carry the row that was refused', async () => {
  await createAccount(control, { email: 'private@example.com', password: null });
  const error = await control
    .insertInto('accounts')
    .values({ account_id: 'x', email: 'private@example.com', password_hash: null, created_at: '' })
    .execute()
    .catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: '23505', constraint: 'accounts_email_key' });
  expect(`${(error as Error).stack} ${JSON.stringify(error)}`).not.toContain('private@');
});
