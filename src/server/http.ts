import { finished } from 'node:stream';
import type { HttpBindings } from '@hono/node-server';
import { localhostAllowedHostnames } from '@modelcontextprotocol/server';
import { Hono, type MiddlewareHandler } from 'hono';
import { cors } from 'hono/cors';
import { routePath } from 'hono/route';
import { WindowCounts } from '../control/limits/window-counts.ts';
import { OperatorError } from '../errors.ts';
import type { FindHook } from '../live/find-webhook.ts';
import { logRefusal } from '../mcp/public-error.ts';
import { hideUnexpected } from '../mcp/unexpected-error.ts';
import { SCOPE } from '../oauth/scopes.ts';
import { refuseForeign } from './foreign-requests.ts';
import { McpEndpoint, type McpEndpointOptions } from './mcp-endpoint.ts';
import { SESSION_HEADER } from './picture-sessions.ts';
import { createSignIn, type SignInOptions } from './sign-in.ts';
import { createHooks } from './webhook-requests.ts';

export interface HttpOptions
  extends Omit<SignInOptions, 'mcpUrl' | 'messages'>,
    Omit<McpEndpointOptions, 'messages'> {
  /**
   * JSON-RPC messages per minute and account; a request may hold several, and a page with numbers counts as
   * some.
   */
  readonly rateLimit: number;
  /** The address at which clients reach this server. It is never taken from a request. */
  readonly baseUrl: string;
  /** Other hostnames by which clients reach `/mcp`, for example from a container. */
  readonly allowedHosts: readonly string[];
  /** Hostnames of web pages that may call `/mcp` from a browser, beside the server's own. */
  readonly allowedOrigins: readonly string[];
  /** Takes what vendors tell of changes; without, none is taken. */
  readonly findHook?: FindHook;
}

export interface HttpService {
  readonly fetch: (request: Request, bindings: HttpBindings) => Response | Promise<Response>;
  close(): Promise<void>;
}

/** What a client in a browser may send. */
const CLIENT_HEADERS = [
  'Authorization',
  'Content-Type',
  'Accept',
  'MCP-Protocol-Version',
  'Mcp-Method',
  'Mcp-Name',
];

/** `POST /mcp`, the metadata that leads a client to its sign-in, the sign-in, and `GET /healthz`. */
export function createHttpService(options: HttpOptions): HttpService {
  const { log, metrics, baseUrl, authUrl } = options;
  const mcpUrl = new URL(`${baseUrl}/mcp`);
  const messages = new WindowCounts(options.rateLimit, { minutes: 1 });
  const mcp = new McpEndpoint(mcpUrl, { ...options, messages });
  const signIn = createSignIn({ ...options, messages, mcpUrl: mcpUrl.href });
  const own = [mcpUrl.hostname, ...localhostAllowedHostnames()];
  const known = {
    hosts: [...own, ...options.allowedHosts],
    origins: [...own, ...options.allowedOrigins],
  };

  // People paste the URL with a slash at its end too.
  const app = new Hono<{ Bindings: HttpBindings }>({ strict: false });
  app.use(async (context, next) => {
    const startedAt = performance.now();
    await next();
    const { outgoing } = context.env;
    if (!outgoing.headersSent) context.header('X-Content-Type-Options', 'nosniff');
    // The route and not the path, which may hold a one-time link.
    const [method, route] = [context.req.method, routePath(context, -1)];
    const status = outgoing.headersSent ? outgoing.statusCode : context.res.status;
    log.debug({ method, route, status }, 'request');
    finished(outgoing, () => {
      metrics.observeRequest({ method, route, status, seconds: (performance.now() - startedAt) / 1000 });
    });
  });
  app.get('/healthz', (context) => context.json({ status: 'ok' }));

  const metadata = {
    resource: mcpUrl.href,
    authorization_servers: [authUrl],
    scopes_supported: [SCOPE],
    bearer_methods_supported: ['header'],
    resource_name: 'Storesight',
  };
  for (const path of ['/.well-known/oauth-protected-resource', '/.well-known/oauth-protected-resource/mcp']) {
    app.use(path, cors());
    app.get(path, (context) => context.json(metadata));
  }

  app.use('/mcp', async ({ req }, next) => refuseForeign(req.raw, known) ?? next());
  const [usual, withSession] = [CLIENT_HEADERS, [...CLIENT_HEADERS, SESSION_HEADER]].map((allowHeaders) =>
    cors({
      origin: (origin) => origin,
      allowMethods: ['POST'],
      allowHeaders,
      exposeHeaders: ['WWW-Authenticate', 'Retry-After'],
    }),
  ) as [MiddlewareHandler, MiddlewareHandler];
  app.use('/mcp', async (context, next) => {
    const asked = context.req.header('Access-Control-Request-Headers')?.toLowerCase();
    const isAsked = asked?.includes(SESSION_HEADER.toLowerCase()) === true;
    const response = await (isAsked ? withSession : usual)(context, next);
    const exposed = 'Access-Control-Expose-Headers';
    if (context.res.headers.has(SESSION_HEADER)) context.header(exposed, SESSION_HEADER, { append: true });
    return response;
  });
  app.all('/mcp', async ({ req, redirect, env }) => {
    // A person who opens the URL in a browser is shown how to connect an app.
    if (req.method === 'GET' && req.header('Accept')?.includes('text/html')) return redirect(signIn.guideUrl);
    return mcp.answer(req.raw, env.outgoing);
  });
  app.route('/', createHooks({ ...options, findHook: options.findHook ?? null }));
  app.route('/', signIn.app);
  app.get('/', (context) => context.redirect(signIn.startUrl));
  app.notFound((context) =>
    context.req.header('Accept')?.includes('text/html')
      ? signIn.showNoSuchPage(context)
      : context.json({ error: `nothing here; the MCP endpoint is ${mcpUrl.href}` }, 404),
  );
  app.onError((error, context) => {
    if (!(error instanceof OperatorError))
      return context.json({ error: hideUnexpected(log, error, 'request failed') }, 500);
    logRefusal(log, error, {}, 'request refused');
    return context.json({ error: error.message }, 503, { 'Retry-After': '5' });
  });
  return { fetch: app.fetch, close: () => mcp.close() };
}
