import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { pipeline, Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { VendorError } from '../../src/live/vendor.ts';
import { createAccess } from '../../src/live/vendor-access.ts';
import { createVendorFetch, type FetchLimits } from '../../src/live/vendor-fetch.ts';
import { ask } from '../../src/live/vendors/ask-vendor.ts';
import { textsOf } from '../../src/live/vendors/shopify/bulk-operation.ts';

/** Answers over HTTP that take time, memory or depth: what each comes to, and after how much of it. */

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

let server: Server;
let base: string;
let answer: Answer;
let asked: number;
/** Pieces that were sent, however small. */
let sent: number;

beforeAll(async () => {
  server = createServer((request, response) => {
    asked += 1;
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as { port: number }).port}/`;
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

beforeEach(() => {
  [asked, sent] = [0, 0];
});

const silent = { info: () => {}, warn: () => {}, error: () => {} };

const accessWith = (more: { readonly talkMs?: number; readonly answerLimits?: FetchLimits } = {}) =>
  createAccess(
    { name: 'a', vendor: 'a', settings: {} },
    {},
    { log: silent, signal: AbortSignal.timeout(20_000), allowsLoopback: true, ...more },
  );

async function failureOf(work: Promise<unknown>): Promise<VendorError> {
  const error = await work.then(
    () => new Error('it was taken'),
    (failure: unknown) => failure,
  );
  if (!(error instanceof VendorError)) throw error;
  return error;
}

const asking = (access = accessWith()) => ask(access, { title: 'A shop', request: () => new Request(base) });

/** A piece each 20 ms, until nobody listens. */
function drip(write: () => void, socket: { readonly destroyed: boolean }): void {
  const dripping = setInterval(() => {
    if (socket.destroyed) return clearInterval(dripping);
    sent += 1;
    write();
  }, 20);
  dripping.unref();
}

/** The limits of a test are those of the product, except that none takes minutes. */
const QUICK: FetchLimits = {
  ...{ mostBytes: 2 ** 20, idleMs: 200, totalMs: 8000, graceMs: 200, leastBytesPerSecond: 4096 },
};

const fetching = (limits = QUICK) =>
  createVendorFetch({ allowsLoopback: true, limits })(new Request(base)).then((response) => response.text());

describe('an answer that comes slowly', () => {
  it('is left where its header comes letter by letter', async () => {
    answer = ({ socket }) => {
      socket.write('HTTP/1.1 200 OK\r\nx: ');
      drip(() => socket.write('x'), socket);
    };
    expect((await failureOf(fetching())).state).toBe('vendor_down');
    expect(sent).toBeLessThan(100);
  });

  it('is left where it says for ever that it begins', async () => {
    answer = ({ socket }, response) =>
      drip(() => response.writeEarlyHints({ link: '</a>; rel=preload' }), socket);
    expect((await failureOf(fetching())).state).toBe('vendor_down');
    expect(sent).toBeLessThan(100);
  });

  it('is left where its body comes letter by letter, and is not asked for again at once', async () => {
    answer = ({ socket }, response) => {
      response.writeHead(200);
      drip(() => response.write('x'), socket);
    };
    const failure = await failureOf(asking(accessWith({ answerLimits: QUICK })));
    expect(failure).toMatchObject({ state: 'vendor_down', message: expect.stringContaining('too slowly') });
    expect(sent).toBeLessThan(200);
    expect(asked).toBe(1);
  });

  it('is not called slow where it is small, or where whoever reads it takes time', async () => {
    answer = (_, response) => response.end('x'.repeat(300_000));
    const limits = { ...QUICK, idleMs: 8000, leastBytesPerSecond: 2 ** 20 };
    const response = await createVendorFetch({ allowsLoopback: true, limits })(new Request(base));
    await new Promise((resolve) => setTimeout(resolve, 1000));
    expect((await response.text()).length).toBe(300_000);
  });
});

describe('a turn', () => {
  it('waits no longer for a vendor than somebody chose, however it asks to wait', async () => {
    answer = (_, response) => response.writeHead(429, { 'retry-after': '1' }).end();
    const failure = await failureOf(asking(accessWith({ talkMs: 1500 })));
    expect(failure).toMatchObject({ state: 'vendor_down', message: expect.stringContaining('one turn') });
    expect(asked).toBeLessThan(4);
  });
});

describe('an answer of another kind', () => {
  it('is refused where it is nested too deeply, before anybody follows it', async () => {
    answer = (_, response) => response.end(`{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`);
    expect(await failureOf(asking())).toMatchObject({
      state: 'bad_answer',
      message: 'A shop answered with JSON that is nested more than 100 deep',
    });
    expect(asked).toBe(1);
  });

  it('may have brackets in its texts', async () => {
    const body = { text: `${'['.repeat(500)}"\\`, rows: [[{ a: '{'.repeat(300) }]] };
    answer = (_, response) => response.end(JSON.stringify(body));
    expect((await asking()).body).toEqual(body);
  });

  it('is refused where its header has megabytes', async () => {
    answer = (_, response) => response.writeHead(200, { x: 'x'.repeat(2 ** 22) }).end('{}');
    expect((await failureOf(fetching())).state).toBe('vendor_down');
  });

  it('is refused where a line of a file has no end', async () => {
    let pieces = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        pieces += 1;
        // So that a reader without a limit ends this test as well.
        if (pieces > 200) controller.close();
        else controller.enqueue(Buffer.alloc(2 ** 20, 'x'));
      },
    });
    const read = async () => {
      for await (const _ of textsOf(endless));
    };
    expect((await failureOf(read())).state).toBe('bad_answer');
    expect(pieces).toBeLessThan(50);
  });

  it('leads nowhere else: a redirect is refused with what to do', async () => {
    answer = (_, response) => response.writeHead(302, { location: 'http://169.254.169.254/' }).end();
    expect(await failureOf(asking())).toMatchObject({
      state: 'bad_answer',
      message: expect.stringContaining('redirects to another address'),
    });
    expect(asked).toBe(1);
  });
});

