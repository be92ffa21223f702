/** The rows that are in the store after an import: a later row replaces an earlier one with the same key. */
export function loadedRows<Row>(rows: Row[], keyOf: (row: Row) => string): Row[] {
  const byKey = new Map<string, Row>();
  for (const row of rows) byKey.set(keyOf(row), row);
  return [...byKey.values()];
}

/** A cell without the difference between missing and empty: both are null. */
export function cell(value: string | undefined): string | null {
  return value === undefined || value === '' ? null : value;
}

/** A list cell: a JSON array of texts, or values joined with `|`. */
export function listCell(value: string | undefined): string[] {
  const text = cell(value);
  if (text === null) return [];
  return jsonTexts(text) ?? text.split('|').filter((element) => element !== '');
}

/** Null when the text is no JSON array of texts: a category may well begin with a bracket. */
function jsonTexts(text: string): string[] | null {
  if (!text.startsWith('[')) return null;
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) && list.every((element) => typeof element === 'string') ? list : null;
  } catch {
    return null;
  }
}
