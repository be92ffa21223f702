/**
 * Names and elements of lists that a message may have outside the arguments of a call. Clients send some
 * dozens.
 */
const MOST_VALUES = 500;
/** How deep they may lie within each other. */
const MOST_DEPTH = 32;

/** The limit in words, for the client that sent more. */
export const TOO_MUCH_OUTSIDE_ARGUMENTS =
  `a message has at most ${MOST_VALUES} names and elements of lists beside the arguments of its call, ` +
  `at most ${MOST_DEPTH} deep; send fewer`;

/**
 * Whether a JSON-RPC message holds more than any client sends, beside the arguments of its call, which have
 * limits of their own: in its capabilities or `_meta`, say. The libraries that read these look at all of them
 * at once, and tell of each.
 *
 * @param message as it came; a batch is asked of message by message
 */
export function hasTooMuchOutsideArguments(message: unknown): boolean {
  const { method } = Object(message) as { method?: unknown };
  let values = 0;
  const waiting: { readonly value: unknown; readonly depth: number }[] = [{ value: message, depth: 0 }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { value, depth } = next;
    if (typeof value !== 'object' || value === null) continue;
    if (depth >= MOST_DEPTH) return true;
    for (const name in value) {
      values += 1;
      if (values > MOST_VALUES) return true;
      if (depth === 1 && name === 'arguments' && method === 'tools/call') continue;
      waiting.push({ value: (value as Readonly<Record<string, unknown>>)[name], depth: depth + 1 });
    }
  }
  return false;
}

/** The id of a request, as it came; null where it is a batch, or has none that an answer could have. */
export function idIn(message: unknown): string | number | null {
  const { id } = Object(message) as { id?: unknown };
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}
