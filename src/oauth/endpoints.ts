import { IncomingMessage } from 'node:http';
import type { HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { type Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { cors } from 'hono/cors';
import { type AuthorizationServer, issuerPath } from './authorization-server.ts';
import { normaliseClientMetadata } from './client-metadata.ts';
import { SCOPE, SCOPES } from './scopes.ts';

export interface EndpointOptions {
  readonly issuer: string;
  readonly authorizationServer: AuthorizationServer;
  /** Sent with every answer, since some are pages. */
  readonly headers: Readonly<Record<string, string>>;
  /** Seconds that an address must wait before it may ask again; 0 when it need not. */
  secondsToWait(context: Context, what: 'oauth' | 'register'): Promise<number>;
}

type NodeContext = Context<{ Bindings: HttpBindings }>;

const LARGEST_REGISTRATION = 32 * 1024;
const DISCOVERY = '/.well-known/openid-configuration';

/** The endpoints of the authorization server, and the documents that lead to them. */
export function createEndpoints(options: EndpointOptions): Hono<{ Bindings: HttpBindings }> {
  const { authorizationServer } = options;
  const prefix = issuerPath(options.issuer);
  const app = new Hono<{ Bindings: HttpBindings }>();

  const pass = async (
    { env: { incoming, outgoing } }: NodeContext,
    path: string,
    request = incoming,
  ): Promise<Response> => {
    for (const [name, value] of Object.entries(options.headers)) outgoing.setHeader(name, value);
    await authorizationServer.handle(request, outgoing, path);
    return RESPONSE_ALREADY_SENT;
  };
  const limited = async (context: NodeContext, what: 'oauth' | 'register') => {
    const seconds = await options.secondsToWait(context, what);
    return seconds === 0 ? null : tooManyRequests(seconds);
  };

  // RFC 8414 puts the name before the issuer's path and OpenID Connect after it; clients try both with both names.
  for (const name of ['oauth-authorization-server', 'openid-configuration']) {
    for (const path of new Set([`/.well-known/${name}${prefix}`, `${prefix}/.well-known/${name}`])) {
      app.on(['GET', 'OPTIONS'], path, (context) => pass(context, DISCOVERY));
    }
  }
  app.use(`${prefix}/jwks`, cors());
  app.get(`${prefix}/jwks`, async (context) => context.json(await authorizationServer.jwks()));

  app.get(
    `${prefix}/authorize`,
    async (context) => (await limited(context, 'oauth')) ?? pass(context, withScope(context)),
  );
  app.get(`${prefix}/authorize/:uid`, (context) => pass(context, `/authorize/${context.req.param('uid')}`));
  for (const path of ['/token', '/revoke', '/introspect']) {
    app.on(
      ['POST', 'OPTIONS'],
      `${prefix}${path}`,
      async (context) => (await limited(context, 'oauth')) ?? pass(context, path),
    );
  }
  app.options(`${prefix}/register`, (context) => pass(context, '/register'));
  app.post(`${prefix}/register`, bodyLimit({ maxSize: LARGEST_REGISTRATION }), async (context) => {
    const refused = await limited(context, 'register');
    if (refused !== null) return refused;
    const metadata = await context.req.json().catch(() => undefined);
    if (metadata === undefined) {
      return oauthError(400, 'invalid_client_metadata', 'the registration is not JSON');
    }
    const request = withBody(context.env.incoming, normaliseClientMetadata(metadata));
    return pass(context, '/register', request);
  });
  return app;
}

/**
 * With the scopes that there are: a client that names none of them means what there is, and others, such as `openid`,
 * are left out, as RFC 6749 (3.3) lets a server do.
 */
function withScope(context: Context): string {
  const { searchParams } = new URL(context.req.url);
  const asked = searchParams.get('scope')?.split(' ') ?? [];
  searchParams.set('scope', SCOPES.filter((scope) => scope === SCOPE || asked.includes(scope)).join(' '));
  return `/authorize?${searchParams}`;
}

/** The same request with another JSON body, as a stream that can still be read. */
function withBody(incoming: IncomingMessage, json: unknown): IncomingMessage {
  const body = Buffer.from(JSON.stringify(json));
  const request = new IncomingMessage(incoming.socket);
  request.method = incoming.method ?? 'POST';
  request.headers = {
    ...incoming.headers,
    'content-type': 'application/json',
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

function oauthError(
  status: number,
  error: string,
  error_description: string,
  headers: Record<string, string> = {},
): Response {
  return Response.json(
    { error, error_description },
    { status, headers: { 'Access-Control-Allow-Origin': '*', ...headers } },
  );
}
