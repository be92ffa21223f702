import { isJsonContentType } from '@modelcontextprotocol/server';
import { mainThread, onePiece } from '../main-thread/turns.ts';
import { idAtEnds, TOO_DEEP, tooMuchIn } from '../mcp/json-extent.ts';
import type { ByteBudget } from './byte-budget.ts';

/** Bytes of requests that are being read. */
export const BODY_LIMITS = { account: 16 * 2 ** 20, all: 64 * 2 ** 20 };

interface ReadingOptions {
  /** More are not read. */
  readonly maxBytes: number;
  /** What is read of all requests together. */
  readonly budget: ByteBudget;
  readonly accountId: string;
}

/** The JSON of a request, undefined for one that cannot have any; or the response that refuses it. */
export async function readJson(
  request: Request,
  options: ReadingOptions,
): Promise<{ json: unknown } | Response> {
  if (request.method !== 'POST' || !isJsonContentType(request.headers.get('content-type'))) {
    return { json: undefined };
  }
  const bytes = await readBytes(request, options).catch(() =>
    refusal(400, -32700, 'the request ended before its body did'),
  );
  if (bytes instanceof Response) return bytes;
  if (bytes.byteLength <= READ_AT_ONCE) return parse(bytes);
  return mainThread.run(
    options.accountId,
    onePiece(() => parse(bytes)),
  );
}

/** Longer ones wait for the turn of their account. */
const READ_AT_ONCE = 16_384;

function parse(bytes: Uint8Array): { json: unknown } | Response {
  const tooMuch = tooMuchIn(bytes);
  if (tooMuch !== null) {
    const [status, code] = tooMuch === TOO_DEEP ? [400, -32600] : [413, -32000];
    return refusal(status, code, tooMuch, {}, idAtEnds(bytes, bytes));
  }
  try {
    return { json: JSON.parse(UTF_8.decode(bytes)) };
  } catch {
    return refusal(400, -32700, 'Parse error: the request body is not valid JSON in UTF-8');
  }
}

/** A damaged text is refused: with another character in its place it would ask for something else. */
const UTF_8 = new TextDecoder('utf-8', { fatal: true });

async function readBytes(
  request: Request,
  { maxBytes, budget, accountId }: ReadingOptions,
): Promise<Uint8Array | Response> {
  const tooLarge = () => refusal(413, -32000, `the request is larger than ${maxBytes} bytes`);
  if (Number(request.headers.get('content-length')) > maxBytes) return tooLarge();
  if (request.body === null) return new Uint8Array();
  const reader = request.body.getReader();
  const chunks: Uint8Array[] = [];
  let held = 0;
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      if (held + next.value.byteLength > maxBytes) return tooLarge();
      if (budget.take(accountId, next.value.byteLength) !== null) {
        const message = 'too many long requests are being sent at once; try again in a moment';
        return refusal(503, -32000, message, { 'Retry-After': '5' });
      }
      held += next.value.byteLength;
      chunks.push(next.value);
    }
    return Buffer.concat(chunks);
  } finally {
    budget.giveBack(accountId, held);
    // The rest is not ours to cancel: the connection must stay open for the response.
    reader.releaseLock();
  }
}

export function refusal(
  status: number,
  code: number,
  message: string,
  headers: Record<string, string> = {},
  id: string | number | null = null,
): Response {
  return Response.json({ jsonrpc: '2.0', id, error: { code, message } }, { status, headers });
}
