import { join, parameter, type Sql, sql } from '../sql/sql.ts';
import { column, type ObjectOf } from './fields/field.ts';
import { type Query, query } from './fields/query.ts';
import { worded } from './sentences.ts';

/** Each argument has a select of `name` that gives every value it may have. */
export type ExistingNames = Readonly<Record<string, Sql>>;

/** Arguments that give names; null, an empty list or no such argument gives none. */
export type Names<Argument extends string> = { readonly [argument in Argument]?: readonly string[] | null };

/** An empty list lets all values pass. */
export function isOneOf(column: Sql, values: readonly string[] | null | undefined): Sql {
  return values?.length ? sql`${column} in (${parameter.texts(values)})` : sql`true`;
}

/** An empty list leaves no value out. */
export function isNoneOf(column: Sql, values: readonly string[] | null | undefined): Sql {
  return values?.length ? sql`${column} not in (${parameter.texts(values)})` : sql`true`;
}

const KNOWN_NAME = [column('argument', 'text'), column('name', 'text')];
export type KnownName = ObjectOf<typeof KNOWN_NAME>;

/** One query for the given names that exist, for `namedButUnknown`. Null when the arguments name nothing. */
export function namesThatExist(existing: ExistingNames, args: Names<string>): Query<KnownName> | null {
  const queries = given(existing, args).map(
    ([argument, names, select]) => sql`
      select distinct ${parameter.text(argument)} as argument, name
      from (${select}) as existing where ${isOneOf(sql`name`, names)}`,
  );
  return queries.length === 0 ? null : query(KNOWN_NAME, join(queries, sql` union all `));
}

/** A sentence for each argument that gives names which do not exist. */
export function namedButUnknown(
  existing: ExistingNames,
  args: Names<string>,
  known: readonly KnownName[],
): string[] {
  const names = new Set(known.map((row) => JSON.stringify([row.argument, row.name])));
  return given(existing, args).flatMap(([argument, asked]) => {
    const unknown = [...new Set(asked)].filter((name) => !names.has(JSON.stringify([argument, name])));
    if (unknown.length === 0) return [];
    return [
      worded(`Unknown in ${argument}, so without rows: ${shownNames(unknown)}`, 'note.unknown-names', {
        names: {
          each: unknown.slice(0, MOST_SHOWN).map((name) => ({ name })),
          more: Math.max(0, unknown.length - MOST_SHOWN),
        },
      }),
    ];
  });
}

/** The same for arguments whose every possible name is known beforehand, with these. */
export function unknownAmong(
  known: Readonly<Record<string, readonly string[]>>,
  args: Readonly<Record<string, unknown>>,
): string[] {
  return Object.entries(known).flatMap(([argument, names]) => {
    const asked = (args[argument] ?? []) as readonly string[];
    const unknown = [...new Set(asked)].filter((name) => !names.includes(name));
    return unknown.length === 0
      ? []
      : [`Unknown in ${argument}, so without rows: ${shownNames(unknown)}; there are ${names.join(', ')}.`];
  });
}

function given(existing: ExistingNames, args: Names<string>): [string, readonly string[], Sql][] {
  return Object.entries(existing).flatMap(([argument, select]) => {
    const names = args[argument];
    return names?.length ? [[argument, names, select] as [string, readonly string[], Sql]] : [];
  });
}

const MOST_SHOWN = 10;
const MOST_CHARACTERS = 60;

/**
 * The names as a caller gave them, in a note: few of them, and cut where they are long, since somebody pays
 * for notes.
 */
export function shownNames(names: readonly string[]): string {
  const shown = `[${names.slice(0, MOST_SHOWN).map(shownName).join()}]`;
  const others = names.length - MOST_SHOWN;
  return others > 0 ? `${shown} and ${others} more` : shown;
}

/** One name within a sentence of a note: in quotes, and cut where it is long. */
export function shownName(name: string): string {
  return JSON.stringify(
    name.length > MOST_CHARACTERS ? `${name.slice(0, MOST_CHARACTERS).toWellFormed()}…` : name,
  );
}
