import {
  type DocumentNode,
  execute,
  GraphQLError,
  Kind,
  parse,
  type SelectionSetNode,
  validate,
} from 'graphql';
import { API_VERSION } from '../../../../src/live/vendors/shopify/shop.ts';
import { between, type Random, shuffled } from '../random.ts';
import type { VendorClock } from '../stub-access.ts';
import { type StubAnswer, type StubRequest, type StubServer, startStub } from '../stub-server.ts';
import { type Context, nodeOf, rootOf } from './answers.ts';
import { costOf, MOST_COST } from './cost.ts';
import type { MadeShop } from './made-shop.ts';
import { SCHEMA } from './schema.ts';

export const CLIENT = { id: 'client-1', secret: 'shpss_stub_secret' };

const DAY = 24 * 3600_000;
const BUCKET = 2000;
const RESTORED_PER_SECOND = 100;
/** How much of what a query may cost it does cost, about. */
const USED = 0.4;

interface Operation {
  readonly id: string;
  readonly query: string;
  readonly createdAt: number;
  status: 'CREATED' | 'RUNNING' | 'COMPLETED' | 'FAILED' | 'CANCELED' | 'EXPIRED';
  /** How it will end, and after how many more looks at it. */
  readonly end: 'COMPLETED' | 'FAILED' | 'CANCELED' | 'EXPIRED';
  looks: number;
  completedAt: number | null;
  errorCode: string | null;
  lines: string[];
  roots: number;
}

export interface ShopifyStub extends StubServer {
  readonly shop: MadeShop;
  scopes: Set<string>;
  readonly deniedFields: Set<string>;
  /** Tokens given till now end. */
  endTokens(): void;
  /** What share of bulk operations does not complete. */
  failingOperations: number;
  /** How many operations ran. */
  readonly operations: readonly Operation[];
  /** Happens before each answer: what changes while a client reads. */
  beforeAnswer: () => void;
}

