import { lookup as lookupAddress } from 'node:dns';
import { request } from 'node:https';
import type { LookupFunction } from 'node:net';
import { Readable } from 'node:stream';
import { publicOnly, refusePrivate } from '../network/public-addresses.ts';

export type Fetch = typeof globalThis.fetch;

/** The response headers that callers read; no others are kept. */
const READ_HEADERS = ['cache-control', 'content-type', 'expires'];

/**
 * Gets a document over https, on the default port of a public address, and follows no redirect: what a
 * stranger names must not reach what only this machine can reach. The address is judged where the connection
 * takes it, so that a name cannot mean one address when it is asked and another when it is used, and nothing
 * is ever connected to before.
 *
 * TRICKY: not the built-in `fetch`, which cannot be told how to look up a name.
 */
export function createPublicFetch(lookup: LookupFunction = lookupAddress): Fetch {
  return async (input, options) => {
    const url = new URL(String(input));
    if (url.protocol !== 'https:' || url.port !== '' || url.username !== '' || url.password !== '') {
      throw new Error('not https on its default port');
    }
    refusePrivate(url);
    const { promise, resolve, reject } = Promise.withResolvers<Response>();
    const headers = { ...Object.fromEntries(new Headers(options?.headers)), 'user-agent': 'Storesight' };
    const signal = options?.signal ?? undefined;
    request(url, { headers, lookup: publicOnly(lookup), agent: false, ...(signal && { signal }) })
      .on('error', reject)
      // TRICKY: without a listener Node tells nobody of an answer that changes the protocol, nor of an end
      // after it.
      .once('upgrade', (_answer, socket) => {
        socket.destroy();
        reject(new Error('changes the protocol'));
      })
      .once('close', () => reject(new Error('closed before an answer came')))
      .once('response', (answer) => {
        if (answer.statusCode === 200) {
          resolve(
            new Response(Readable.toWeb(answer) as ReadableStream, { headers: readHeaders(answer.headers) }),
          );
          return;
        }
        answer.destroy();
        reject(new Error(`answered with status ${answer.statusCode}`));
      })
      .end();
    return promise;
  };
}

function readHeaders(headers: NodeJS.Dict<string | string[]>): Headers {
  const read = new Headers();
  for (const name of READ_HEADERS) {
    const value = headers[name];
    if (typeof value === 'string') read.set(name, value);
  }
  return read;
}
