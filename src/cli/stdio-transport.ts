import type { Readable, Writable } from 'node:stream';
import {
  type JSONRPCMessage,
  ProtocolErrorCode,
  parseJSONRPCMessage,
  type Transport,
} from '@modelcontextprotocol/server';
import { idAtEnds, tooMuchIn } from '../mcp/json-extent.ts';
import { hasTooMuchOutsideArguments, idIn, TOO_MUCH_OUTSIDE_ARGUMENTS } from '../mcp/message-limits.ts';
import { withoutNullParams } from '../mcp/request-params.ts';
import { BoundedLines, type Line } from './bounded-lines.ts';

/**
 * The most messages in a batch, as over HTTP. Clients of revision 2025-03-26 send batches; each message is
 * answered by itself.
 */
const MOST_IN_BATCH = 100;
/**
 * The most requests that are answered at once; until one ends, no further message is read. Clients have some
 * ten.
 */
const MOST_UNANSWERED = 32;

interface StdioOptions {
  readonly input: Readable;
  readonly output: Writable;
  /** The longest line that is taken, as bytes. */
  readonly maxBytes: number;
}

/**
 * Messages as lines of JSON. It is ours because that of the SDK ends in silence at a line of more than 10 MB,
 * and passes over what is no JSON without an answer. Here a line that cannot be taken is answered by an
 * error, and the next one is read.
 *
 * While the client does not take what is written, or many requests are not answered, nothing more is taken or
 * read: it cannot make this process hold ever more.
 */
