import { crc32 } from 'node:zlib';
import { z } from 'zod';
import { type Json, VendorError } from '../../vendor.ts';
import { isDeep, MOST_DEEP } from '../deep-json.ts';
import { childFieldsOf, fieldsOf, type Resource, type Row, rowSchema, type Unread } from './resources.ts';
import { askShop, type Shop, TITLE } from './shop.ts';

const OPERATION = z.object({
  id: z.string(),
  status: z.enum(['CREATED', 'RUNNING', 'COMPLETED', 'FAILED', 'CANCELING', 'CANCELED', 'EXPIRED']),
  errorCode: z.string().nullable(),
  url: z.string().nullable(),
  /** How many rows the result has, without children. A number of 64 bits, which JSON has as text. */
  rootObjectCount: z.coerce.number(),
  /** The size of the file at the address; null if there is no file. */
  fileSize: z.coerce.number().nullable(),
});

const OPERATION_FIELDS = 'id status errorCode url rootObjectCount fileSize';

/** What a bulk operation asks of what was changed within a time. */
export function bulkQuery(resource: Resource, unread: Unread, changedWithin: string): string {
  const { root, children } = resource;
  const beside =
    children === null ? '' : `${children.name} { edges { node { ${childFieldsOf(resource, unread)} } } }`;
  return `{ ${root}(query: ${JSON.stringify(changedWithin)}) { edges { node { ${fieldsOf(resource, unread)} ${beside} } } } }`;
}

/**
 * Starts a bulk operation.
 *
 * @returns its id; null while another operation of this app takes the place
 * @throws VendorError
 */
export async function startOperation(shop: Shop, { root }: Resource, query: string): Promise<string | null> {
  const { bulkOperationRunQuery: started } = await askShop(shop, {
    document: `mutation Start($query: String!) { bulkOperationRunQuery(query: $query) {
      bulkOperation { ${OPERATION_FIELDS} } userErrors { code message } } }`,
    variables: { query },
    data: z.object({
      bulkOperationRunQuery: z.object({
        bulkOperation: OPERATION.nullable(),
        userErrors: z.array(z.object({ code: z.string().nullable(), message: z.string() })),
      }),
    }),
  });
  const [refused] = started.userErrors;
  if (refused?.code === 'OPERATION_IN_PROGRESS' || refused?.code === 'LIMIT_REACHED') return null;
  if (refused !== undefined || started.bulkOperation === null)
    throw new VendorError(
      'api_changed',
      `Shopify refuses to read ${root} in bulk (${refused?.code ?? 'no code'}: ${refused?.message ?? ''}): update Storesight`,
    );
  return started.bulkOperation.id;
}

/**
 * What became of an operation: its result, `again` if there is no result, `running` if that is not known yet.
 */
export type Outcome = Result | 'again' | 'running';

export interface Result {
  /** Null where nothing was changed. */
  readonly url: string | null;
  readonly rows: number;
  readonly bytes: number;
}

/**
 * A part of a result that is too large for the memory: the result is read several times, another part of its
 * rows each time.
 */
export interface Part {
  readonly number: number;
  /** How many there are. */
  readonly of: number;
}

/** @throws VendorError */
export async function outcomeOf(shop: Shop, id: string): Promise<Outcome> {
  const { node } = await askShop(shop, {
    document: `query Operation($id: ID!) { node(id: $id) { ... on BulkOperation { ${OPERATION_FIELDS} } } }`,
    variables: { id },
    data: z.object({ node: OPERATION.nullable() }),
  });
  if (node === null) return 'again';
  const { status, errorCode, url, rootObjectCount: rows, fileSize } = node;
  if (status === 'COMPLETED') return { url, rows, bytes: fileSize ?? 0 };
  if (status === 'FAILED' && errorCode === 'ACCESS_DENIED')
    throw new VendorError(
      'missing_scope',
      'Shopify does not let this app read in bulk what it lets it read page by page: check its scopes',
    );
  // A result that is partial may have orders without their lines, which stand anywhere: nothing of it is
  // used.
  return ['FAILED', 'EXPIRED', 'CANCELED'].includes(status) ? 'again' : 'running';
}

/** A row of a result and its children, as they stand there: texts of JSON as bytes, which take least. */
export interface PackedRow {
  readonly row: Buffer;
  readonly children: readonly Buffer[];
}

/**
 * A part of the rows of a result, in the order in which they stand there, the same whenever it is read. Since
 * API version 2026-01 children stand anywhere in the file, also before their owner: it is read to its end
 * first.
 *
 * @returns null where the result is not there any more
 * @throws VendorError
 */
