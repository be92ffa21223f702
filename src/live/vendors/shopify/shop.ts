import { z } from 'zod';
import { type Access, VendorError } from '../../vendor.ts';
import { type Answer, ask } from '../ask-vendor.ts';

export const TITLE = 'Shopify';

/** The version of the GraphQL Admin API that is asked for; how to change it: docs/live/shopify.md. */
export const API_VERSION = '2026-10';

/** A token is renewed when it has less than this left, in milliseconds. */
const RENEWED_BEFORE_END = 5 * 60_000;

/** A shop for the time of a run: its token, and what it last said of its limits. */
export interface Shop {
  readonly access: Access;
  readonly url: string;
  /** @param refused a token that the shop did not take any more */
  token(refused?: string): Promise<string>;
  readonly limits: { available: number; restoredPerSecond: number; at: number } | { available: null };
}

const shops = new WeakMap<Access, Shop>();

export function shopOf(access: Access): Shop {
  const known = shops.get(access);
  if (known !== undefined) return known;
  const shop = openShop(access);
  shops.set(access, shop);
  return shop;
}

function openShop(access: Access): Shop {
  const { shop: domain = '', clientId } = access.settings;
  const url = `${isLoopback(domain) ? 'http' : 'https'}://${domain}`;
  if (clientId === undefined) {
    const token = tokenOf(access);
    return { access, url, token: async () => token, limits: { available: null } };
  }
  let granted: { readonly token: string; readonly endsAt: number } | null = null;
  return {
    access,
    url,
    limits: { available: null },
    token: async (refused) => {
      const mustEndAfter = access.now().getTime() + RENEWED_BEFORE_END;
      if (granted === null || granted.token === refused || granted.endsAt < mustEndAfter)
        granted = await grantToken(access, url, clientId);
      return granted.token;
    },
  };
}

/** @throws VendorError */
function tokenOf(access: Access): string {
  try {
    return access.secret('accessToken');
  } catch (cause) {
    throw new VendorError(
      'unauthorized',
      'Shopify needs the client id and the client secret of your app, or an access token (shpat_…)',
      { cause },
    );
  }
}

/**
 * Whether a host is this machine itself, for tests and the demo. What production may reach, `Access.fetch`
 * decides.
 */
export function isLoopback(host: string): boolean {
  return /^(localhost|127\.0\.0\.1)(:\d+)?$/.test(host);
}

const GRANTED = z.object({ access_token: z.string().min(1), expires_in: z.number().optional() });

/** The client credentials grant: an app of the merchant's own, for their own shop. */
async function grantToken(access: Access, url: string, clientId: string) {
  const askedAt = access.now().getTime();
  const answer = await ask(access, {
    title: TITLE,
    request: () =>
      new Request(`${url}/admin/oauth/access_token`, {
        method: 'POST',
        headers: { accept: 'application/json' },
        body: new URLSearchParams({
          grant_type: 'client_credentials',
          client_id: clientId,
          client_secret: access.secret('clientSecret'),
        }),
      }),
  });
  if (answer.status !== 200)
    throw new VendorError(
      'unauthorized',
      `Shopify gives no token for the client id and secret (status ${answer.status}): are both of the same app in the Dev ` +
        'Dashboard, and is it installed in this shop?',
    );
  const granted = GRANTED.safeParse(answer.body);
  if (!granted.success)
    throw new VendorError(
      'bad_answer',
      'Shopify answered a request for a token without one: try again later',
    );
  const { access_token: token, expires_in: seconds = 24 * 3600 } = granted.data;
  return { token, endsAt: askedAt + seconds * 1000 };
}

/** A query costs more than the shop allows for one: it must ask for less at once. */
export class TooCostly extends Error {
  override readonly name = 'TooCostly';
}

const COST = z.object({
  requestedQueryCost: z.number(),
  throttleStatus: z.object({ currentlyAvailable: z.number(), restoreRate: z.number().positive() }),
});

const BODY = z.object({
  data: z.record(z.string(), z.unknown()).nullish(),
  errors: z
    .array(
      z.object({
        message: z.string(),
        path: z.array(z.union([z.string(), z.number()])).optional(),
        extensions: z.object({ code: z.string().optional() }).optional(),
      }),
    )
    .optional(),
  extensions: z.object({ cost: COST.partial().optional() }).optional(),
});

type Body = z.infer<typeof BODY>;

/** Errors of GraphQL, of which what was answered beside them may still count. */
export type Denied = readonly (readonly string[])[];

export interface Asked<Data> {
  readonly document: string;
  readonly variables?: Readonly<Record<string, unknown>>;
  readonly data: z.ZodType<Data>;
}

/** @throws VendorError, TooCostly */
export async function askShop<Data>(shop: Shop, asked: Asked<Data>): Promise<Data> {
  const { data, denied } = await askPartly(shop, asked);
  if (denied.length > 0)
    throw new VendorError(
      'missing_scope',
      `Shopify does not let this app read ${denied.map((path) => path.filter((part) => !/^\d+$/.test(part)).join('.')).join(', ')}: give it the scopes for these in the Dev Dashboard, and install it anew`,
    );
  return data;
}

