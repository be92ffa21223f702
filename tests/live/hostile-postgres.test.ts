import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { describe, expect, it } from 'vitest';
import { VendorError } from '../../src/live/vendor.ts';
import { createAccess } from '../../src/live/vendor-access.ts';
import { fivetranPostgres } from '../../src/live/vendors/fivetran-postgres/fivetran-postgres.ts';
import { findPostgres } from '../support/postgres.ts';
import {
  type Answer,
  endlessly,
  message,
  READY,
  startHostilePostgres,
  toEachQuery,
} from './stubs/hostile-postgres.ts';

/**
 * What calls itself PostgreSQL is a stranger's: whatever it answers is a failure of its connection, and of
 * nothing else.
 */

const silent = { info: () => {}, warn: () => {}, error: () => {} };

async function failureOf(answer: Answer, search = ''): Promise<{ failure: VendorError; sent: number }> {
  await using server = await startHostilePostgres(answer);
  const access = createAccess(
    { name: 'a', vendor: 'fivetran-postgres', settings: {} },
    { connectionString: `${server.connectionString}${search}` },
    { log: silent, signal: AbortSignal.timeout(100_000), allowsLoopback: true },
  );
  const failure = await fivetranPostgres.check(access).then(
    () => null,
    (error: unknown) => error,
  );
  if (!(failure instanceof VendorError)) throw failure ?? new Error('it was taken');
  return { failure, sent: server.sent() };
}

const once =
  (bytes: Buffer): Answer =>
  (socket) =>
    void socket.write(bytes);

const int = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
};

describe('a server whose answer no PostgreSQL gives', () => {
  it.each<[string, Buffer]>([
    ['a question for a password without its kind (the five bytes)', message('R')],
    ['a message that is shorter than its own length', message('R', '', 0)],
    ['a message of a length below nothing', message('R', '', -2_147_483_648)],
    ['a message of a kind that there is not', message('!', 'what?')],
    ['another protocol', Buffer.from('HTTP/1.1 400 Bad Request\r\nServer: x\r\n\r\n')],
    ['a way to sign in that there is not', message('R', int(99))],
    [
      'a list of ways to sign in that does not end',
      message('R', Buffer.concat([int(10), Buffer.from('SCRAM')])),
    ],
    ['an error that does not end', message('E', 'Sfatal')],
    ['a setting that does not end', message('S', 'server_version')],
    [
      'rows of which a cell is longer than its message',
      message('D', Buffer.concat([Buffer.from([0, 1]), int(1_000_000)])),
    ],
    ['rows before anything was asked', Buffer.concat([READY, message('D', Buffer.from([0, 0]))])],
    ['columns that are fewer than it says', Buffer.concat([READY, message('T', Buffer.from([0x7f, 0xff]))])],
  ])('fails as a connection: %s', async (_, bytes) => {
    const { failure } = await failureOf(once(bytes));
    expect(failure.state).toBe('bad_answer');
    expect(failure.message).toContain('127.0.0.1');
    expect(failure.message).not.toContain('planted-password');
  });

  it.each<[string, Buffer]>([
    [
      'rows of which a cell is longer than its message',
      message('D', Buffer.concat([Buffer.from([0, 1]), int(1_000_000)])),
    ],
    ['a message without an end', message('C', 'SELECT 1')],
    ['data that was never asked for', message('G', Buffer.from([0, 0, 0]))],
  ])('fails as a connection in the middle, too: %s', async (_, bytes) => {
    expect((await failureOf(toEachQuery(bytes))).failure.state).toBe('bad_answer');
  });
});

describe('a server that sends too much', () => {
  const MEBIBYTE = 2 ** 20;
  const row = message('D', Buffer.concat([Buffer.from([0, 1]), int(65_000), Buffer.alloc(65_000, 'x')]));
  const column = message('T', Buffer.concat([Buffer.from([0, 1]), Buffer.from('a\0'), Buffer.alloc(18)]));
  const rowsForEver: Answer = (socket) => {
    socket.write(READY);
    socket.once('data', () => endlessly(row, column)(socket));
  };
  const notice = message('N', `SNOTICE\0M${'x'.repeat(60_000)}\0\0`);

  it.each<[string, Answer]>([
    [
      'a message that it says has 2 GB, before anything was asked',
      endlessly(Buffer.alloc(MEBIBYTE), message('D', '', 2_147_483_647)),
    ],
    [
      'such a message as the answer',
      endlessly(Buffer.alloc(MEBIBYTE), Buffer.concat([READY, message('D', '', 2_147_483_647)])),
    ],
    [
      'a list of ways to sign in of 2 GB',
      endlessly(Buffer.alloc(MEBIBYTE, 'x'), message('R', int(10), 2_147_483_647)),
    ],
    ['notices for ever', endlessly(notice)],
    ['settings for ever', endlessly(message('S', 'a\0b\0'))],
    ['rows for ever as the answer', rowsForEver],
  ])('is left: %s', async (_, answer) => {
    const { failure, sent } = await failureOf(answer);
    expect(failure.state).toBe('bad_answer');
    expect(failure.message).toMatch(/sends (more|a message)/);
    // What the buffers of the system hold comes on top of what is allowed.
    expect(sent).toBeLessThan(100 * MEBIBYTE);
  });
});

describe('a connection over TLS', () => {
  const pem = (name: string) => readFileSync(new URL(`../oauth/certificate/${name}.pem`, import.meta.url));
  const encrypted = (socket: Socket, use: (secured: TLSSocket) => void) => {
    socket.write('S');
    const secured = new TLSSocket(socket, { isServer: true, key: pem('key'), cert: pem('certificate') });
    secured.on('error', () => {});
    use(secured);
  };

  it('a server is read, and what it sends is looked at once it is in clear', async () => {
    const real = await findPostgres();
    const url = new URL(await real.createDatabase());
    await using server = await startHostilePostgres((socket) =>
      encrypted(socket, (secured) => {
        const behind = connect(Number(url.port), url.hostname);
        behind.on('error', () => {});
        secured.pipe(behind).pipe(secured);
      }),
    );
    const { port } = new URL(server.connectionString);
    const through = Object.assign(new URL(url), { port, search: '?sslmode=no-verify' }).href;
    const access = createAccess(
      { name: 'a', vendor: 'fivetran-postgres', settings: {} },
      { connectionString: through },
      { log: silent, signal: AbortSignal.timeout(100_000), allowsLoopback: true },
    );
    // It is signed in to, and asked for its tables.
    await expect(fivetranPostgres.check(access)).rejects.toThrow('may read no table of Fivetran');
    const five: Answer = (socket) => encrypted(socket, (secured) => void secured.write(message('R')));
    expect((await failureOf(five, '?sslmode=no-verify')).failure.message).toContain('ends elsewhere');
  });

  it('is asked for before anything is said, and nothing that came before it counts', async () => {
    const early = await failureOf(once(Buffer.concat([Buffer.from('S'), READY])), '?sslmode=no-verify');
    expect(early.failure.message).toContain('when it is asked for TLS');
    const without = await failureOf(once(Buffer.from('N')), '?sslmode=no-verify');
    expect(without.failure.message).toContain('has no TLS');
    const unknown = await failureOf((socket) => encrypted(socket, () => {}), '?sslmode=verify-full');
    expect(unknown.failure.message).toMatch(/certificate of 127\.0\.0\.1 cannot be checked/);
  });
});
