/** `version-traceid-parentid-flags` of W3C Trace Context, which MCP carries in `_meta`; ids of zeros mean nothing. */
const TRACEPARENT = /^[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

/**
 * The id of the trace that a request belongs to, so that an operator finds its line in the log; null where it tells none. Only
 * such an id is taken: what else a stranger writes there is never logged.
 *
 * @param meta `_meta` of a request, as it came
 */
export function traceId(meta: unknown): string | null {
  const { traceparent } = Object(meta) as { traceparent?: unknown };
  return typeof traceparent === 'string' ? (TRACEPARENT.exec(traceparent)?.[1] ?? null) : null;
}
