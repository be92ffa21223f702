import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import type { CallObserver } from '../mcp/call-outcome.ts';
import { VERSION } from '../version.ts';

/** Spans that wait to be sent; more are left out, and counted. */
const MOST_WAITING = 4096;
const SEND_EVERY_MS = 5000;
const ANSWERED_WITHIN_MS = 10_000;
/** OTLP numbers the kinds of spans; 2 is a server's. */
const SERVER_SPAN = 2;
const ERROR_STATUS = 2;

/** The call was ended by the caller, or because of what the caller asked: that is no error of this server. */
const NO_FAULT_OF_OURS: ReadonlySet<string> = new Set([
  'answered',
  'invalid arguments',
  'no access',
  'cancelled',
]);

interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly Attribute[];
  readonly status: { readonly code?: number };
}

interface Attribute {
  readonly key: string;
  readonly value: { readonly stringValue: string };
}

/**
 * Sends one span for each call of a tool to a collector of OpenTelemetry, as JSON over HTTP (OTLP). A span
 * tells the tool, how the call ended and how long it took: no argument, no answer, no account. Calls never
 * wait for it, and what cannot be sent is left out.
 */
export class TraceExporter {
  readonly #url: URL;
  readonly #log: Logger;
  readonly #timer: NodeJS.Timeout;
  #waiting: Span[] = [];
  #leftOut = 0;
  #sending: Promise<void> = Promise.resolve();

  /** @param collector its address without a path, for example `http://127.0.0.1:4318` */
  constructor(collector: string, log: Logger) {
    this.#url = new URL('/v1/traces', collector);
    this.#log = log;
    this.#timer = setInterval(() => this.#send(), SEND_EVERY_MS).unref();
  }

  readonly observeCall: CallObserver = ({ tool, outcome, seconds, trace }) => {
    // Whoever began the trace decided that it is not recorded.
    if (trace?.isSampled === false) return;
    if (this.#waiting.length >= MOST_WAITING) {
      this.#leftOut += 1;
      return;
    }
    const end = Date.now();
    this.#waiting.push({
      traceId: trace?.traceId ?? randomBytes(16).toString('hex'),
      spanId: randomBytes(8).toString('hex'),
      ...(trace != null && { parentSpanId: trace.parentId }),
      name: `tools/call ${tool}`,
      kind: SERVER_SPAN,
      startTimeUnixNano: nanoseconds(end - 1000 * seconds),
      endTimeUnixNano: nanoseconds(end),
      attributes: attributes({
        'mcp.method.name': 'tools/call',
        'gen_ai.tool.name': tool,
        'storesight.outcome': outcome,
      }),
      status: NO_FAULT_OF_OURS.has(outcome) ? {} : { code: ERROR_STATUS },
    });
  };

  /** Sends what waits. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#send();
    await this.#sending;
  }

  #send(): void {
    this.#sending = this.#sending.then(async () => {
      const spans = this.#waiting;
      if (spans.length === 0) return;
      this.#waiting = [];
      try {
        await post(this.#url, spans);
      } catch (error) {
        this.#leftOut += spans.length;
        this.#log.warn({ err: error, left_out: this.#leftOut }, 'spans cannot be sent to the collector');
      }
    });
  }
}

async function post(url: URL, spans: readonly Span[]): Promise<void> {
  const resource = { attributes: attributes({ 'service.name': 'storesight', 'service.version': VERSION }) };
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      resourceSpans: [{ resource, scopeSpans: [{ scope: { name: 'storesight' }, spans }] }],
    }),
    redirect: 'error',
    signal: AbortSignal.timeout(ANSWERED_WITHIN_MS),
  });
  await response.body?.cancel();
  if (!response.ok) throw new Error(`the collector answered ${response.status}`);
}

/** Whole milliseconds: more digits than a number holds exactly. */
function nanoseconds(ms: number): string {
  return `${Math.round(ms)}000000`;
}

function attributes(values: Readonly<Record<string, string>>): Attribute[] {
  return Object.entries(values).map(([key, value]) => ({ key, value: { stringValue: value } }));
}
