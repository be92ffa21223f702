type Fields = Readonly<Record<string, unknown>>;

/**
 * Null says the same as leaving an argument out, wherever it stands in an object: many clients write null for
 * what a model left open. An element of a list stays null, and what is deeper than any argument of ours stays
 * as it is.
 */
export function withoutNulls(value: Fields, depth = 8): Fields {
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, field]) =>
      field === null ? [] : [[name, withinWithoutNulls(field, depth)]],
    ),
  );
}

function withinWithoutNulls(value: unknown, depth: number): unknown {
  if (depth === 0 || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((element) => withinWithoutNulls(element, depth - 1));
  return withoutNulls(value as Fields, depth - 1);
}
