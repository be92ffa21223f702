import type { JSONRPCMessage, McpServer, Server, Transport } from '@modelcontextprotocol/server';
import { mainThread, onePiece } from '../main-thread/turns.ts';
import type { AnswerInFlight } from './answers-in-flight.ts';
import { refused } from './bounded-answers.ts';

/** Messages of one batch that are answered at the same time. */
const AT_ONCE = 4;
/** As much as the longest single answer has. */
const MOST_BYTES_OF_BATCH = 5_000_000;

type Handle = NonNullable<Transport['onmessage']>;
type Handled = Parameters<Handle>;

interface BatchOptions {
  readonly account: string;
  readonly answer: AnswerInFlight;
  readonly onRefused: (reason: 'answers of one batch') => void;
}

/**
 * Lets a server answer the requests of a batch a few at a time, each when it is the account's turn. When the answers have so many bytes that no
 * more are made, the other requests get an error that says so, and nothing is asked for them.
 */
export function inBatches<Batched extends McpServer | Server>(
  server: Batched,
  options: BatchOptions,
): Batched {
  const connect = server.connect.bind(server);
  server.connect = async (transport: Transport) => {
    await connect(transport);
    const batch = new Batch(transport, options);
    transport.onmessage = (...received) => batch.take(received);
  };
  return server;
}

class Batch {
  readonly #options: BatchOptions;
  readonly #handle: Handle;
  readonly #send: Transport['send'];
  #waiting: Handled[] = [];
  /** How many requests of each id are being answered: nobody keeps a client from sending the same id twice. */
  readonly #running = new Map<unknown, number>();

  constructor(transport: Transport, options: BatchOptions) {
    this.#options = options;
    this.#handle = transport.onmessage as Handle;
    this.#send = transport.send.bind(transport);
    transport.send = async (message, sending) => {
      try {
        await this.#send(message, sending);
      } finally {
        if (!('method' in message)) this.#ended(message.id);
      }
    };
    const closed = transport.onclose;
    transport.onclose = () => {
      this.#waiting = [];
      closed?.();
    };
  }

  take(received: Handled): void {
    const [message] = received;
    if ('method' in message && 'id' in message) {
      this.#waiting.push(received);
      this.#begin();
      return;
    }
    this.#handle(...received);
    // What is cancelled is not answered.
    const cancelled = 'method' in message && message.method === 'notifications/cancelled';
    if (cancelled) this.#ended((message.params as { requestId?: unknown } | undefined)?.requestId);
  }

  #begin(): void {
    while (this.#waiting.length > 0 && this.#inAll() < AT_ONCE) {
      const [message, extra] = this.#waiting.shift() as Handled;
      const { id } = message as { readonly id: unknown };
      this.#running.set(id, (this.#running.get(id) ?? 0) + 1);
      mainThread
        .run(
          this.#options.account,
          onePiece(() => this.#answer(message, extra)),
        )
        .catch(() => this.#ended(id));
    }
  }

  #answer(message: JSONRPCMessage, extra: Handled[1]): void {
    const { answer, onRefused } = this.#options;
    if (answer.bytes < MOST_BYTES_OF_BATCH) {
      this.#handle(message, extra);
      return;
    }
    onRefused('answers of one batch');
    const { id } = message as { readonly id: string };
    const reply = refused({ jsonrpc: '2.0', id, result: {} }, 'answers of one batch');
    const ended = () => this.#ended(id);
    // Where it cannot be sent, nobody waits for it any more.
    this.#send(reply).then(ended, ended);
  }

  #inAll(): number {
    return [...this.#running.values()].reduce((sum, count) => sum + count, 0);
  }

  #ended(id: unknown): void {
    const left = (this.#running.get(id) ?? 0) - 1;
    if (left > 0) this.#running.set(id, left);
    else this.#running.delete(id);
    this.#begin();
  }
}
