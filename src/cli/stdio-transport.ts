import type { Readable, Writable } from 'node:stream';
import {
  type JSONRPCMessage,
  ProtocolErrorCode,
  parseJSONRPCMessage,
  type Transport,
} from '@modelcontextprotocol/server';
import { hasTooMuchBeside, idIn, TOO_MUCH_BESIDE } from '../mcp/message-limits.ts';
import { withoutNullParams } from '../mcp/request-params.ts';
import { BoundedLines, type Line } from './bounded-lines.ts';

/** As over HTTP. Clients of revision 2025-03-26 send batches; each message is answered by itself. */
const MOST_IN_BATCH = 100;

interface StdioOptions {
  readonly input: Readable;
  readonly output: Writable;
  /** The longest line that is taken, as bytes. */
  readonly maxBytes: number;
}

/**
 * Messages as lines of JSON. It is ours because that of the SDK ends in silence at a line of more than 10 MB, and passes over
 * what is no JSON without an answer. Here a line that cannot be taken is answered by an error, and the next one is read.
 *
 * While the client does not take what is written, nothing more is read: it cannot make this process hold ever more.
 */
export class StdioTransport implements Transport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: ((message: JSONRPCMessage) => void) | undefined;

  readonly #input: Readable;
  readonly #output: Writable;
  readonly #maxBytes: number;
  readonly #lines: BoundedLines;
  readonly #decoder = new TextDecoder('utf-8', { fatal: true });
  readonly #closed = Promise.withResolvers<Error | null>();
  #isClosed = false;

  constructor({ input, output, maxBytes }: StdioOptions) {
    this.#input = input;
    this.#output = output;
    this.#maxBytes = maxBytes;
    this.#lines = new BoundedLines(maxBytes);
  }

  /** When it is closed: null where the client or the program ended it, else the error that did. */
  get closed(): Promise<Error | null> {
    return this.#closed.promise;
  }

  async start(): Promise<void> {
    this.#input.on('data', this.#onData).on('error', this.#onBroken);
    this.#input.on('end', this.#onEnd).on('close', this.#onEnd);
    // Stays when it is closed: what cannot be written then is nobody's any more, and must not end the process.
    this.#output.on('error', this.#onBroken).on('drain', this.#onDrain);
  }

  async send(message: JSONRPCMessage): Promise<void> {
    this.#write(message);
  }

  async close(): Promise<void> {
    this.#close(null);
  }

  readonly #onData = (chunk: Buffer): void => {
    for (const line of this.#lines.take(chunk)) this.#read(line);
  };

  readonly #onEnd = (): void => this.#close(null);

  readonly #onBroken = (error: Error): void => this.#close(error);

  readonly #onDrain = (): void => {
    if (!this.#isClosed) this.#input.resume();
  };

  #close(error: Error | null): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#input.off('data', this.#onData).off('end', this.#onEnd).off('close', this.#onEnd);
    this.#input.pause();
    if (error !== null) this.onerror?.(error);
    this.onclose?.();
    this.#closed.resolve(error);
  }

  #read(line: Line): void {
    if ('head' in line) {
      this.#refuse(
        idOf(line),
        ProtocolErrorCode.InvalidRequest,
        `the message is larger than ${this.#maxBytes} bytes; ask for less at once, or set STORESIGHT_MAX_REQUEST_BYTES ` +
          'where this server is started',
      );
      return;
    }
    let value: unknown;
    try {
      const text = this.#decoder.decode(line.bytes);
      if (text.trim() === '') return;
      value = JSON.parse(text);
    } catch {
      this.#refuse(null, ProtocolErrorCode.ParseError, 'Parse error: the line is not valid JSON in UTF-8');
      return;
    }
    if (!Array.isArray(value)) this.#take(value);
    else if (value.length > 0 && value.length <= MOST_IN_BATCH) for (const one of value) this.#take(one);
    else
      this.#refuse(
        null,
        ProtocolErrorCode.InvalidRequest,
        `a batch has 1 to ${MOST_IN_BATCH} messages; this one has ${value.length}`,
      );
  }

  #take(value: unknown): void {
    if (hasTooMuchBeside(value)) {
      this.#refuse(idIn(value), ProtocolErrorCode.InvalidRequest, TOO_MUCH_BESIDE);
      return;
    }
    let message: JSONRPCMessage;
    try {
      message = parseJSONRPCMessage(withoutNullParams(value));
    } catch {
      this.#refuse(
        idIn(value),
        ProtocolErrorCode.InvalidRequest,
        'Invalid request: a line is one JSON-RPC message, or a batch of them',
      );
      return;
    }
    this.onmessage?.(message);
  }

  #refuse(id: string | number | null, code: number, message: string): void {
    this.onerror?.(new Error(message));
    this.#write({ jsonrpc: '2.0', id, error: { code, message } });
  }

  #write(message: object): void {
    if (this.#isClosed) return;
    if (!this.#output.write(`${JSON.stringify(message)}\n`)) this.#input.pause();
  }
}

const ID = String.raw`"id"\s*:\s*("[^"\\]{0,100}"|\d{1,15})`;
const OTHER = String.raw`"(?:jsonrpc|method)"\s*:\s*"[^"\\]{0,100}"`;
/** What stands at either end of a line belongs to the message itself, and not to something within it. */
const ID_AT_HEAD = new RegExp(String.raw`^\s*\{\s*(?:${OTHER}\s*,\s*){0,2}${ID}`);
const ID_AT_TAIL = new RegExp(String.raw`,\s*${ID}\s*(?:,\s*${OTHER}\s*){0,2}\}\s*$`);

/** Which request it was, so that its client does not wait for an answer; null where that cannot be told. */
function idOf({ head, tail }: { readonly head: Buffer; readonly tail: Buffer }): string | number | null {
  const [, id] = ID_AT_HEAD.exec(head.toString()) ?? ID_AT_TAIL.exec(tail.toString()) ?? [];
  return id === undefined ? null : (JSON.parse(id) as string | number);
}
