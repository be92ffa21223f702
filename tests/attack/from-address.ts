import { request } from 'node:http';
import { text } from 'node:stream/consumers';

export interface Answer {
  readonly status: number;
  readonly location: string | null;
  /** As a browser would send them back. */
  readonly cookies: string;
  readonly body: string;
  readonly ms: number;
}

interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/**
 * A request from one of the addresses of this machine: 127.0.0.1 to 127.255.255.254 are different networks to
 * a server.
 */
export async function sendFrom(address: string, url: URL | string, sent: Sent = {}): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const began = performance.now();
  const { method = 'GET', headers = {}, body = '' } = sent;
  const options = { method, headers, localAddress: address, agent: false };
  request(url, options, (response) => {
    const set = (response.headers['set-cookie'] ?? []).map((cookie) => cookie.split(';')[0]);
    text(response).then(
      (content) =>
        resolve({
          status: response.statusCode ?? 0,
          location: response.headers.location ?? null,
          cookies: set.join('; '),
          body: content,
          ms: performance.now() - began,
        }),
      reject,
    );
  })
    .on('error', reject)
    .end(body);
  return promise;
}

/** A form, as a page of the server sends it. */
export function postFormFrom(
  address: string,
  url: URL | string,
  fields: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  return sendFrom(address, url, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/x-www-form-urlencoded',
      Origin: new URL(url).origin,
      ...headers,
    },
    body: String(new URLSearchParams(fields)),
  });
}
