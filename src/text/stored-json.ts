/** Larger than any value written by hand; parsing more would block the thread. */
export const MOST_CHARACTERS = 100_000;
export const MOST_LEVELS = 32;

/**
 * The value of a JSON column; undefined where it is null, not quite JSON (the import lets `NaN` and a last
 * comma pass), or larger than MOST_CHARACTERS or deeper than MOST_LEVELS.
 */
export function readStoredJson(text: unknown): unknown {
  if (typeof text !== 'string' || text.length > MOST_CHARACTERS || levels(text) > MOST_LEVELS)
    return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * How deep brackets lie in each other. A string that is never closed goes to the end, and is looked for once.
 */
function levels(text: string): number {
  let level = 0;
  let deepest = 0;
  for (const [bracket] of text.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"?|[[\]{}]/gs)) {
    if (bracket === '[' || bracket === '{') level += 1;
    if (bracket === ']' || bracket === '}') level -= 1;
    deepest = Math.max(deepest, level);
  }
  return deepest;
}

/** The fields of an object. What is no object has none. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
}
