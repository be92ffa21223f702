import type { Logger } from 'pino';

const HEADER = 'MCP-Protocol-Version';
const BODY_FIELD = 'io.modelcontextprotocol/protocolVersion';

/**
 * One host sends requests of revision 2026-07-28 under the header of 2025-11-25, which the protocol refuses. This one
 * mismatch, and no other, is mended: the body says what the request is.
 */
export function mendVersionHeader(request: Request, body: unknown, log: Logger): Request {
  const { method, params } = Object(body) as { method?: unknown; params?: unknown };
  const { _meta, name } = Object(params) as { _meta?: unknown; name?: unknown };
  const claimed = (Object(_meta) as Record<string, unknown>)[BODY_FIELD];
  if (request.headers.get(HEADER) !== '2025-11-25' || claimed !== '2026-07-28') return request;
  log.info({ method }, 'mended the protocol version header of a request');
  const headers = new Headers(request.headers);
  headers.set(HEADER, claimed);
  headers.set('Mcp-Method', String(method));
  if (typeof name === 'string') headers.set('Mcp-Name', name);
  return new Request(request.url, { method: request.method, headers, signal: request.signal });
}
