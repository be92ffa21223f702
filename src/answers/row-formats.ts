import { z } from 'zod';
import type { Pieces } from '../main-thread/pieces.ts';
import type { Field } from './fields/field.ts';
import { objectsIn, tabled } from './rows-as-table.ts';

/** The rows of an answer: a list of objects, and what names each, which no choice of fields leaves out. */
export interface Rows {
  readonly list: string;
  readonly uniqueBy: readonly string[];
  /** The contract has a list of objects, however many there are: only who asks for a table gets one. */
  readonly areObjects?: true;
  /** It says which fields a row has where no choice of fields decides it. Without: all. */
  readonly isAsked?: (name: string, args: Json) => boolean;
}

/** Longer lists are tables where nobody asks for objects: the names of a row are as long as its numbers. */
const MOST_OBJECTS = 50;

/** Every name that a row can have, in the order of the answer. */
export function rowKeys({ list }: Rows, fields: readonly Field[]): readonly string[] {
  const rows = fields.find(({ key }) => key === list);
  return [...new Set((rows?.either?.flat() ?? rows?.fields ?? []).map(({ key }) => key))];
}

/** The names of fields within rows, such as `ltv.days`. */
function namesWithin(rows: Rows, fields: readonly Field[]): readonly string[] {
  const row = fields.find(({ key }) => key === rows.list)?.fields ?? [];
  return row.flatMap(({ key, fields: its = [] }) => its.map((one) => `${key}.${one.key}`));
}

export const ROW_FORMATS = ['objects', 'table'] as const;

/** The arguments with which every tool that answers with rows makes its rows shorter. */
export function rowArguments(rows: Rows, fields: readonly Field[]) {
  const names = rowKeys(rows, fields);
  const within = namesWithin(rows, fields);
  const keys = [...names, ...within] as [string, ...string[]];
  const allowed = [names.join(', '), ...within.slice(0, 1).map((one) => `one within them, as ${one}`)].join(
    ', or ',
  );
  const isKey = z.enum(keys, `must be one of ${allowed}`);
  return {
    fields: z
      .array(z.string().pipe(isKey), 'must be a list of names of fields')
      .max(keys.length, `at most ${keys.length} elements are allowed, of ${allowed}`)
      .default([])
      .describe(
        `Only these fields of \`${rows.list}\`, beside ${rows.uniqueBy.map((key) => `\`${key}\``).join(', ')}.`,
      ),
    format: z
      .enum(ROW_FORMATS, `format must be one of ${ROW_FORMATS.join(', ')}`)
      .optional()
      .describe(
        `table: \`columns\` and \`rows\`, arrays in their order, instead of \`${rows.list}\`; other lists alike.${rows.areObjects ? '' : ` Without: objects, above ${MOST_OBJECTS} rows a table.`}`,
      ),
  };
}

/** What a row is asked to have, in the order of the answer. */
export function keptKeys(
  rows: Rows,
  fields: readonly Field[],
  args: Readonly<Record<string, unknown>>,
): readonly string[] {
  const chosen = chosenNames(args).map((name) => name.split('.')[0] as string);
  const isKept = (key: string) =>
    chosen.length === 0 ? isAsked(rows, key, args) : chosen.includes(key) || rows.uniqueBy.includes(key);
  return rowKeys(rows, fields).filter(isKept);
}

function chosenNames(args: Readonly<Record<string, unknown>>): readonly string[] {
  return (args.fields ?? []) as readonly string[];
}

type Json = Readonly<Record<string, unknown>>;
type Shaped = { readonly rows?: Rows; readonly fields: readonly Field[] };

/**
 * The answer with the fields that were asked for, and as a table where that was asked for. No value changes.
 */
export function* shapeRows(tool: Shaped, args: Json, result: Json): Pieces<Json> {
  const chosen = chosenNames(args);
  const thin =
    chosen.length === 0 ? yield* withAsked(tool, args, result) : yield* thinned(tool, chosen, result);
  return args.format === 'table' ? yield* asTable(tool, args, thin) : thin;
}

function isAsked({ isAsked: isWanted, uniqueBy }: Rows, name: string, args: Json): boolean {
  return isWanted === undefined || uniqueBy.includes(name) || isWanted(name, args);
}

/** The result without the fields of rows that the arguments do not ask for. */
function* withAsked({ rows }: Shaped, args: Json, result: Json): Pieces<Json> {
  if (rows?.isAsked === undefined) return result;
  const given = result[rows.list] as readonly Json[];
  const asked = yield* each(given, (row) =>
    Object.fromEntries(Object.entries(row).filter(([name]) => isAsked(rows, name, args))),
  );
  return { ...result, [rows.list]: asked };
}

