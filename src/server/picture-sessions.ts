import { randomUUID } from 'node:crypto';
import { clientCapabilities, showsPages } from '../mcp/mcp-apps.ts';

/**
 * The header of a session that shows pictures. Before 2026-07-28 only the handshake tells what a client
 * shows, and each request is answered by itself. A client that shows pictures gets a session id that says so,
 * which it sends with all that follows: nothing is kept. Others get none.
 */
export const SESSION_HEADER = 'Mcp-Session-Id';
const PREFIX = 'pictures-';

/** Whether the client of this request shows pictures, by its session. */
export function isPictureSession(request: Request): boolean {
  return request.headers.get(SESSION_HEADER)?.startsWith(PREFIX) === true;
}

/** The answer to a handshake, with such a session where the client shows pictures. */
export function withPictureSession(response: Response, body: unknown): Response {
  const isHandshake = (Object(body) as { method?: unknown }).method === 'initialize';
  if (!isHandshake || !response.ok || !showsPages(clientCapabilities(body))) return response;
  const headers = new Headers(response.headers);
  headers.set(SESSION_HEADER, `${PREFIX}${randomUUID()}`);
  return new Response(response.body, { status: response.status, headers });
}
