import { randomUUID } from 'node:crypto';
import type { SendWritten } from '../mcp/answer-result.ts';

/** What stands in the place of a long answer. */
const PLACE = /\{"answer [0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}":true\}/g;

/**
 * The long answers to one request. The SDK would write each of them as a whole, while everybody waits; it is
 * given a short word instead, which nobody can guess, and on its way to the client that becomes the bytes
 * that were written in parts.
 */
export class LargeAnswers {
  /** The parts by the JSON that stands in their place. */
  readonly #parts = new Map<string, readonly Uint8Array[]>();

  readonly send: SendWritten = (written) => {
    const placed = { [`answer ${randomUUID()}`]: true };
    this.#parts.set(JSON.stringify(placed), written);
    return placed;
  };

  /** The same of JSON that is written already, and may have long answers in it. */
  place(json: string): Record<string, unknown> {
    const written = this.#split(json).map((part) => (typeof part === 'string' ? Buffer.from(part) : part));
    this.drop(json);
    return this.send(written);
  }

  /** How many bytes the message of this JSON has when it is sent. */
  bytes(json: string): number {
    return this.#split(json).reduce((sum, part) => sum + Buffer.byteLength(part), 0);
  }

  /** Lets go what belongs to a message that is not sent. */
  drop(json: string): void {
    for (const { place } of this.#placesIn(json)) this.#parts.delete(place);
  }

  /**
   * The response with the bytes in their places. Each part is given when the client has taken those before.
   */
  fill(response: Response): Response {
    if (response.body === null || (this.#parts.size === 0 && !isStream(response))) return response;
    const reader = response.body.getReader();
    const decoder = new TextDecoder();
    let waiting: Uint8Array[] = [];
    const body = new ReadableStream<Uint8Array>({
      pull: async (controller) => {
        if (waiting.length === 0) {
          const { done, value } = await reader.read();
          if (done) return controller.close();
          if (this.#parts.size === 0) return controller.enqueue(value);
          const text = decoder.decode(value);
          waiting = this.#split(text).map((part) => (typeof part === 'string' ? Buffer.from(part) : part));
          this.drop(text);
          waiting.reverse();
        }
        const next = waiting.pop();
        if (next !== undefined) controller.enqueue(next);
      },
      cancel: (reason) => reader.cancel(reason),
    });
    const { status, statusText, headers } = response;
    const sent = new Headers(headers);
    sent.delete('Content-Length');
    return new Response(body, { status, statusText, headers: sent });
  }

  /** All of them in one pass: a batch has many, and a long text would be looked through for each. */
  #placesIn(json: string): { readonly place: string; readonly at: number }[] {
    if (this.#parts.size === 0) return [];
    return [...json.matchAll(PLACE)]
      .map(({ 0: place, index }) => ({ place, at: index }))
      .filter(({ place }) => this.#parts.has(place));
  }

  /** The JSON with the parts in their places. */
  #split(json: string): (string | Uint8Array)[] {
    const split: (string | Uint8Array)[] = [];
    let from = 0;
    for (const { place, at } of this.#placesIn(json)) {
      split.push(json.slice(from, at), ...(this.#parts.get(place) ?? []));
      from = at + place.length;
    }
    return [...split, json.slice(from)];
  }
}

function isStream(response: Response): boolean {
  return response.headers.get('Content-Type')?.startsWith('text/event-stream') === true;
}
