import {
  type AuthInfo,
  createMcpHandler,
  isLegacyRequest,
  type McpHttpHandler,
  type McpServerFactory,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import type { Form } from './accepted-form.ts';

interface Asked {
  readonly form: Form;
  readonly authInfo: AuthInfo;
  /** The JSON of the request; undefined when it has none. */
  readonly parsedBody: unknown;
}

/** A client that is gone reads no status; the log has this one. */
const CLIENT_GONE = 499;

/**
 * The SDK's answers to requests, each in the form that was accepted. The SDK itself wants both, and always
 * streams to clients before 2026-07-28.
 */
export class McpAnswers {
  readonly #factory: McpServerFactory;
  readonly #handlers: Readonly<Record<'whenNeeded' | 'always', McpHttpHandler>>;

  /** @param factory makes what answers one request */
  constructor(factory: McpServerFactory, onerror: (error: Error) => void) {
    this.#factory = factory;
    this.#handlers = {
      whenNeeded: createMcpHandler(factory, { onerror }),
      always: createMcpHandler(factory, { onerror, responseMode: 'sse' }),
    };
  }

  async fetch(request: Request, { form, authInfo, parsedBody }: Asked): Promise<Response> {
    const asked = acceptingBoth(request);
    if (form === 'stream') return this.#handlers.always.fetch(asked, { authInfo, parsedBody });
    const isDocument = form === 'json' || !asksForProgress(parsedBody);
    if (isDocument && parsedBody !== undefined && (await isLegacyRequest(asked, parsedBody)))
      return this.#answerOlder(asked, authInfo, parsedBody);
    return this.#handlers.whenNeeded.fetch(asked, { authInfo, parsedBody });
  }

  /**
   * Answers a request before 2026-07-28 by a stream, as the SDK does, with a server for each that ends with
   * its client.
   */
  async #answerOlder(request: Request, authInfo: AuthInfo, parsedBody: unknown): Promise<Response> {
    const gone = goneFrom(request.signal);
    const server = await this.#factory({ era: 'legacy', authInfo, requestInfo: request });
    try {
      const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
      await server.connect(transport);
      // TRICKY: when the server is closed, the transport never answers what was under way.
      return await Promise.race([transport.handleRequest(request, { authInfo, parsedBody }), gone]);
    } finally {
      await server.close();
    }
  }

  async close(): Promise<void> {
    await Promise.all(Object.values(this.#handlers).map((handler) => handler.close()));
  }
}

/** Whether something may have to be sent before the answer. */
function asksForProgress(body: unknown): boolean {
  return [body].flat().some((message) => {
    const { params } = Object(message) as { params?: unknown };
    const { _meta } = Object(params) as { _meta?: unknown };
    return (Object(_meta) as { progressToken?: unknown }).progressToken !== undefined;
  });
}

/** What was accepted is decided before, so that the SDK need not refuse what it could answer. */
function acceptingBoth(request: Request): Request {
  const headers = new Headers(request.headers);
  headers.set('Accept', 'application/json, text/event-stream');
  return new Request(request.url, { method: request.method, headers, signal: request.signal });
}

function goneFrom(signal: AbortSignal): Promise<Response> {
  return new Promise((resolve) => {
    const answer = () => resolve(new Response(null, { status: CLIENT_GONE }));
    if (signal.aborted) answer();
    else signal.addEventListener('abort', answer, { once: true });
  });
}
