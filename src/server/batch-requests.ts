import { type McpServer, ProtocolErrorCode, type Server, type Transport } from '@modelcontextprotocol/server';
import { mainThread, onePiece } from '../main-thread/turns.ts';
import type { AnswerInFlight } from './answers-in-flight.ts';
import { refused } from './bounded-answers.ts';

/** Messages of one batch that are answered at the same time. */
const AT_ONCE = 4;
/**
 * The most bytes of a batch's answers: as much as the longest single answer has. What is under way is counted
 * as it was for the same request before in this batch, so that nothing is begun that has no room.
 */
const MOST_BYTES_OF_BATCH = 5_000_000;

const TAKEN_BACK = {
  code: ProtocolErrorCode.InvalidRequest,
  message: 'another message of this batch took this one back before it was begun; nothing was asked for it',
};

type Handle = NonNullable<Transport['onmessage']>;
type Handled = Parameters<Handle>;

interface BatchOptions {
  readonly account: string;
  readonly answer: AnswerInFlight;
  readonly onRefused: (reason: 'answers of one batch') => void;
}

/**
 * Lets a server answer the requests of a batch a few at a time, each when it is the account's turn. Once the
 * answers have too many bytes, the other requests get an error that says so, and nothing is asked for them.
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
  /**
   * Requests that have begun and are not answered. Each is answered once, whatever its id: a client may send
   * the same id twice.
   */
  #running = 0;
  /** The bytes of answers that do not depend on a question, such as `tools/list`, by what was asked. */
  readonly #known = new Map<string, number>();
  /** What has begun of these, by the id. */
  readonly #expected: { readonly id: unknown; readonly asked: string; readonly bytes: number }[] = [];

  constructor(transport: Transport, options: BatchOptions) {
    this.#options = options;
    this.#handle = transport.onmessage as Handle;
    this.#send = transport.send.bind(transport);
    transport.send = async (message, sending) => {
      const before = options.answer.bytes;
      try {
        const sent = this.#send(message, sending);
        if (!('method' in message)) this.#learn(message.id, options.answer.bytes - before);
        await sent;
      } finally {
        if (!('method' in message)) this.#ended();
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
    } else if ('method' in message && message.method === 'notifications/cancelled') {
      this.#takeBack((message.params as { requestId?: unknown } | undefined)?.requestId);
    } else {
      this.#handle(...received);
    }
  }

  /**
   * A request that has not begun is answered by an error: the response of HTTP ends when each request of the
   * batch is answered. One that has begun goes on, and keeps its place until it is answered. The SDK is told
   * of neither, since it would answer them never.
   */
  #takeBack(cancelled: unknown): void {
    const isCancelled = ([message]: Handled) => 'id' in message && message.id === cancelled;
    const takenBack = this.#waiting.filter(isCancelled);
    this.#waiting = this.#waiting.filter((received) => !isCancelled(received));
    for (const [message] of takenBack) {
      const { id } = message as { readonly id: string };
      this.#send({ jsonrpc: '2.0', id, error: TAKEN_BACK }).catch(() => {});
    }
  }

  #begin(): void {
    while (this.#waiting.length > 0 && this.#running < AT_ONCE) {
      this.#running += 1;
      mainThread
        .run(
          this.#options.account,
          onePiece(() => this.#answerNext()),
        )
        .catch(() => this.#ended());
    }
  }

  /**
   * Takes the next request when its turn has come, so that a request taken back meanwhile is not among those
   * that wait.
   */
  #answerNext(): void {
    const { answer, onRefused } = this.#options;
    const received = this.#waiting.shift();
    if (received === undefined) {
      this.#ended();
      return;
    }
    const asked = askedIn(received);
    const bytes = (asked === null ? null : this.#known.get(asked)) ?? 0;
    const underWay = this.#expected.reduce((sum, one) => sum + one.bytes, 0);
    if (answer.bytes + underWay + bytes < MOST_BYTES_OF_BATCH) {
      const { id } = received[0] as { readonly id: string };
      if (asked !== null) this.#expected.push({ id, asked, bytes });
      this.#handle(...received);
      return;
    }
    onRefused('answers of one batch');
    const { id } = received[0] as { readonly id: string };
    const reply = refused({ jsonrpc: '2.0', id, result: {} }, 'answers of one batch');
    const ended = () => this.#ended();
    // Where it cannot be sent, nobody waits for it any more.
    this.#send(reply).then(ended, ended);
  }

  #learn(id: unknown, bytes: number): void {
    const place = this.#expected.findIndex((one) => one.id === id);
    const [expected] = place < 0 ? [] : this.#expected.splice(place, 1);
    if (expected !== undefined) this.#known.set(expected.asked, bytes);
  }

  #ended(): void {
    this.#running -= 1;
    this.#begin();
  }
}

/**
 * What is asked where the answer is the same each time; null of a call, whose answer depends on its
 * arguments.
 */
function askedIn([message]: Handled): string | null {
  const { method, params } = message as { readonly method: string; readonly params?: { uri?: unknown } };
  return method === 'tools/call' ? null : JSON.stringify([method, params?.uri]);
}