export class StdioTransport implements Transport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: ((message: JSONRPCMessage) => void) | undefined;

  readonly #input: Readable;
  readonly #output: Writable;
  readonly #maxBytes: number;
  readonly #cutter: BoundedLines;
  readonly #decoder = new TextDecoder('utf-8', { fatal: true });
  readonly #closed = Promise.withResolvers<Error | null>();
  /** What was read and not taken yet: one piece of the input, or the rest of it. */
  readonly #coming: Generator<() => void, void>[] = [];
  /** How many requests of each id are not answered: nobody keeps a client from sending the same id twice. */
  readonly #unanswered = new Map<unknown, number>();
  #isFull = false;
  #isTaking = false;
  #isClosed = false;

  constructor({ input, output, maxBytes }: StdioOptions) {
    this.#input = input;
    this.#output = output;
    this.#maxBytes = maxBytes;
    this.#cutter = new BoundedLines(maxBytes);
  }

  /**
   * Settles when the transport is closed: with null where the client or the program ended it, else with the
   * error that did.
   */
  get closed(): Promise<Error | null> {
    return this.#closed.promise;
  }

  async start(): Promise<void> {
    this.#input.on('data', this.#onData).on('error', this.#onBroken);
    this.#input.on('end', this.#onEnd).on('close', this.#onEnd);
    // Stays when it is closed: what cannot be written then is nobody's any more, and must not end the
    // process.
    this.#output.on('error', this.#onBroken).on('drain', this.#onDrain);
  }

  async send(message: JSONRPCMessage): Promise<void> {
    this.#write(message);
    if (!('method' in message)) this.#ended(message.id);
  }

  async close(): Promise<void> {
    this.#close(null);
  }

  readonly #onData = (chunk: Buffer): void => {
    this.#coming.push(this.#workOf(chunk));
    this.#takeAll();
  };

  readonly #onEnd = (): void => this.#close(null);

  readonly #onBroken = (error: Error): void => this.#close(error);

  readonly #onDrain = (): void => {
    this.#isFull = false;
    this.#takeAll();
  };

  /** Takes what was read while there is room for its answers, then reads on. */
  #takeAll(): void {
    // A request that is answered at once comes here while its message is being taken.
    if (this.#isTaking) return;
    this.#isTaking = true;
    while (!this.#isClosed && this.#hasRoom() && this.#coming.length > 0) {
      const { done, value } = (this.#coming[0] as Generator<() => void, void>).next();
      if (done === true) this.#coming.shift();
      else value();
    }
    this.#isTaking = false;
    if (this.#isClosed) return;
    if (this.#coming.length > 0) this.#input.pause();
    else if (!this.#isFull) this.#input.resume();
  }

  #hasRoom(): boolean {
    return !this.#isFull && this.#inAll() < MOST_UNANSWERED;
  }

  #inAll(): number {
    return [...this.#unanswered.values()].reduce((sum, count) => sum + count, 0);
  }

  #ended(id: unknown): void {
    const count = this.#unanswered.get(id);
    if (count === undefined) return;
    if (count > 1) this.#unanswered.set(id, count - 1);
    else this.#unanswered.delete(id);
    this.#takeAll();
  }

  #close(error: Error | null): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#input.off('data', this.#onData).off('end', this.#onEnd).off('close', this.#onEnd);
    this.#input.pause();
    if (error !== null) this.onerror?.(error);
    this.onclose?.();
    this.#closed.resolve(error);
  }

  /** What is to be done with a piece of the input: to take a message, or to refuse a line. */
  *#workOf(chunk: Buffer): Generator<() => void, void> {
    for (const line of this.#cutter.take(chunk)) yield* this.#workOfLine(line);
  }

  *#workOfLine(line: Line): Generator<() => void, void> {
    if ('head' in line) {
      const message =
        `the message is larger than ${this.#maxBytes} bytes; ask for less at once, or set STORESIGHT_MAX_REQUEST_BYTES ` +
        'where this server is started';
      yield this.#refusal(message, idAtEnds(line.head, line.tail));
      return;
    }
    const { bytes } = line;
    const tooMuch = tooMuchIn(bytes);
    if (tooMuch !== null) {
      yield this.#refusal(tooMuch, idAtEnds(bytes, bytes));
      return;
    }
    let value: unknown;
    try {
      const text = this.#decoder.decode(bytes);
      if (text.trim() === '') return;
      value = JSON.parse(text);
    } catch {
      const message = 'Parse error: the line is not valid JSON in UTF-8';
      yield this.#refusal(message, null, ProtocolErrorCode.ParseError);
      return;
    }
    if (!Array.isArray(value)) yield () => this.#take(value);
    else if (value.length > 0 && value.length <= MOST_IN_BATCH)
      for (const one of value) yield () => this.#take(one);
    else
      yield this.#refusal(`a batch has 1 to ${MOST_IN_BATCH} messages; this one has ${value.length}`, null);
  }

  #take(value: unknown): void {
    if (hasTooMuchOutsideArguments(value)) {
      this.#refusal(TOO_MUCH_OUTSIDE_ARGUMENTS, idIn(value))();
      return;
    }
    let message: JSONRPCMessage;
    try {
      message = parseJSONRPCMessage(withoutNullParams(value));
    } catch {
      this.#refusal('Invalid request: a line is one JSON-RPC message, or a batch of them', idIn(value))();
      return;
    }
    this.#count(message);
    this.onmessage?.(message);
  }

  #count(message: JSONRPCMessage): void {
    if (!('method' in message)) return;
    if ('id' in message) {
      // This one stays open until its client ends it, and the SDK limits how many do.
      if (message.method === 'subscriptions/listen') return;
      this.#unanswered.set(message.id, (this.#unanswered.get(message.id) ?? 0) + 1);
    } else if (message.method === 'notifications/cancelled') {
      const { requestId } = Object(message.params) as { requestId?: unknown };
      // It is not answered any more. In a turn of its own, so that a list of requests and their ends is not
      // begun at once.
      setImmediate(() => this.#ended(requestId));
    }
  }

  #refusal(
    message: string,
    id: string | number | null,
    code: number = ProtocolErrorCode.InvalidRequest,
  ): () => void {
    return () => {
      this.onerror?.(new Error(message));
      this.#write({ jsonrpc: '2.0', id, error: { code, message } });
    };
  }

  #write(message: object): void {
    if (this.#isClosed) return;
    if (this.#output.write(`${JSON.stringify(message)}\n`)) return;
    this.#isFull = true;
    this.#input.pause();
  }
}