export async function readPart(
  shop: Shop,
  result: Result,
  resource: Resource,
  part: Part,
): Promise<PackedRow[] | null> {
  if (result.url === null) return [];
  for (let attempt = 1; ; attempt += 1) {
    try {
      const body = await download(shop, result.url);
      return body === null ? null : await packed(body, result, resource, part);
    } catch (error) {
      shop.access.signal.throwIfAborted();
      if (attempt >= 5) {
        if (error instanceof VendorError) throw error;
        throw new VendorError(
          'bad_answer',
          'a download from Shopify was cut off, five times; it is asked for again with the next run',
          {
            cause: error,
          },
        );
      }
      await shop.access.sleep(500 * 2 ** attempt);
    }
  }
}

/** The most bytes held of one part: four times its share of the announced file size. */
const MOST_HELD = 256 * 2 ** 20;

async function packed(
  body: ReadableStream<Uint8Array>,
  { rows: expected }: Result,
  resource: Resource,
  part: Part,
): Promise<PackedRow[]> {
  const schema = rowSchema(resource, false);
  const rows = new Map<string, Buffer>();
  const children = new Map<string, Buffer[]>();
  let found = 0;
  let held = 0;
  for await (const text of textsOf(body)) {
    const line: Line = JSON.parse(text);
    const { __parentId: owner } = line;
    if (owner === undefined) found += 1;
    const id = String(owner ?? line.id);
    if (crc32(id) % part.of !== part.number) continue;
    held += text.length;
    if (held > MOST_HELD)
      throw new VendorError(
        'bad_answer',
        `a file of ${TITLE} is larger than it said: more than ${MOST_HELD / 2 ** 20} MB of one part. Nothing of it was kept; try again later`,
      );
    // TRICKY: copied, since a substring keeps its whole chunk in memory.
    const bytes = Buffer.from(text);
    if (owner === undefined) rows.set(schema.parse(line).id, bytes);
    else {
      const owned = children.get(id) ?? [];
      owned.push(bytes);
      children.set(id, owned);
    }
  }
  if (found < expected)
    throw new VendorError(
      'bad_answer',
      `a result of Shopify has fewer ${resource.root} than it says; it is asked for again with the next run`,
    );
  for (const owner of children.keys())
    if (!rows.has(owner))
      throw new VendorError(
        'bad_answer',
        'a result of Shopify has lines without their order; it is asked for again with the next run',
      );
  return Array.from(rows, ([id, row]) => ({ row, children: children.get(id) ?? [] }));
}

/** The rows with their children, as they are asked for page by page. */
export function unpacked(rows: readonly PackedRow[], resource: Resource): Row[] {
  const { children } = resource;
  const schema = rowSchema(resource, false);
  return rows.map((each) => {
    const row = schema.parse(JSON.parse(each.row.toString()));
    if (children === null) return row;
    const nodes = each.children.map((bytes) => {
      const { __parentId: _, ...child } = JSON.parse(bytes.toString());
      return child;
    });
    return { ...row, [children.name]: { nodes } };
  });
}

/**
 * Downloads without the token: the address says by itself who may read, and belongs to a storage of Google's.
 *
 * @returns null where the result is not there any more
 * @throws VendorError
 */
export async function download(shop: Shop, url: string): Promise<ReadableStream<Uint8Array> | null> {
  const response = await shop.access.fetchFile(new Request(url));
  if ([403, 404, 410].includes(response.status)) {
    await response.body?.cancel();
    return null;
  }
  if (response.status !== 200 || response.body === null)
    throw new VendorError(
      'vendor_down',
      `${TITLE}'s storage answered with status ${response.status}; it is asked again with the next run`,
    );
  return response.body;
}

type Line = { readonly [name: string]: Json | undefined };

export async function* linesOf(body: ReadableStream<Uint8Array>): AsyncIterable<Line> {
  for await (const text of textsOf(body)) yield JSON.parse(text);
}

/** The most characters of a line: an order, or one of its lines. */
const LONGEST_LINE = 8 * 2 ** 20;

/** @throws VendorError for a line that no row has */
export async function* textsOf(body: ReadableStream<Uint8Array>): AsyncIterable<string> {
  let rest = '';
  const refuse = (text: string) => {
    if (text.length > LONGEST_LINE)
      throw new VendorError(
        'bad_answer',
        `a line of a file of ${TITLE} has more than ${LONGEST_LINE} characters, as none should: try again later, and report it if that does not help`,
      );
    if (isDeep(text))
      throw new VendorError(
        'bad_answer',
        `a line of a file of ${TITLE} has JSON that is nested more than ${MOST_DEEP} deep`,
      );
    return text;
  };
  for await (const text of body.pipeThrough(new TextDecoderStream())) {
    const parts = (rest + text).split('\n');
    rest = parts.pop() ?? '';
    if (rest.length > LONGEST_LINE) refuse(rest);
    for (const part of parts) if (part !== '') yield refuse(part);
  }
  if (rest !== '') yield refuse(rest);
}
