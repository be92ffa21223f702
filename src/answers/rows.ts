import { z } from 'zod';
import type { Pieces } from '../main-thread/pieces.ts';
import type { Field } from './fields/field.ts';

/** The rows of an answer: a list of objects, and what names each, which no choice of fields leaves out. */
export interface Rows {
  readonly list: string;
  readonly uniqueBy: readonly string[];
}

/** Every name that a row can have, in the order of the answer. */
export function rowKeys({ list }: Rows, fields: readonly Field[]): readonly string[] {
  const rows = fields.find(({ key }) => key === list);
  return [...new Set((rows?.either?.flat() ?? rows?.fields ?? []).map(({ key }) => key))];
}

/** The first one unless another is asked for. */
export const ROW_FORMATS = ['objects', 'table'] as const;

/** By which every tool that answers with rows makes them shorter. */
export function rowArguments(rows: Rows, fields: readonly Field[]) {
  const keys = rowKeys(rows, fields) as [string, ...string[]];
  const isKey = z.enum(keys, `must be one of ${keys.join(', ')}`);
  return {
    fields: z
      .array(z.string().pipe(isKey), 'must be a list of names of fields')
      .max(keys.length, `at most ${keys.length} elements are allowed, of ${keys.join(', ')}`)
      .default([])
      .describe(
        `Only these fields of \`${rows.list}\`, beside ${rows.uniqueBy.map((key) => `\`${key}\``).join(', ')}.`,
      ),
    format: z
      .enum(ROW_FORMATS, `format must be one of ${ROW_FORMATS.join(', ')}`)
      .default('objects')
      .describe(`table: \`columns\` and \`rows\`, arrays in their order, instead of \`${rows.list}\`.`),
  };
}

/** What a row is asked to have, in the order of the answer. */
export function keptKeys(
  rows: Rows,
  fields: readonly Field[],
  args: Readonly<Record<string, unknown>>,
): readonly string[] {
  const chosen = (args.fields ?? []) as readonly string[];
  const isKept = (key: string) => chosen.length === 0 || chosen.includes(key) || rows.uniqueBy.includes(key);
  return rowKeys(rows, fields).filter(isKept);
}

/** The answer with the rows as they were asked for. Nothing but their shape changes. */
export function* shapeRows(
  { rows, fields }: { readonly rows?: Rows; readonly fields: readonly Field[] },
  args: Readonly<Record<string, unknown>>,
  result: Readonly<Record<string, unknown>>,
): Pieces<Readonly<Record<string, unknown>>> {
  if (rows === undefined) return result;
  const given = result[rows.list] as readonly Readonly<Record<string, unknown>>[] | null;
  const chosen = (args.fields ?? []) as readonly string[];
  if (given === null || (chosen.length === 0 && args.format !== 'table')) return result;
  const kept = keptKeys(rows, fields, args);
  const columns = columnsOf(kept, given);
  yield;
  const shaped =
    args.format === 'table'
      ? { columns, rows: yield* each(given, (row) => columns.map((key) => row[key] ?? null)) }
      : { [rows.list]: yield* each(given, (row) => only(kept, row)) };
  return Object.fromEntries(
    Object.entries(result).flatMap(([key, value]) =>
      key === rows.list ? Object.entries(shaped) : [[key, value]],
    ),
  );
}

function only(kept: readonly string[], row: Readonly<Record<string, unknown>>) {
  return Object.fromEntries(kept.flatMap((key) => (key in row ? [[key, row[key]]] : [])));
}

/** Where rows are of either of two kinds, the columns are those that these have. */
function columnsOf(kept: readonly string[], rows: readonly Readonly<Record<string, unknown>>[]) {
  return rows.length === 0 ? kept : kept.filter((key) => rows.some((row) => key in row));
}

const ROWS_OF_PIECE = 200;

function* each<Row, Shaped>(rows: readonly Row[], shape: (row: Row) => Shaped): Pieces<Shaped[]> {
  const shaped: Shaped[] = [];
  for (const row of rows) {
    shaped.push(shape(row));
    if (shaped.length % ROWS_OF_PIECE === 0) yield;
  }
  return shaped;
}
