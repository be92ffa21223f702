import { Worker } from 'node:worker_threads';
import { message, toolCall } from '../../server/requests.ts';

/** What one account can send to keep a server busy, by name: texts of requests. */
export function abuses(business_id: string): Readonly<Record<string, readonly string[]>> {
  const years = { business_id, from_date: '2014-01-01T00:00:00', to_date: '2025-12-31T23:59:59' };
  const daily = { ...years, breakdown: 'day' };
  const trend = (id: number, args: object = daily) =>
    message('tools/call', { name: 'order_statistics_trend', arguments: args }, id);
  const batch = Array.from({ length: 100 }, (_, id) => trend(id));
  // The longest daily trend of all fields that is still answered, and the same as a table of all years.
  const shorter = { ...daily, from_date: '2023-01-01T00:00:00' };
  const calls = {
    'batch of 100 daily trends over 12 years': [batch],
    'batch of 100 daily trends over 3 years': [Array.from({ length: 100 }, (_, id) => trend(id, shorter))],
    '60,000 unknown arguments': [
      toolCall(
        'order_statistics',
        Object.fromEntries(Array.from({ length: 60_000 }, (_, key) => [`argument${key}`, 1])),
      ),
    ],
    'daily trends over 12 years': [trend(1), trend(1, { ...daily, format: 'table' }), trend(1, shorter)],
  };
  const texts = Object.entries(calls).map(
    ([name, sent]) => [name, sent.map((one) => JSON.stringify(one))] as const,
  );
  return { ...Object.fromEntries(texts), 'all of these in turns': texts.flatMap(([, sent]) => sent) };
}

/** Clients that send these in loops, until they are told to end. */
export class Abusers implements AsyncDisposable {
  readonly #worker: Worker;

  constructor(url: string, tokens: readonly string[], bodies: readonly string[]) {
    // They send different things at the same time.
    const from = (start: number) => bodies.map((_, index) => bodies[(start + index) % bodies.length]);
    const clients = tokens.map((token, index) => ({ token, bodies: from(index) }));
    this.#worker = new Worker(new URL('./abuser.ts', import.meta.url), { workerData: { url, clients } });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#worker.terminate();
  }
}

/** What anybody can send without a token, by name: one request each, as it goes through a socket. */
export function strangersRequests(url: string): Readonly<Record<string, string>> {
  const { host } = new URL(url);
  const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
  const post = (path: string, type: string, body: string, more = '') =>
    `POST ${path} HTTP/1.1\r\nHost: ${host}\r\n${more}Content-Type: ${type}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  return {
    'the page to sign in': get('/sign-in'),
    'metadata of the authorization server': get('/.well-known/oauth-authorization-server'),
    'requests for authorization': get('/authorize?client_id=nobody&response_type=code'),
    'requests for tokens': post(
      '/token',
      'application/x-www-form-urlencoded',
      `grant_type=authorization_code&client_id=nobody&code=${'x'.repeat(43)}`,
    ),
    webhooks: post('/hooks/shopify/0b0e1b3a-8d6b-4c5e-9a53-0d5d2f7f4c11', 'application/json', '{}'),
    'calls with a token of nobody': post('/mcp', 'application/json', '{}', 'Authorization: Bearer x.y.z\r\n'),
    'signs of life': get('/healthz'),
  };
}

/** Connections of one address that send such requests in loops, until they are told to end. */
export class Strangers implements AsyncDisposable {
  readonly #worker: Worker;

  constructor(url: string, request: string, { connections = 100, atOnce = 50 } = {}) {
    const workerData = { url, request, connections, atOnce };
    this.#worker = new Worker(new URL('./stranger.ts', import.meta.url), { workerData });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#worker.terminate();
  }
}