/** The answer as it is sent where nobody asked for objects or a table. */
export function* withTables(tool: Shaped, args: Json, answer: Json): Pieces<Json> {
  return isShapeOpen(tool, args) && objectsIn(answer) > MOST_OBJECTS
    ? yield* asTable(tool, args, answer)
    : answer;
}

/** Says whether the caller and the contract leave open how rows are sent. */
export function isShapeOpen({ rows }: Shaped, args: Json): boolean {
  return rows !== undefined && rows.areObjects !== true && (args.format ?? null) === null;
}

/** The answer with every list of objects as a table; one that has none, or is one already, is the same. */
export function* asTable({ rows, fields }: Shaped, args: Json, answer: Json): Pieces<Json> {
  if (rows === undefined || 'columns' in answer) return answer;
  const given = answer[rows.list];
  const kept = keptKeys(rows, fields, args);
  const names = Array.isArray(given) && given.length > 0 ? columnsOf(kept, given) : kept;
  return yield* tabled(answer, { list: rows.list, kept: names });
}

/** The columns of the rows. Where rows are of two kinds, the columns are those that the rows at hand have. */
function columnsOf(kept: readonly string[], rows: readonly Json[]) {
  return kept.filter((key) => rows.some((row) => key in row));
}

/**
 * The result in which every list and object that has a chosen field keeps the chosen fields, and the fields
 * that tell its rows apart. What has only chosen names in common with the rows stays whole: it is asked for
 * by an argument of its own.
 */
function* thinned({ rows, fields }: Shaped, chosen: readonly string[], result: Json): Pieces<Json> {
  if (rows === undefined) return result;
  const thin: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(result)) {
    const its = fields.find((one) => one.key === key)?.fields ?? [];
    const isName = isNaming(its);
    const isAsked = its.some(({ key }) => chosen.includes(key) && !isName(key));
    if (key === rows.list) {
      thin[key] =
        value === null
          ? null
          : yield* each(value as readonly Json[], (row) =>
              onlyChosen(row, its, (name) => rows.uniqueBy.includes(name), chosen),
            );
    } else if (isAsked && Array.isArray(value)) {
      thin[key] = yield* each(value as readonly Json[], (row) =>
        onlyChosen(row, its, isNamingRow(its), chosen),
      );
    } else if (isAsked && typeof value === 'object' && value !== null) {
      thin[key] = onlyChosen(value as Json, its, isNaming(its), chosen);
    } else thin[key] = value;
  }
  return thin;
}

/**
 * Chooses the fields that tell the rows of a list apart where its tool declares none: the first one, such as
 * `top` or `score`, and texts and dates.
 */
function isNamingRow(fields: readonly Field[]): (name: string) => boolean {
  const isName = isNaming(fields);
  return (name) => name === fields[0]?.key || isName(name);
}

/** Finds the fields that say what an object is about: its texts and dates. */
function isNaming(fields: readonly Field[]): (name: string) => boolean {
  const names = fields.filter(({ type }) => ['text', 'date', 'choice'].includes(type)).map(({ key }) => key);
  return (name) => names.includes(name);
}

function onlyChosen(
  row: Json,
  fields: readonly Field[],
  isKept: (name: string) => boolean,
  chosen: readonly string[],
): Json {
  return Object.fromEntries(
    Object.entries(row).flatMap(([name, value]) => {
      if (isKept(name) || chosen.includes(name)) return [[name, value]];
      const inner = chosen.flatMap((one) => (one.startsWith(`${name}.`) ? [one.slice(name.length + 1)] : []));
      if (inner.length === 0) return [];
      // The first field of a row within a row says which it is.
      const first = fields.find(({ key }) => key === name)?.fields?.[0]?.key;
      const isInner = (key: string) => key === first || inner.includes(key);
      const only = (one: Json) => Object.fromEntries(Object.entries(one).filter(([key]) => isInner(key)));
      return [[name, Array.isArray(value) ? value.map(only) : isObject(value) ? only(value) : value]];
    }),
  );
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null;
}

const ROWS_OF_PIECE = 200;

function* each<Row, One>(rows: readonly Row[], shape: (row: Row) => One): Pieces<One[]> {
  const shaped: One[] = [];
  for (const row of rows) {
    shaped.push(shape(row));
    if (shaped.length % ROWS_OF_PIECE === 0) yield;
  }
  return shaped;
}