/** Shopify as a client of its GraphQL Admin API meets it. */
export async function startShopifyStub(
  shop: MadeShop,
  clock: VendorClock,
  random: Random,
  port?: number,
): Promise<ShopifyStub> {
  const tokens = new Map<string, number>();
  const operations: Operation[] = [];
  const points = { available: BUCKET, at: clock.now().getTime() };
  const now = () => clock.now().getTime();

  const contextOf = (isBulk: boolean): Context => ({
    shop,
    now: now(),
    scopes: stub.scopes,
    deniedFields: stub.deniedFields,
    isBulk,
  });

  const answer = async (request: StubRequest, fault: 'own' | null): Promise<StubAnswer> => {
    stub.beforeAnswer();
    const { pathname } = request.url;
    if (pathname === '/admin/oauth/access_token') return grant(request);
    if (pathname.startsWith('/storage/')) return download(request);
    if (!/^\/admin\/api\/[^/]+\/graphql\.json$/.test(pathname) || request.method !== 'POST')
      return { status: 404, body: { errors: 'Not Found' } };
    if (!pathname.includes(`/${API_VERSION}/`)) return { status: 404, body: { errors: 'Not Found' } };
    if (fault === 'own') tokens.clear();
    const token = request.headers['x-shopify-access-token'] ?? '';
    if ((tokens.get(token) ?? 0) <= now())
      return {
        status: 401,
        body: { errors: '[API] Invalid API key or access token (unrecognized login or wrong password)' },
      };
    if (request.headers['content-type'] !== 'application/json')
      return { status: 415, body: { errors: 'Unsupported media type' } };
    return graphql(JSON.parse(request.body));
  };

  function grant({ method, headers, body }: StubRequest): StubAnswer {
    const asked = new URLSearchParams(body);
    const isForm = headers['content-type']?.startsWith('application/x-www-form-urlencoded');
    if (method !== 'POST' || !isForm || asked.get('grant_type') !== 'client_credentials')
      return { status: 400, body: { error: 'invalid_request' } };
    if (asked.get('client_id') !== CLIENT.id || asked.get('client_secret') !== CLIENT.secret)
      return { status: 400, body: { error: 'application_cannot_be_found' } };
    const token = `shpat_${Math.floor(random() * 2 ** 48).toString(16)}`;
    tokens.set(token, now() + 86_399_000);
    return {
      status: 200,
      body: { access_token: token, scope: [...stub.scopes].join(','), expires_in: 86_399 },
    };
  }

  async function graphql(body: { query?: string; variables?: Record<string, unknown> }): Promise<StubAnswer> {
    const { query = '', variables = {} } = body;
    let document: DocumentNode;
    try {
      document = parse(query);
    } catch (error) {
      return refused((error as Error).message, 'parseError');
    }
    const [invalid] = validate(SCHEMA, document);
    if (invalid !== undefined) return refused(invalid.message, 'undefinedField');
    const cost = costOf(document, variables);
    if (cost > MOST_COST)
      return refused(
        `Query cost is ${cost}, which exceeds the single query max cost limit (${MOST_COST}).`,
        'MAX_COST_EXCEEDED',
      );
    const restored = ((now() - points.at) / 1000) * RESTORED_PER_SECOND;
    points.available = Math.min(BUCKET, points.available + restored);
    points.at = now();
    if (points.available < cost) return refused('Throttled', 'THROTTLED', cost);
    // What a page could have had and has not is given back.
    points.available -= Math.ceil(cost * USED);
    const root = {
      ...rootOf(contextOf(false)),
      node: ({ id }: { id: string }) =>
        id.includes('/BulkOperation/') ? look(id) : nodeOf(contextOf(false), id),
      bulkOperationRunQuery: ({ query, groupObjects }: { query: string; groupObjects: boolean }) =>
        start(query, groupObjects),
    };
    const { data, errors } = await execute({
      schema: SCHEMA,
      document,
      rootValue: root,
      variableValues: variables,
    });
    return {
      status: 200,
      headers: { 'x-shopify-api-version': API_VERSION },
      body: {
        data,
        ...(errors && {
          errors: errors.map(({ message, path, extensions }) => ({ message, path, extensions })),
        }),
        extensions: { cost: costBody(cost) },
      },
    };
  }

  const costBody = (requestedQueryCost: number) => ({
    requestedQueryCost,
    actualQueryCost: Math.ceil(requestedQueryCost * USED),
    throttleStatus: {
      maximumAvailable: BUCKET,
      currentlyAvailable: Math.floor(points.available),
      restoreRate: RESTORED_PER_SECOND,
    },
  });

  function refused(message: string, code: string, cost?: number): StubAnswer {
    return {
      status: 200,
      body: {
        errors: [{ message, extensions: { code } }],
        ...(cost !== undefined && { extensions: { cost: costBody(cost) } }),
      },
    };
  }

  function start(query: string, isGrouped: boolean) {
    if (isGrouped)
      throw new GraphQLError('the stub groups nothing: clients must not rely on the order of lines');
    const userError = (code: string, message: string) => ({
      bulkOperation: null,
      userErrors: [{ code, field: ['query'], message }],
    });
    const running = operations.filter(({ status }) => status === 'CREATED' || status === 'RUNNING');
    if (running.length >= 5) return userError('LIMIT_REACHED', 'Too many bulk operations are in progress');
    const problem = bulkProblem(query);
    if (problem !== null) return userError('INVALID', problem);
    const fails = random() < stub.failingOperations;
    const operation: Operation = {
      id: `gid://shopify/BulkOperation/${operations.length + 1}`,
      query,
      createdAt: now(),
      status: 'CREATED',
      end: fails
        ? ((['FAILED', 'CANCELED', 'EXPIRED'] as const)[between(random, 0, 2)] ?? 'FAILED')
        : 'COMPLETED',
      looks: between(random, 0, 4),
      completedAt: null,
      errorCode: null,
      lines: [],
      roots: 0,
    };
    operations.push(operation);
    return { bulkOperation: bodyOf(operation), userErrors: [] };
  }

  async function look(id: string) {
    const operation = operations.find((one) => one.id === id);
    if (operation === undefined) return null;
    if (operation.status === 'CREATED') operation.status = 'RUNNING';
    else if (operation.status === 'RUNNING') {
      operation.looks -= 1;
      if (operation.looks <= 0) await complete(operation);
    }
    return bodyOf(operation);
  }

  async function complete(operation: Operation) {
    operation.status = operation.end;
    operation.completedAt = now();
    const document = parse(operation.query);
    const { data, errors } = await execute({ schema: SCHEMA, document, rootValue: rootOf(contextOf(true)) });
    if (errors !== undefined) {
      operation.status = 'FAILED';
      operation.errorCode =
        errors[0]?.extensions?.code === 'ACCESS_DENIED' ? 'ACCESS_DENIED' : 'INTERNAL_SERVER_ERROR';
      return;
    }
    const lines: string[] = [];
    const [connection] = Object.values(data ?? {}) as { edges: { node: Record<string, unknown> }[] }[];
    for (const { node } of connection?.edges ?? []) {
      operation.roots += 1;
      const own: Record<string, unknown> = {};
      for (const [name, value] of Object.entries(node)) {
        const edges = (value as { edges?: { node: object }[] } | null)?.edges;
        if (edges === undefined) own[name] = value;
        else for (const edge of edges) lines.push(JSON.stringify({ ...edge.node, __parentId: node.id }));
      }
      lines.push(JSON.stringify(own));
    }
    operation.lines = shuffled(random, lines);
    if (operation.end === 'FAILED') {
      operation.errorCode = random() < 0.5 ? 'TIMEOUT' : 'INTERNAL_SERVER_ERROR';
      operation.lines.length = between(random, 0, lines.length);
    }
  }

  function bodyOf(operation: Operation) {
    const { id, status, errorCode, query, lines, roots } = operation;
    const address = `${stub.url}/storage/${id.split('/').at(-1)}?signature=${id.length}x`;
    return {
      __typename: 'BulkOperation',
      id,
      status,
      errorCode,
      query,
      createdAt: new Date(operation.createdAt).toISOString(),
      completedAt: operation.completedAt === null ? null : new Date(operation.completedAt).toISOString(),
      objectCount: String(lines.length),
      rootObjectCount: String(roots),
      fileSize: lines.length > 0 ? String(Buffer.byteLength(textOfResult(operation))) : null,
      url: status === 'COMPLETED' && lines.length > 0 ? address : null,
      partialDataUrl: status === 'FAILED' && lines.length > 0 ? address : null,
    };
  }

  function download({ url, headers }: StubRequest): StubAnswer {
    // Who gives the token to a storage of somebody else's gives it away.
    if (headers['x-shopify-access-token'] !== undefined || headers.authorization !== undefined)
      throw new Error('the client sent its token to the storage');
    const operation = operations.find(({ id }) => id.endsWith(`/${url.pathname.split('/').at(-1)}`));
    if (operation?.completedAt == null || now() - operation.completedAt > 7 * DAY)
      return { status: 403, body: '<?xml version="1.0"?><Error><Code>ExpiredToken</Code></Error>' };
    return { status: 200, body: textOfResult(operation) };
  }

  const server = await startStub(answer, random, port);
  const stub: ShopifyStub = Object.assign(server, {
    shop,
    operations,
    scopes: new Set(['read_orders', 'read_all_orders', 'read_products', 'read_customers', 'read_inventory']),
    deniedFields: new Set<string>(),
    failingOperations: 0,
    endTokens: () => tokens.clear(),
    beforeAnswer: () => {},
  });
  return stub;
}

