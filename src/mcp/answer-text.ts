import { asTable } from '../answers/row-formats.ts';
import { CUT_TEXT } from '../answers/rows-as-table.ts';
import type { Tool } from '../answers/tool.ts';
import { waysToAskForLess } from '../asking/long-answer.ts';
import type { Pieces } from '../main-thread/pieces.ts';

/**
 * What stands in the text of an answer. Hosts show the model either the text or the data beside it, and some
 * both, so that each has to be enough by itself.
 *
 * A short answer is the same JSON in both, as the specification wants it for clients that know no data. Of a
 * longer one the text has every list as a table, and says first of all how many rows it has where it does not
 * have all.
 */

type Json = Readonly<Record<string, unknown>>;

/** Twice as much is what the host shows that shows least, which counts both places together. */
const SAME_BYTES = 8000;
/**
 * The most bytes of the text alone, where it differs: a month of days of ten products, or two years of weeks
 * of a trend.
 */
const MOST_TEXT_BYTES = 16_000;
/** Fewer rows say nothing of the others. */
const LEAST_ROWS = 5;

/** Whether the text of an answer of this many bytes is the same as its data. */
export function isSameText(bytes: number): boolean {
  return bytes <= SAME_BYTES;
}

/** The text of an answer that is not the same as its data. */
export function* longText(tool: Tool, args: Json, data: Json, notes: readonly string[]): Pieces<string> {
  const table = yield* asTable(tool, args, data);
  const lists = Object.entries(table).flatMap(([key, value]) => {
    const rows = rowsOf(value);
    return rows === null ? [] : [{ key, rows }];
  });
  const names = new Set(lists.map(({ key }) => key));
  const others = Object.fromEntries(Object.entries(table).filter(([key]) => !names.has(key)));
  let left =
    MOST_TEXT_BYTES - Buffer.byteLength(JSON.stringify(others)) - Buffer.byteLength(JSON.stringify(notes));
  yield;
  const shown = new Map<string, readonly unknown[]>();
  for (const { key, rows } of lists) {
    const first: unknown[] = [];
    for (const row of rows) {
      left -= Buffer.byteLength(JSON.stringify(row)) + ','.length;
      if (left < 0 && first.length >= LEAST_ROWS) break;
      first.push(row);
    }
    shown.set(key, first);
    yield;
  }
  const cut = lists.flatMap(({ key, rows }) => {
    const some = shown.get(key) ?? rows;
    return some.length < rows.length ? [{ key, of: rows.length, rows: some.length }] : [];
  });
  const told = [...(cut.length === 0 ? [] : [cutNote(tool, args, cut)]), ...notes];
  const shortened = Object.entries(table).map(([key, value]) => [key, withRows(value, shown.get(key))]);
  return JSON.stringify({ ...(told.length > 0 && { notes: told }), ...Object.fromEntries(shortened) });
}

/** The rows of a list, or of a table that is a field of the answer. */
function rowsOf(value: unknown): readonly unknown[] | null {
  if (Array.isArray(value)) return value;
  const { rows } = Object(value) as { readonly rows?: unknown };
  return Array.isArray(rows) ? rows : null;
}

function withRows(value: unknown, rows: readonly unknown[] | undefined): unknown {
  if (rows === undefined) return value;
  return Array.isArray(value) ? rows : { ...(value as object), rows };
}

function cutNote(
  tool: Tool,
  args: Json,
  cut: readonly { readonly key: string; readonly rows: number; readonly of: number }[],
): string {
  const lists = cut.map(({ key, rows, of }) => `the first ${rows} of ${of} \`${key}\``).join(' and ');
  const [{ key = '', rows = 0 } = {}] = cut;
  const isPaged = 'offset' in tool.input.shape && ['rows', tool.rows?.list].includes(key);
  const next = isPaged ? ` The next ones: offset ${Number(args.offset ?? 0) + rows}.` : '';
  return `${CUT_TEXT} ${lists}; the others are in structuredContent, which some apps do not show.${next} ${waysToAskForLess(tool, { ...args, format: 'table' }) ?? ''}`.trimEnd();
}
