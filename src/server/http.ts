import {
  type AuthInfo,
  createMcpHandler,
  getOAuthProtectedResourceMetadataUrl,
  hostHeaderValidationResponse,
  localhostAllowedHostnames,
  OAuthError,
  OAuthErrorCode,
  originValidationResponse,
  requireBearerAuth,
} from '@modelcontextprotocol/server';
import { type Context, Hono } from 'hono';
import { cors } from 'hono/cors';
import type { Logger } from 'pino';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { grantedCaller } from '../control/callers.ts';
import type { ControlDatabase } from '../control/database.ts';
import { findGrant, type Grant } from '../control/grants.ts';
import { verifyToken } from '../control/tokens.ts';
import { createMcpServer } from '../mcp/mcp-server.ts';
import type { ToolEnvironment } from '../mcp/run-tool.ts';

export interface HttpOptions {
  readonly control: ControlDatabase;
  readonly environment: ToolEnvironment;
  readonly log: Logger;
  /** Where clients reach this server; never taken from a request. */
  readonly baseUrl: string;
  readonly authUrl: string;
  /** Hostnames of web pages that may call `/mcp` from a browser, beside the server's own. */
  readonly allowedOrigins: readonly string[];
  /** Requests per minute and account. */
  readonly rateLimit: number;
  readonly maxRequestBytes: number;
}

export interface HttpService {
  readonly fetch: (request: Request) => Response | Promise<Response>;
  close(): Promise<void>;
}

const SCOPE = 'mcp';

/** `POST /mcp`, the metadata that leads a client to its sign-in, and `GET /healthz`. */
export function createHttpService(options: HttpOptions): HttpService {
  const { control, environment, log, baseUrl } = options;
  const mcpUrl = new URL(`${baseUrl}/mcp`);
  const mcp = createMcpHandler(
    ({ authInfo }) => createMcpServer(environment, grantedCaller(control, grantOf(authInfo)), log),
    {
      maxRequestBodySize: options.maxRequestBytes,
      onerror: (error) => log.debug({ err: error }, 'request refused'),
    },
  );
  const authenticate = requireBearerAuth({
    verifier: { verifyAccessToken: (token) => authenticateToken(control, token) },
    requiredScopes: [SCOPE],
    resourceMetadataUrl: getOAuthProtectedResourceMetadataUrl(mcpUrl),
  });
  const limiter = new RateLimiterMemory({ points: options.rateLimit, duration: 60 });
  const hosts = [mcpUrl.hostname, ...localhostAllowedHostnames()];
  const origins = [...hosts, ...options.allowedOrigins];

  const app = new Hono();
  app.use(async ({ req, res }, next) => {
    await next();
    res.headers.set('X-Content-Type-Options', 'nosniff');
    log.debug({ method: req.method, path: req.path }, 'request');
  });
  app.get('/healthz', (context) => context.json({ status: 'ok' }));

  const metadata = {
    resource: mcpUrl.href,
    authorization_servers: [options.authUrl],
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
  app.all('/mcp', async (context) => {
    const authInfo = await authenticate(context.req.raw);
    if (authInfo instanceof Response) return authInfo;
    const waitSeconds = await secondsToWait(limiter, grantOf(authInfo).account_id);
    if (waitSeconds > 0) return tooManyRequests(context, waitSeconds);
    return mcp.fetch(context.req.raw, { authInfo });
  });
  app.notFound((context) => context.json({ error: `nothing here; the MCP endpoint is ${mcpUrl.href}` }, 404));
  app.onError((error, context) => {
    log.error({ err: error }, 'request failed');
    return context.json({ error: 'internal error' }, 500);
  });
  return { fetch: app.fetch, close: () => mcp.close() };
}

/** The token only names a grant; what it may read is read here, at every request. */
async function authenticateToken(control: ControlDatabase, token: string): Promise<AuthInfo> {
  const verified = await verifyToken(control, token);
  const grant = verified === null ? null : await findGrant(control, verified.grant_id);
  if (verified === null || grant === null || grant.account_id !== verified.account_id) {
    throw new OAuthError(OAuthErrorCode.InvalidToken, 'The access token is invalid, expired or revoked');
  }
  return {
    token,
    clientId: 'command-line',
    scopes: [...verified.scopes],
    expiresAt: verified.expires_at,
    extra: { grant },
  };
}

function grantOf(authInfo: AuthInfo | undefined): Grant {
  if (authInfo?.extra?.grant === undefined)
    throw new Error('a request without a grant reached the MCP server');
  return authInfo.extra.grant as Grant;
}

async function secondsToWait(limiter: RateLimiterMemory, account: string): Promise<number> {
  try {
    await limiter.consume(account);
    return 0;
  } catch (refused) {
    if (refused instanceof RateLimiterRes) return Math.max(1, Math.ceil(refused.msBeforeNext / 1000));
    throw refused;
  }
}

function tooManyRequests(context: Context, waitSeconds: number): Response {
  context.header('Retry-After', String(waitSeconds));
  return context.json(
    {
      jsonrpc: '2.0',
      id: null,
      error: { code: -32000, message: `too many requests; try again in ${waitSeconds} s` },
    },
    429,
  );
}