/** Asks as `askShop` does, and gives the places of fields that the app may not read, which are null. */
export async function askPartly<Data>(
  shop: Shop,
  { document, variables = {}, data: schema }: Asked<Data>,
): Promise<{ readonly data: Data; readonly denied: Denied }> {
  await waitForPoints(shop);
  const answer = await askWithToken(shop, JSON.stringify({ query: document, variables }));
  const { data, errors = [] } = bodyOf(shop, answer);
  const denied: string[][] = [];
  for (const { message, path = [], extensions } of errors) {
    const code = extensions?.code;
    if (code === 'MAX_COST_EXCEEDED') throw new TooCostly(message);
    if (code !== 'ACCESS_DENIED')
      throw new VendorError(
        'api_changed',
        `Shopify does not understand a question of this version of Storesight (${code ?? 'no code'}: ${message}): update Storesight`,
      );
    denied.push(path.map(String));
  }
  const read = schema.safeParse(data ?? {});
  if (read.success) return { data: read.data, denied };
  if (denied.length > 0) throw new VendorError('missing_scope', `Shopify: ${errors[0]?.message ?? ''}`);
  const { path = [] } = read.error.issues[0] ?? {};
  throw new VendorError(
    'bad_answer',
    `Shopify's answer has not what was asked for at "${path.join('.')}": try again, and update Storesight if that does not help`,
  );
}

/** A token that ended meanwhile is renewed once. */
async function askWithToken(shop: Shop, body: string): Promise<Answer> {
  const token = await shop.token();
  const answer = await askOnce(shop, token, body);
  if (answer.status !== 401) return answer;
  const renewed = await shop.token(token);
  return renewed === token ? answer : askOnce(shop, renewed, body);
}

function askOnce({ access, url }: Shop, token: string, body: string): Promise<Answer> {
  return ask(access, {
    title: TITLE,
    request: () =>
      new Request(`${url}/admin/api/${API_VERSION}/graphql.json`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-shopify-access-token': token },
        body,
      }),
    again: askAgain,
  });
}

/** Throttled: how long until the shop has the points that the query costs. */
function askAgain({ status, headers, body }: Answer): number | VendorError | null {
  if (status === 429) return Math.max(1, Number(headers.get('retry-after')) || 2) * 1000;
  const { errors = [], extensions } = BODY.safeParse(body).data ?? {};
  const codes = errors.map((error) => error.extensions?.code);
  if (codes.includes('INTERNAL_SERVER_ERROR') || codes.includes('TIMEOUT'))
    return new VendorError(
      'vendor_down',
      'Shopify failed to answer a question; it is asked again with the next run',
    );
  if (!codes.includes('THROTTLED')) return null;
  const cost = COST.safeParse(extensions?.cost).data;
  if (cost === undefined) return 2000;
  const { requestedQueryCost, throttleStatus } = cost;
  const missing = requestedQueryCost - throttleStatus.currentlyAvailable;
  return Math.max(1, missing / throttleStatus.restoreRate) * 1000;
}

/** Waits before it is told to. */
async function waitForPoints({ access, limits }: Shop): Promise<void> {
  if (limits.available === null) return;
  const restored = ((access.now().getTime() - limits.at) / 1000) * limits.restoredPerSecond;
  const missing = LEAST_POINTS - limits.available - restored;
  if (missing > 0) await access.sleep(Math.min(10_000, (missing / limits.restoredPerSecond) * 1000));
}

const LEAST_POINTS = 500;

function bodyOf(shop: Shop, { status, body }: Answer): Body {
  if (status === 401)
    throw new VendorError(
      'unauthorized',
      'Shopify does not take the token any more: was the app removed from the shop, or the token taken back? Make a new one',
    );
  if (status === 403)
    throw new VendorError(
      'missing_scope',
      'Shopify forbids the app to read this shop: give it the scopes and install it anew',
    );
  if (status === 402 || status === 423)
    throw new VendorError(
      'vendor_down',
      `Shopify has closed this shop for now (status ${status}): its owner sees why in the admin`,
    );
  if (status === 404)
    throw new VendorError(
      'api_changed',
      `Shopify knows no such shop, or not version ${API_VERSION} of its API: check the domain (….myshopify.com)`,
    );
  const read = BODY.safeParse(body);
  if (status !== 200 || !read.success)
    throw new VendorError(
      'bad_answer',
      `Shopify answered with status ${status}, and not as GraphQL does: try again later, and check the domain if that does not help`,
    );
  const cost = COST.safeParse(read.data.extensions?.cost).data;
  if (cost !== undefined) {
    const { currentlyAvailable: available, restoreRate: restoredPerSecond } = cost.throttleStatus;
    Object.assign(shop.limits, { available, restoredPerSecond, at: shop.access.now().getTime() });
  }
  return read.data;
}