function textOfResult({ lines }: Operation): string {
  return lines.map((line) => `${line}\n`).join('');
}

/** What Shopify refuses to run in bulk. */
function bulkProblem(query: string): string | null {
  let document: DocumentNode;
  try {
    document = parse(query);
  } catch (error) {
    return (error as Error).message;
  }
  const [invalid] = validate(SCHEMA, document);
  if (invalid !== undefined) return invalid.message;
  const found = { connections: 0, depth: 0 };
  const walk = (selection: SelectionSetNode, depth: number, isInList: boolean): string | null => {
    for (const one of selection.selections) {
      if (one.kind !== Kind.FIELD || one.selectionSet === undefined) continue;
      const isConnection = one.selectionSet.selections.some(
        (inside) => inside.kind === Kind.FIELD && ['edges', 'nodes'].includes(inside.name.value),
      );
      if (isConnection) {
        if (isInList)
          return 'Queries that contain a connection field within a list field are not currently supported.';
        found.connections += 1;
        found.depth = Math.max(found.depth, depth + 1);
      }
      const problem = walk(
        one.selectionSet,
        depth + (isConnection ? 1 : 0),
        isInList || one.name.value === 'refunds',
      );
      if (problem !== null) return problem;
    }
    return null;
  };
  const [operation] = document.definitions;
  if (operation?.kind !== Kind.OPERATION_DEFINITION) return 'no operation';
  if (operation.selectionSet.selections.length !== 1)
    return 'Bulk queries must have exactly one top-level field';
  const problem = walk(operation.selectionSet, 0, false);
  if (problem !== null) return problem;
  if (found.connections === 0) return 'Bulk queries must contain at least one connection.';
  if (found.connections > 5) return 'Bulk queries cannot contain more than 5 connections.';
  return found.depth > 2
    ? 'Bulk queries cannot contain connections with a nesting depth greater than 2.'
    : null;
}
