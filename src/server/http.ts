import { finished } from 'node:stream';
import type { HttpBindings } from '@hono/node-server';
import {
  type AuthInfo,
  createMcpHandler,
  getOAuthProtectedResourceMetadataUrl,
  hostHeaderValidationResponse,
  localhostAllowedHostnames,
  type McpServer,
  originValidationResponse,
  type Server,
} from '@modelcontextprotocol/server';
import { Hono } from 'hono';
import { cors } from 'hono/cors';
import { routePath } from 'hono/route';
import type { Logger } from 'pino';
import { type Caller, grantedCaller } from '../control/callers.ts';
import type { ControlDatabase } from '../control/database.ts';
import { GrantUses } from '../control/grant-uses.ts';
import { hideUnexpected } from '../mcp/unexpected-error.ts';
import { SCOPE } from '../oauth/scopes.ts';
import { type AnswerInFlight, AnswersInFlight } from './answers-in-flight.ts';
import { createAuthentication, grantOf } from './authentication.ts';
import { boundAnswers, REFUSAL_TEXTS } from './bounded-answers.ts';
import { ByteBudget, type ByteLimits } from './byte-budget.ts';
import type { Metrics } from './metrics.ts';
import { mendVersionHeader } from './protocol-version.ts';
import { RateLimit } from './rate-limit.ts';
import { Refusals } from './refusals.ts';
import { BODY_LIMITS, readJson, refusal } from './request-body.ts';
import { createSignIn, type SignInOptions } from './sign-in.ts';

export interface HttpOptions extends Omit<SignInOptions, 'mcpUrl'> {
  readonly control: ControlDatabase;
  /** Makes what answers one request, for the caller of its token. */
  readonly mcpServer: (caller: Caller) => McpServer | Server;
  readonly log: Logger;
  /** Where clients reach this server; never taken from a request. */
  readonly baseUrl: string;
  /** Hostnames of web pages that may call `/mcp` from a browser, beside the server's own. */
  readonly allowedOrigins: readonly string[];
  /** JSON-RPC messages per minute and account; a request may hold several. */
  readonly rateLimit: number;
  readonly maxRequestBytes: number;
  readonly metrics: Metrics;
  /** What waits for clients that read; without: as the class says. */
  readonly answers?: AnswersInFlight;
  /** Of what is read of requests; without: as usual. */
  readonly bodyLimits?: ByteLimits;
}

export interface HttpService {
  readonly fetch: (request: Request, bindings: HttpBindings) => Response | Promise<Response>;
  close(): Promise<void>;
}

/** `POST /mcp`, the metadata that leads a client to its sign-in, the sign-in, and `GET /healthz`. */
export function createHttpService(options: HttpOptions): HttpService {
  const { control, mcpServer, log, metrics, baseUrl, authUrl } = options;
  const mcpUrl = new URL(`${baseUrl}/mcp`);
  const answers = options.answers ?? new AnswersInFlight();
  const bodies = new ByteBudget(options.bodyLimits ?? BODY_LIMITS);
  const refusals = new Refusals(log, metrics);
  metrics.addGauge(
    'requests_in_flight',
    'Requests to /mcp that are read, asked or answered',
    () => answers.requests,
  );
  metrics.addGauge('answer_bytes_in_flight', 'Answers that clients have not taken yet', () => answers.bytes);
  const mcp = createMcpHandler(
    ({ authInfo }) => {
      const caller = grantedCaller(control, grantOf(authInfo));
      return boundAnswers(mcpServer(caller), answerOf(authInfo), (reason) =>
        refusals.add(reason, caller.name),
      );
    },
    { onerror: (error) => log.debug({ err: error }, 'request refused') },
  );
  const uses = new GrantUses(control, (error) =>
    log.warn({ err: error }, 'when connections were last used cannot be recorded; trying again in a minute'),
  );
  const authenticate = createAuthentication({
    control,
    uses,
    log,
    origin: { issuer: authUrl, audience: mcpUrl.href },
    resourceMetadataUrl: getOAuthProtectedResourceMetadataUrl(mcpUrl),
  });
  const limit = new RateLimit(options.rateLimit);
  const signIn = createSignIn({ ...options, mcpUrl: mcpUrl.href });
  const hosts = [mcpUrl.hostname, ...localhostAllowedHostnames()];
  const origins = [...hosts, ...options.allowedOrigins];

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

  app.use('/mcp', async ({ req }, next) => {
    return (
      hostHeaderValidationResponse(req.raw, hosts) ?? originValidationResponse(req.raw, origins) ?? next()
    );
  });
  app.use(
    '/mcp',
    cors({
      origin: (origin) => origin,
      allowMethods: ['POST'],
      allowHeaders: [
        'Authorization',
        'Content-Type',
        'Accept',
        'MCP-Protocol-Version',
        'Mcp-Method',
        'Mcp-Name',
      ],
      exposeHeaders: ['WWW-Authenticate', 'Retry-After'],
    }),
  );
  app.all('/mcp', async ({ req, redirect, env: { outgoing } }) => {
    // A person who opens the URL in a browser is shown how to connect an app.
    if (req.method === 'GET' && req.header('Accept')?.includes('text/html')) return redirect(signIn.guideUrl);
    const authInfo = await authenticate(req.raw);
    if (authInfo instanceof Response) return authInfo;
    const { account_id } = grantOf(authInfo);
    const answer = answers.open(account_id, () => {
      refusals.add('answer not taken in time', account_id);
      // Closing alone would leave the system's buffers full until the client goes.
      outgoing.socket?.resetAndDestroy();
    });
    if (typeof answer === 'string') {
      refusals.add(answer, account_id);
      return refusal(answer === 'memory for answers' ? 503 : 429, -32000, REFUSAL_TEXTS[answer], {
        'Retry-After': '5',
      });
    }
    finished(outgoing, answer.close);
    const body = await readJson(req.raw, {
      maxBytes: options.maxRequestBytes,
      budget: bodies,
      accountId: account_id,
    });
    if (body instanceof Response) {
      if (body.status === 413) refusals.add('request too large', account_id);
      if (body.status === 503) refusals.add('memory for requests', account_id);
      return body;
    }
    const messages = Array.isArray(body.json) ? Math.max(1, body.json.length) : 1;
    const waitSeconds = await limit.secondsToWait(account_id, messages);
    if (waitSeconds > 0) {
      refusals.add('rate limit', account_id);
      return tooManyRequests(waitSeconds);
    }
    const request = mendVersionHeader(req.raw, body.json, log);
    const extra = { ...authInfo.extra, answer };
    return mcp.fetch(request, { authInfo: { ...authInfo, extra }, parsedBody: body.json });
  });
  app.route('/', signIn.app);
  app.get('/', (context) => context.redirect(signIn.startUrl));
  app.notFound((context) => context.json({ error: `nothing here; the MCP endpoint is ${mcpUrl.href}` }, 404));
  app.onError((error, context) => context.json({ error: hideUnexpected(log, error, 'request failed') }, 500));
  const close = async () => {
    await mcp.close();
    await uses.settled();
  };
  return { fetch: app.fetch, close };
}

function answerOf(authInfo: AuthInfo | undefined): AnswerInFlight {
  if (authInfo?.extra?.answer === undefined)
    throw new Error('a request that nobody counts reached the MCP server');
  return authInfo.extra.answer as AnswerInFlight;
}

function tooManyRequests(waitSeconds: number): Response {
  const message = `too many requests; try again in ${waitSeconds} s`;
  return refusal(429, -32000, message, { 'Retry-After': String(waitSeconds) });
}
