import { once } from 'node:events';
import {
  Agent,
  createServer,
  type IncomingMessage,
  request as open,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** One of the servers that a balancer asks. */
interface Upstream {
  readonly origin: URL;
  isUp: boolean;
  failures: number;
  /** Ends what is asked there: it is asked of another one then. */
  readonly asked: Set<() => void>;
}

const CHECK_MS = 250;
/** A check that is not answered by then failed: a machine without a cable says nothing. */
const ANSWERS_WITHIN_MS = 3000;
const FAILURES_TO_BE_DOWN = 2;
/** How long the balancer waits for a server when there is none. */
const GIVE_UP_MS = 120_000;

/**
 * What docs/scaling-out.md asks of a load balancer, and no more: each request goes to the server that has the
 * fewest; one whose connection breaks before the answer begins goes to another; a server whose checks fail is
 * asked nothing, and what was asked of it goes to another.
 */
export class Balancer implements AsyncDisposable {
  /** Requests that were asked again, of another server. */
  repeated = 0;
  /** Answers that broke after they had begun: only the client can ask again. */
  broken = 0;
  /** How many requests each server answered. */
  readonly answered = new Map<string, number>();
  readonly #host: string;
  readonly #upstreams: Upstream[];
  readonly #agent = new Agent({ keepAlive: true });
  readonly #server: Server;
  readonly #checking: NodeJS.Timeout;

  private constructor(host: string, origins: readonly string[]) {
    this.#host = host;
    this.#upstreams = origins.map((origin) => ({
      origin: new URL(origin),
      isUp: true,
      failures: 0,
      asked: new Set(),
    }));
    this.#server = createServer((incoming, outgoing) => void this.#pass(incoming, outgoing));
    // Clients keep theirs for a shorter time: one that is closed as a request comes looks like a lost answer.
    this.#server.keepAliveTimeout = 125_000;
    this.#checking = setInterval(() => {
      for (const upstream of this.#upstreams) void this.#check(upstream);
    }, CHECK_MS);
  }

  /** @param host the name by which clients reach the servers, as they are told */
  static async open(host: string, origins: readonly string[]): Promise<Balancer> {
    const balancer = new Balancer(host, origins);
    balancer.#server.listen(0, '127.0.0.1');
    await once(balancer.#server, 'listening');
    return balancer;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/mcp`;
  }

  isUp(origin: string): boolean {
    return this.#upstreams.some((upstream) => upstream.origin.origin === origin && upstream.isUp);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#checking);
    this.#server.closeAllConnections();
    this.#server.close();
    this.#agent.destroy();
  }

  async #pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const body = await buffer(incoming);
    const tried = new Set<Upstream>();
    const end = performance.now() + GIVE_UP_MS;
    while (performance.now() < end && !outgoing.destroyed) {
      const upstream = this.#choose(tried);
      if (upstream === null) {
        tried.clear();
        await new Promise((resolve) => setTimeout(resolve, CHECK_MS));
        continue;
      }
      if (await this.#ask(upstream, incoming, body, outgoing)) return;
      tried.add(upstream);
      this.repeated += 1;
    }
    outgoing.writeHead(503).end();
  }

  #choose(tried: ReadonlySet<Upstream>): Upstream | null {
    const up = this.#upstreams.filter((upstream) => upstream.isUp && !tried.has(upstream));
    return up.sort((one, other) => one.asked.size - other.asked.size)[0] ?? null;
  }

  /** Whether an answer began; it then goes to the client to its end, or to where it breaks. */
  async #ask(
    upstream: Upstream,
    { url, method, headers }: IncomingMessage,
    body: Buffer,
    outgoing: ServerResponse,
  ): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const asked = open(new URL(url ?? '/', upstream.origin), {
      method,
      agent: this.#agent,
      headers: { ...headers, host: this.#host, 'x-forwarded-for': '127.0.0.1', 'x-forwarded-proto': 'https' },
    });
    const abandon = () => asked.destroy();
    upstream.asked.add(abandon);
    outgoing.once('close', abandon);
    asked.once('close', () => {
      upstream.asked.delete(abandon);
      outgoing.off('close', abandon);
    });
    asked.once('error', () => resolve(false));
    asked.once('response', (answer: IncomingMessage) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
      answer.once('error', () => {
        this.broken += 1;
        outgoing.destroy();
      });
      answer.once('end', () =>
        this.answered.set(upstream.origin.origin, (this.answered.get(upstream.origin.origin) ?? 0) + 1),
      );
      resolve(true);
    });
    asked.end(body);
    return promise;
  }

  async #check(upstream: Upstream): Promise<void> {
    const signal = AbortSignal.timeout(ANSWERS_WITHIN_MS);
    const isWell = await fetch(new URL('/healthz', upstream.origin), { signal }).then(
      async (response) => (await response.text()) !== '' && response.ok,
      () => false,
    );
    upstream.failures = isWell ? 0 : upstream.failures + 1;
    upstream.isUp = isWell || (upstream.isUp && upstream.failures < FAILURES_TO_BE_DOWN);
    if (!upstream.isUp) for (const abandon of upstream.asked) abandon();
  }
}
