import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, LookupFunction } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { importAsItIs } from '../../src/live/read-streams.ts';
import { type Json, type Page, VendorError } from '../../src/live/vendor.ts';
import { createAccess } from '../../src/live/vendor-access.ts';
import { ANSWER_LIMITS, createVendorFetch } from '../../src/live/vendor-fetch.ts';
import { ask } from '../../src/live/vendors/ask-vendor.ts';
import { url } from '../../src/live/vendors/url.ts';

let server: Server;
let answer: RequestListener;
let base: string;

beforeEach(async () => {
  answer = (_, response) => response.end();
  server = createServer((request, response) => answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** 40 MB of spaces, which are a valid beginning of JSON. */
const HUGE = gzipSync(Buffer.alloc(40 * 2 ** 20, ' '));

const silent = { info: () => {}, warn: () => {}, error: () => {} };

async function read(address: string, cursor: Json = null): Promise<{ page: Page; content: string } | null> {
  const access = createAccess(
    { name: 'url', vendor: 'url', settings: {} },
    { address },
    { log: silent, signal: new AbortController().signal, allowsLoopback: true },
  );
  for await (const page of url.streams[0]?.read(access, cursor) ?? [])
    return { page, content: await new Response(page.downloads?.[0]?.content).text() };
  return null;
}

async function failure(work: Promise<unknown>): Promise<VendorError> {
  const error = await work.then(
    () => new Error('it did not fail'),
    (thrown: Error) => thrown,
  );
  if (error instanceof VendorError) return error;
  throw error;
}

describe('a file at an address', () => {
  it('is read again where the server says that it has changed', async () => {
    answer = (request, response) => {
      if (request.headers['if-none-match'] === '"7"') response.writeHead(304).end();
      else response.writeHead(200, { etag: '"7"' }).end('a;b\n1;2\n');
    };
    const first = await read(`${base}/export/orders.csv?hash=secret`);
    expect(first?.content).toBe('a;b\n1;2\n');
    expect(first?.page).toMatchObject({
      rows: [],
      cursor: { etag: '"7"' },
      downloads: [{ name: 'orders.csv' }],
    });
    expect(await read(`${base}/export/orders.csv?hash=secret`, first?.page.cursor)).toBeNull();
  });

  it('is read where the connection was given another address, though the file there is older', async () => {
    answer = (request, response) => {
      const isKnown = request.headers['if-modified-since'] !== undefined;
      if (isKnown) response.writeHead(304).end();
      else response.writeHead(200, { 'last-modified': 'Sun, 22 Nov 2026 12:00:00 GMT' }).end('a;b\n1;2\n');
    };
    const first = await read(`${base}/export/orders.csv?hash=one`);
    const cursor = JSON.parse(JSON.stringify(first?.page.cursor));
    expect(await read(`${base}/export/orders.csv?hash=one`, cursor)).toBeNull();
    expect((await read(`${base}/export/orders.csv?hash=two`, cursor))?.content).toBe('a;b\n1;2\n');
    expect(JSON.stringify(cursor)).not.toContain('hash');
  });

  it('is unpacked where the answer is packed, and keeps its own packing', async () => {
    answer = (request, response) => {
      if (request.url === '/feed')
        response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('<rss></rss>'));
      else response.end(gzipSync('a,b\n'));
    };
    expect(await read(`${base}/feed`)).toMatchObject({ content: '<rss></rss>' });
    expect((await read(`${base}/file`))?.page.downloads?.[0]?.name).toBe('file.gz');
    // A permalink may be nothing but a secret.
    expect((await read(`${base}/planted-secret`))?.page.downloads?.[0]?.name).toBe('file.gz');
    expect((await read(`${base}/planted-secret.XML.gz`))?.page.downloads?.[0]?.name).toBe('file.xml.gz');
  });

  it('is known by how it begins, however small the pieces are that come first', async () => {
    const packed = gzipSync('a,b\n1,2\n');
    const inPieces = (bytes: Buffer): RequestListener => {
      return (_, response) => {
        response.write(bytes.subarray(0, 1));
        setTimeout(() => response.write(bytes.subarray(1, 3)), 20);
        setTimeout(() => response.end(bytes.subarray(3)), 40);
      };
    };
    answer = inPieces(packed);
    expect((await read(`${base}/file`))?.page.downloads?.[0]?.name).toBe('file.gz');
    answer = inPieces(Buffer.from('<!doctype html><title>Sign in</title>'));
    expect((await failure(read(base))).message).toContain('gave a web page instead of a file');
    answer = inPieces(Buffer.from('<rss><item></item></rss>'));
    expect((await read(base))?.content).toBe('<rss><item></item></rss>');
  });

  it.each([
    ['shorter than its length', { 'content-length': '1000' }, 'vendor_down'],
    ['a part of XML, of a server that says no length', { connection: 'close' }, 'bad_answer'],
  ])('is refused when it is cut off: %s', async (_, headers, state) => {
    answer = (_request, response) => {
      response.useChunkedEncodingByDefault = false;
      response.writeHead(200, headers as Record<string, string>);
      response.write('<rss><item><na');
      setTimeout(() => response.socket?.end(), 20);
    };
    expect(await failure(read(base))).toMatchObject({ state, message: expect.stringContaining('cut off') });
  });

  it.each([
    [403, {}, 'unauthorized', 'make a new link'],
    [404, {}, 'unauthorized', 'no file at the address any more'],
    [500, {}, 'vendor_down', 'does not give the file now'],
    [429, { 'retry-after': '120' }, 'quota', 'does not give the file now'],
  ])('says what to do when it is answered with status %i', async (status, headers, state, words) => {
    answer = (_, response) => response.writeHead(status, headers as Record<string, string>).end();
    const error = await failure(read(base));
    expect(error).toMatchObject({ state, message: expect.stringContaining(words) });
    if (status === 429) expect(error.retryAt?.getTime()).toBeGreaterThan(Date.now() + 100_000);
  });

  it('is no web page, and not empty', async () => {
    answer = (request, response) =>
      response.end(request.url === '/empty' ? '' : '<!DOCTYPE html><html></html>');
    expect((await failure(read(`${base}/sign-in`))).message).toContain('a web page instead of a file');
    expect((await failure(read(`${base}/empty`))).message).toContain('an empty file');
  });

  it('follows a few redirects, and each to a public address only', async () => {
    answer = (request, response) => {
      if (request.url === '/file') response.end('a,b\n');
      else if (request.url === '/inside') response.writeHead(302, { location: 'https://10.0.0.1/' }).end();
      else response.writeHead(302, { location: request.url === '/once' ? '/file' : '/again' }).end();
    };
    expect((await read(`${base}/once`))?.content).toBe('a,b\n');
    expect((await failure(read(`${base}/again`))).message).toContain('again and again');
    expect((await failure(read(`${base}/inside`))).message).toContain('is no public address');
  });
});

function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason));
  });
}

