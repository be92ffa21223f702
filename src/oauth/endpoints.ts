import { IncomingMessage } from 'node:http';
import type { HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { type Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { cors } from 'hono/cors';
import { errors } from 'oidc-provider';
import { type AuthorizationServer, issuerPath } from './authorization-server.ts';
import { normaliseClientMetadata } from './client-metadata.ts';
import type { RenderError } from './configuration.ts';
import { otherResource } from './protected-resource.ts';
import { readAuthorization, readTokenRequest } from './read-requests.ts';
import { leadsToAnApp } from './redirect-uris.ts';
import { ROUTES, serverMetadata } from './server-metadata.ts';

export interface EndpointOptions {
  readonly issuer: string;
  /** The MCP URL: what tokens are for. */
  readonly resource: string;
  readonly authorizationServer: AuthorizationServer;
  /** Sent with every answer, since some are pages. */
  readonly headers: Readonly<Record<string, string>>;
  /** The page that tells a person what went wrong. */
  readonly renderError: RenderError;
  /** Seconds that an address must wait before it may ask again; 0 when it need not. */
  secondsToWait(context: Context, what: 'authorize' | 'token' | 'register'): number;
}

type NodeContext = Context<{ Bindings: HttpBindings }>;

const LARGEST_REGISTRATION = 8 * 1024;
/** The most bytes of metadata that are kept. */
const LARGEST_METADATA = 4 * 1024;
const LONGEST_AUTHORIZATION = 8 * 1024;
/** What oidc-provider reads; a client that proves itself by a signed assertion sends some kilobytes. */
const LARGEST_TOKEN_REQUEST = 56 * 1024;
const FORM = 'application/x-www-form-urlencoded';

/** No cookie counts where clients ask by themselves, so a page of any origin may be a client. */
const OPEN = { origin: '*', exposeHeaders: ['WWW-Authenticate', 'Retry-After'], maxAge: 3600 };
const OPEN_HEADERS = {
  'Access-Control-Allow-Origin': OPEN.origin,
  'Access-Control-Expose-Headers': OPEN.exposeHeaders.join(', '),
};

/** The endpoints of the authorization server, and the documents that lead to them. */
export function createEndpoints(options: EndpointOptions): Hono<{ Bindings: HttpBindings }> {
  const { issuer, resource, authorizationServer } = options;
  const prefix = issuerPath(issuer);
  const app = new Hono<{ Bindings: HttpBindings }>();

  const pass = async (context: NodeContext, path: string, request = context.env.incoming) => {
    const { outgoing } = context.env;
    // TRICKY: Hono asks GET for HEAD and answers once more, when oidc-provider has answered already.
    if (context.req.method === 'HEAD') return context.body(null, 405, { Allow: 'GET' });
    const isPage = path.startsWith(ROUTES.authorization);
    for (const [name, value] of Object.entries({ ...options.headers, ...(isPage ? {} : OPEN_HEADERS) })) {
      outgoing.setHeader(name, value);
    }
    await authorizationServer.handle(request, outgoing, path);
    return RESPONSE_ALREADY_SENT;
  };
  const limited = (context: NodeContext, what: 'authorize' | 'token' | 'register') => {
    const seconds = options.secondsToWait(context, what);
    return seconds === 0 ? null : tooManyRequests(seconds);
  };

  addDocuments(app, options);
  app.use(`${prefix}${ROUTES.jwks}`, cors(OPEN));
  app.get(`${prefix}${ROUTES.jwks}`, async (context) => context.json(await authorizationServer.jwks()));
  for (const route of [ROUTES.token, ROUTES.registration, ROUTES.revocation, ROUTES.introspection]) {
    app.options(`${prefix}${route}`, cors(OPEN));
  }

  app.get(
    `${prefix}${ROUTES.authorization}`,
    async (context, next) => {
      const wrong = whatIsWrongWithAuthorization(context.req.url);
      if (wrong === null) return next();
      for (const [name, value] of Object.entries(options.headers)) context.header(name, value);
      return context.html(
        await options.renderError(context.req.header('Accept-Language'), 'invalid_request', wrong),
        400,
      );
    },
    async (context) => {
      const refused = limited(context, 'authorize');
      if (refused !== null) return refused;
      const query = readAuthorization(new URL(context.req.url).searchParams, resource);
      return pass(context, `${ROUTES.authorization}?${query}`);
    },
  );
  app.get(`${prefix}${ROUTES.authorization}/:uid`, (context) =>
    pass(context, `${ROUTES.authorization}/${encodeURIComponent(context.req.param('uid'))}`),
  );
  app.post(
    `${prefix}${ROUTES.token}`,
    bodyLimit({
      maxSize: LARGEST_TOKEN_REQUEST,
      onError: () =>
        oauthError(400, 'invalid_request', `the request is longer than ${LARGEST_TOKEN_REQUEST} bytes`),
    }),
    async (context) => limited(context, 'token') ?? answerTokenRequest(context),
  );
  for (const route of [ROUTES.revocation, ROUTES.introspection]) {
    app.post(`${prefix}${route}`, async (context) => limited(context, 'token') ?? pass(context, route));
  }
  app.post(
    `${prefix}${ROUTES.registration}`,
    bodyLimit({ maxSize: LARGEST_REGISTRATION, onError: () => refuseRegistration('it is too large', 413) }),
    async (context) => limited(context, 'register') ?? register(context),
  );

  async function answerTokenRequest(context: NodeContext): Promise<Response> {
    if (!context.req.header('Content-Type')?.toLowerCase().startsWith(FORM))
      return pass(context, ROUTES.token);
    const body = await context.req.text().catch(() => null);
    if (body === null) return oauthError(400, 'invalid_request', 'the request ended before its body did');
    const read = readTokenRequest(new URLSearchParams(body), resource);
    if (read === null) return oauthError(400, 'invalid_target', otherResource(resource));
    return pass(context, ROUTES.token, withBody(context.env.incoming, FORM, String(read)));
  }

  async function register(context: NodeContext): Promise<Response> {
    const metadata = await context.req.json().catch(() => undefined);
    if (metadata === undefined) return refuseRegistration('it is not JSON');
    try {
      const kept = normaliseClientMetadata(metadata);
      if (JSON.stringify(kept).length > LARGEST_METADATA) return refuseRegistration('it is too large', 413);
      const request = withBody(context.env.incoming, 'application/json', JSON.stringify(kept));
      return await pass(context, ROUTES.registration, request);
    } catch (error) {
      if (!(error instanceof errors.InvalidClientMetadata)) throw error;
      return oauthError(400, error.message, error.error_description ?? error.message);
    }
  }
  return app;
}

/** The documents that tell a client where the endpoints are. */
function addDocuments(app: Hono<{ Bindings: HttpBindings }>, { issuer }: EndpointOptions): void {
  const prefix = issuerPath(issuer);
  // RFC 8414 puts the name before the issuer's path and OpenID Connect after it; clients try both with both
  // names, and old ones know of no path.
  const documents = ['oauth-authorization-server', 'openid-configuration'].flatMap((name) => [
    `/.well-known/${name}`,
    `/.well-known/${name}${prefix}`,
    `${prefix}/.well-known/${name}`,
  ]);
  for (const path of new Set(documents)) {
    app.use(path, cors(OPEN));
    app.get(path, (context) => context.json(serverMetadata(issuer)));
  }
}

/**
 * What is wrong with a request for authorization. Each request is kept until its person answers or is late,
 * and its app may be one that an older version took.
 */
function whatIsWrongWithAuthorization(url: string): string | null {
  if (url.length > LONGEST_AUTHORIZATION) return 'it is too long';
  const [redirectUri] = new URL(url).searchParams.getAll('redirect_uri').map((uri) => URL.parse(uri));
  return redirectUri && !leadsToAnApp(redirectUri) ? 'redirect_uri leads to no app' : null;
}

/** The same request with another body, as a stream that can still be read. */
function withBody(incoming: IncomingMessage, type: string, text: string): IncomingMessage {
  const body = Buffer.from(text);
  const request = new IncomingMessage(incoming.socket);
  request.method = incoming.method ?? 'POST';
  request.headers = {
    ...incoming.headers,
    'content-type': type,
    'content-length': String(body.length),
  };
  delete request.headers['transfer-encoding'];
  // TRICKY: a request that is not complete takes its connection with it when it ends.
  request.complete = true;
  request.push(body);
  request.push(null);
  return request;
}

function tooManyRequests(seconds: number): Response {
  return oauthError(429, 'temporarily_unavailable', `too many requests; try again in ${seconds} s`, {
    'Retry-After': String(seconds),
  });
}

function refuseRegistration(why: string, status = 400): Response {
  return oauthError(status, 'invalid_client_metadata', `the registration cannot be read: ${why}`);
}

function oauthError(
  status: number,
  error: string,
  error_description: string,
  headers: Record<string, string> = {},
): Response {
  return Response.json(
    { error, error_description },
    { status, headers: { ...OPEN_HEADERS, 'Cache-Control': 'no-store', ...headers } },
  );
}
