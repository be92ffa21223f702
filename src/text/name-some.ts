/** A message names at most this many. */
const NAMED = 3;

/** `a, b, c and 2 more`. */
export function nameSome(names: readonly string[]): string {
  const rest = names.length - NAMED;
  return names.slice(0, NAMED).join(', ') + (rest > 0 ? ` and ${rest} more` : '');
}