it('a file is not kept where the disk gets nearly full, and its import ends then', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'storesight-url-'));
  const endless = () => new ReadableStream({ pull: (to) => to.enqueue(new Uint8Array(1000)) });
  const short = () => new Blob(['a,b']).stream();
  try {
    for (const content of [endless(), short()]) {
      const full = new AbortController();
      const stop = vi.fn();
      const disk = { signal: full.signal, stop };
      const reading = importAsItIs(
        folder,
        [{ name: 'file.csv', content }],
        (_, ends) => untilAborted(ends),
        disk,
      );
      setTimeout(() => full.abort(new Error('full')), 50);
      await expect(reading).rejects.toThrow('the disk of this server is nearly full');
      expect(await readdir(folder)).toEqual([]);
      expect(stop).toHaveBeenCalled();
    }
  } finally {
    await rm(folder, { recursive: true });
  }
});

it('the disk is not watched any more when a download finds no place', async () => {
  const stop = vi.fn();
  const disk = { signal: new AbortController().signal, stop };
  const nowhere = join('/dev/null', 'landed');
  await expect(importAsItIs(nowhere, [], async () => {}, disk)).rejects.toThrow('ENOTDIR');
  expect(stop).toHaveBeenCalled();
});

describe('what is asked of a vendor', () => {
  const fetch = createVendorFetch();

  it.each([
    'http://example.com/',
    'https://example.com:8443/',
    'https://user:word@example.com/',
    'https://127.0.0.1/',
    'https://169.254.169.254/latest/meta-data/',
    'https://[::1]/',
    'https://[::ffff:10.0.0.1]/',
    'https://localhost/',
    'http://localhost:1234/',
  ])('is never %s', async (address) => {
    const target = new URL(address);
    const request = { url: address, headers: new Headers(), method: 'GET', body: null } as unknown as Request;
    Object.assign(request, { signal: new AbortController().signal });
    const error = await failure(fetch(request));
    expect(error.message).toContain(target.host);
    expect(error.message).toMatch(/no public address|over https|nowhere on the internet/);
  });

  it('is no name that means a private address, also where loopback is allowed: it is told as one that means none', async () => {
    const asked = (lookup: LookupFunction) =>
      failure(
        createVendorFetch({ allowsLoopback: true, lookup })(new Request('https://db.internal.example/')),
      );
    const inside = await asked((_, __, done) => done(null, [{ address: '192.168.1.7', family: 4 }]));
    const nothing = await asked((_, __, done) =>
      done(Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' }), ''),
    );
    expect(inside.message).toContain('leads nowhere on the internet');
    expect([inside.state, inside.message]).toEqual([nothing.state, nothing.message]);
  });

  it('is held in memory only where it is small, however well it was packed, and is not asked for again', async () => {
    let asked = 0;
    answer = (_, response) => {
      asked += 1;
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(HUGE);
    };
    const access = createAccess(
      { name: 'url', vendor: 'url', settings: {} },
      {},
      { log: silent, signal: new AbortController().signal, allowsLoopback: true },
    );
    const error = await failure(ask(access, { title: 'A shop', request: () => new Request(base) }));
    expect(error.message).toContain('more than 33554432 bytes');
    expect(asked).toBe(1);
  });

  it('ends where the answer is too long or too slow, and tells which', async () => {
    const limited = (limits: { mostBytes: number; idleMs: number; totalMs: number }) =>
      createVendorFetch({ allowsLoopback: true, limits: { ...ANSWER_LIMITS, ...limits } })(
        new Request(base),
      ).then((response) => response.text());
    answer = (_, response) => response.end('x'.repeat(1000));
    expect((await failure(limited({ mostBytes: 999, idleMs: 5000, totalMs: 5000 }))).message).toContain(
      'more than 999 bytes',
    );
    answer = () => {};
    expect(await failure(limited({ mostBytes: 999, idleMs: 30, totalMs: 5000 }))).toMatchObject({
      state: 'vendor_down',
    });
    answer = (_, response) => void setInterval(() => response.write('x'), 5).unref();
    expect(await failure(limited({ mostBytes: 99_999, idleMs: 5000, totalMs: 60 }))).toMatchObject({
      state: 'vendor_down',
    });
  });
});