describe('an answer that is packed', () => {
  /** Packed as it is asked for: nobody keeps it. */
  const sending = (piece: Buffer, pieces: number): Answer => {
    return (_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' });
      const content = function* () {
        for (let number = 1; number <= pieces; number += 1) {
          sent = number;
          yield piece;
        }
      };
      pipeline(Readable.from(content()), createGzip({ level: 1 }), response, () => {});
    };
  };
  const reading = async () => {
    const { body } = await accessWith().fetchFile(new Request(base));
    let bytes = 0;
    for await (const chunk of body ?? []) bytes += (chunk as Uint8Array).length;
    return bytes;
  };

  it('is ended where it unpacks to far more than tables do, long before the most that a file may have', async () => {
    answer = sending(Buffer.alloc(2 ** 20), 4096);
    expect(await failureOf(reading())).toMatchObject({
      state: 'bad_answer',
      message: expect.stringContaining('unpacks to more than 200 times its size'),
    });
    expect(sent).toBeLessThan(2048);
  });

  it('is read where it is as large, and rows', async () => {
    const rows = Buffer.from(
      Array.from({ length: 20_000 }, (_, i) => `${i * 7919},${Math.sin(i)}\n`).join(''),
    );
    const pieces = Math.ceil((70 * 2 ** 20) / rows.length);
    answer = sending(rows, pieces);
    expect(await reading()).toBe(rows.length * pieces);
  });
});

describe('an answer that comes from no server of files', () => {
  it.each([
    ['changes the protocol', '101 x', 'Upgrade: foo\r\nConnection: Upgrade\r\n', 'changes the protocol'],
    ['has a status that HTTP does not have', '999 x', '', 'answers with the status 999'],
    ['has one above those of errors', '600 x', '', 'answers with the status 600'],
  ])('and %s is refused in words, at once', async (_what, status, headers, words) => {
    answer = ({ socket }) => socket.write(`HTTP/1.1 ${status}\r\n${headers}\r\n`);
    const failure = await failureOf(fetching({ ...QUICK, idleMs: 10_000 }));
    expect(failure.state).toBe('bad_answer');
    expect(failure.message).toContain(words);
  });

  it('and is closed before it begins is told as a broken connection', async () => {
    answer = ({ socket }) => socket.destroy();
    expect((await failureOf(fetching())).state).toBe('vendor_down');
  });

  it.each(['constructor', '__proto__', 'toString'])('and is packed by %s is read as it is', async (name) => {
    answer = (_request, response) => response.writeHead(200, { 'content-encoding': name }).end('a\n');
    expect(await fetching()).toBe('a\n');
  });
});

describe('an answer without a length, which ends where the connection does', () => {
  const ending = (text: string | Buffer) => {
    answer = ({ socket }) => {
      socket.write('HTTP/1.0 200 OK\r\n\r\n');
      socket.end(text);
    };
    return fetching();
  };

  it('is refused where it ends within a line: 777.50 may have become 7', async () => {
    const failure = await failureOf(ending('order_id,total\n1,1234.50\n2,7'));
    expect(failure.state).toBe('bad_answer');
    expect(failure.message).toContain('does not say how long its answer is');
  });

  it.each(['order_id,total\n1,1234.50\n', '[{"a":1}]', '<feed></feed>', ''])(
    'is taken where it ends so: %j',
    async (text) => {
      expect(await ending(text)).toBe(text);
    },
  );
});
