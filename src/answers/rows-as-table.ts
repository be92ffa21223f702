import type { Pieces } from '../main-thread/pieces.ts';

/**
 * An answer with its lists of objects as tables: the names once, then the values of each row in their order.
 *
 *     { "columns": ["cohort", "ltv: days, revenue"], "rows": [["2026-09", [[30, 12.5], [90, 14]]]],
 *       "totals": { … }, "periods": { "columns": ["period"], "rows": [["2026-09"]] } }
 *
 * The list that the tool is about gives `columns` and `rows` of the answer itself, another one an object with
 * both. A list within a row is a list of lists, whose names stand behind that of its column.
 */
type Json = Readonly<Record<string, unknown>>;

/** How the first note of a text begins that has not all the rows of its answer. */
export const CUT_TEXT = 'This text has only';
/** How the first note of an answer begins that leaves out what would make it too long. */
export const LEFT_OUT = 'Left out for length';

/** These parts of an answer are never many. */
const NEVER_TABLES = ['notes', 'calendar_events'];
const BEFORE_NAMES = ': ';

/** How many objects stand in the lists of an answer, also in those within their rows. */
export function objectsIn(answer: Json): number {
  let count = 0;
  for (const [key, value] of Object.entries(answer)) {
    if (NEVER_TABLES.includes(key) || !isRows(value)) continue;
    count += value.length;
    for (const row of value) {
      for (const inner of Object.values(row)) if (isRows(inner)) count += inner.length;
    }
  }
  return count;
}

/** @param kept the names that rows of `list` can have, in their order */
export function* tabled(
  answer: Json,
  { list, kept }: { readonly list: string | null; readonly kept: readonly string[] },
): Pieces<Json> {
  const shaped: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(answer)) {
    if (key === list && Array.isArray(value)) {
      Object.assign(shaped, yield* tableOf(value as readonly Json[], kept));
    } else if (!NEVER_TABLES.includes(key) && isRows(value)) {
      shaped[key] = yield* tableOf(value, namesOf(value));
    } else shaped[key] = value;
  }
  return shaped;
}

const ROWS_OF_PIECE = 200;

function* tableOf(list: readonly Json[], names: readonly string[]) {
  const inner = new Map(
    names.flatMap((name) => {
      const lists = list.map((row) => row[name]).filter(isRows);
      return lists.length === 0 ? [] : [[name, namesOf(lists.flat())] as const];
    }),
  );
  yield;
  const rows: unknown[] = [];
  for (const row of list) {
    rows.push(names.map((name) => cellOf(row[name] ?? null, inner.get(name))));
    if (rows.length % ROWS_OF_PIECE === 0) yield;
  }
  const columns = names.map((name) => [name, inner.get(name)?.join(', ') ?? []].flat().join(BEFORE_NAMES));
  return { columns, rows };
}

function cellOf(value: unknown, names: readonly string[] | undefined): unknown {
  return names !== undefined && isRows(value)
    ? value.map((row) => names.map((name) => row[name] ?? null))
    : value;
}

/** The names in the order in which the rows have them. Where rows are of two kinds, the names of both. */
function namesOf(rows: readonly Json[]): string[] {
  const names = new Set<string>();
  for (const row of rows) for (const name of Object.keys(row)) names.add(name);
  return [...names];
}

/** The same answer with objects again. */
export function untabled(answer: Json, list: string | null): Json {
  const isTable = list !== null && Array.isArray(answer.columns) && Array.isArray(answer.rows);
  return Object.fromEntries(
    Object.entries(answer).flatMap(([key, value]) => {
      if (isTable && key === 'rows') return [];
      if (isTable && key === 'columns') return [[list, objectsOf(answer.columns, answer.rows)]];
      return [[key, isTableObject(value) ? objectsOf(value.columns, value.rows) : value]];
    }),
  );
}

function objectsOf(columns: unknown, rows: unknown): Json[] {
  const named = (columns as readonly unknown[]).map((column) => {
    const [name = '', names] = String(column).split(BEFORE_NAMES);
    return { name, names: names?.split(', ') };
  });
  return (rows as readonly unknown[]).flatMap((cells) =>
    Array.isArray(cells)
      ? [
          Object.fromEntries(
            named.map(({ name, names }, place) => {
              const cell: unknown = cells[place];
              return [name, names !== undefined && Array.isArray(cell) ? objectsOf(names, cell) : cell];
            }),
          ),
        ]
      : [],
  );
}

function isTableObject(value: unknown): value is { readonly columns: unknown; readonly rows: unknown } {
  const { columns, rows, ...others } = Object(value) as Record<string, unknown>;
  return Array.isArray(columns) && Array.isArray(rows) && Object.keys(others).length === 0;
}

/** Whether it is a list of objects, and not empty. */
function isRows(value: unknown): value is readonly Json[] {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((one) => typeof one === 'object' && one !== null && !Array.isArray(one))
  );
}
