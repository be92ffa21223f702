import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { CallObserver } from '../mcp/call-outcome.ts';

/** Seconds; a query is stopped after 30 by default, and may have waited as long before. */
const BUCKETS = [0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 60];
const METHODS = ['GET', 'POST', 'OPTIONS', 'DELETE', 'HEAD'];

/**
 * What this process does, in numbers for Prometheus. Labels are words of the program (a tool, a route, an
 * outcome), so that they are few and say nothing of a business, an account or a person.
 */
export class Metrics {
  readonly #registry = new Registry();
  readonly #calls = new Counter({
    name: 'storesight_tool_calls_total',
    help: 'Calls of tools',
    labelNames: ['tool', 'outcome'],
    registers: [this.#registry],
  });
  readonly #callSeconds = new Histogram({
    name: 'storesight_tool_call_seconds',
    help: 'How long calls of tools took, waiting included',
    labelNames: ['tool'],
    buckets: BUCKETS,
    registers: [this.#registry],
  });
  readonly #requests = new Counter({
    name: 'storesight_http_requests_total',
    help: 'HTTP requests: /mcp, the pages of the sign-in, the authorization server',
    labelNames: ['route', 'method', 'status'],
    registers: [this.#registry],
  });
  readonly #requestSeconds = new Histogram({
    name: 'storesight_http_request_seconds',
    help: 'How long HTTP requests took, until the client had all of the answer',
    labelNames: ['route'],
    buckets: BUCKETS,
    registers: [this.#registry],
  });
  readonly #refusals = new Counter({
    name: 'storesight_refusals_total',
    help: 'Requests and connections that were refused to protect the server',
    labelNames: ['reason'],
    registers: [this.#registry],
  });

  readonly observeCall: CallObserver = ({ tool, outcome, seconds }) => {
    this.#calls.inc({ tool, outcome });
    this.#callSeconds.observe({ tool }, seconds);
  };

  /** @param request.route its pattern, not its path, of which there are too many values for a label */
  observeRequest(request: {
    readonly route: string;
    readonly method: string;
    readonly status: number;
    readonly seconds: number;
  }): void {
    const { route, status, seconds } = request;
    const method = METHODS.includes(request.method) ? request.method : 'other';
    this.#requests.inc({ route, method, status });
    this.#requestSeconds.observe({ route }, seconds);
  }

  observeRefusal(reason: string): void {
    this.#refusals.inc({ reason });
  }

  /** Adds a number that is read when Prometheus asks for it; null: not known. */
  addGauge(name: string, help: string, read: () => number | null | Promise<number | null>): void {
    const gauge = new Gauge({
      name: `storesight_${name}`,
      help,
      registers: [this.#registry],
      collect: async () => {
        // A number that cannot be read now is left out; the others are needed most then.
        const value = await Promise.resolve()
          .then(read)
          .catch(() => null);
        if (value === null) gauge.remove();
        else gauge.set(value);
      },
    });
  }

  /** Memory, processor, event loop and files of the process. */
  addProcess(): void {
    collectDefaultMetrics({ register: this.#registry });
  }

  /** The metrics in Prometheus' text format. */
  text(): Promise<string> {
    return this.#registry.metrics();
  }
}
