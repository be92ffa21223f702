/**
 * `version-traceid-parentid-flags` of W3C Trace Context, which MCP carries in `_meta`; ids of zeros mean
 * nothing.
 */
const TRACEPARENT = /^[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/;

/** Where a request belongs in somebody's trace. */
export interface TraceContext {
  readonly traceId: string;
  /** The caller's span. */
  readonly parentId: string;
  /** Whether the trace is recorded. */
  readonly isSampled: boolean;
}

/**
 * The trace that a request belongs to, so that an operator finds its line in the log; null where it tells
 * none. Only such ids are taken: what else a stranger writes there is never logged.
 *
 * @param meta `_meta` of a request, as it came
 */
export function traceContext(meta: unknown): TraceContext | null {
  const { traceparent } = Object(meta) as { traceparent?: unknown };
  const [, traceId, parentId, flags] =
    (typeof traceparent === 'string' && TRACEPARENT.exec(traceparent)) || [];
  if (traceId === undefined || parentId === undefined) return null;
  return { traceId, parentId, isSampled: (Number.parseInt(flags ?? '', 16) & 1) === 1 };
}
