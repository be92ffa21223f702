import type { Logger } from 'pino';

const HEADER = 'MCP-Protocol-Version';
const BODY_FIELD = 'io.modelcontextprotocol/protocolVersion';
/** A text that may stand in a header as it is; every method of the protocol does. */
const PLAIN = /^[\w/]+$/;

/**
 * One host sends requests of revision 2026-07-28 under the header of 2025-11-25, which the protocol refuses.
 * This one mismatch, and no other, is mended: the body says what the request is.
 */
export function mendVersionHeader(sent: Headers, body: unknown, log: Logger): Headers {
  const { method, params } = Object(body) as { method?: unknown; params?: unknown };
  const { _meta, name, uri } = Object(params) as { _meta?: unknown; name?: unknown; uri?: unknown };
  const claimed = (Object(_meta) as Record<string, unknown>)[BODY_FIELD];
  if (sent.get(HEADER) !== '2025-11-25' || claimed !== '2026-07-28') return sent;
  if (typeof method !== 'string' || !PLAIN.test(method)) return sent;
  log.info({ method }, 'mended the protocol version header of a request');
  const headers = new Headers(sent);
  headers.set(HEADER, claimed);
  // The header of 2025-11-25 comes without these two. Where they are sent they stay, and must agree with the
  // body.
  if (!headers.has('Mcp-Method')) headers.set('Mcp-Method', method);
  const named = name ?? uri;
  if (!headers.has('Mcp-Name') && typeof named === 'string') headers.set('Mcp-Name', encoded(named));
  return headers;
}

/** The text as the protocol writes in a header what is not plain. */
function encoded(text: string): string {
  return `=?base64?${Buffer.from(text).toString('base64')}?=`;
}
