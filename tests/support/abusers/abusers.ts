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
    // Not all send the same at the same time.
    const from = (start: number) => bodies.map((_, index) => bodies[(start + index) % bodies.length]);
    const clients = tokens.map((token, index) => ({ token, bodies: from(index) }));
    this.#worker = new Worker(new URL('./abuser.ts', import.meta.url), { workerData: { url, clients } });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#worker.terminate();
  }
}
