import { createHash } from 'node:crypto';
import { type BuildTable, KeyTable, MadeTable, ModelTable } from '../../model-table/model-table.ts';
import { VERSION } from '../../version.ts';
import { CODE_VERSION } from './code-version.ts';
import { MODEL_TABLES } from './model-tables.ts';

/**
 * The version of the model that this program builds: `1.2.0+3f2a9c0b1d4e`, the version of the package, by
 * which there is an order, and a hash of all that makes the tables. Snapshots of another one are built anew
 * from their canonical tables.
 */
export const MODEL_VERSION = modelVersion(MODEL_TABLES);

export function modelVersion(tables: readonly MadeTable[]): string {
  const versions = tableVersions(tables);
  return `${VERSION}+${hash([CODE_VERSION, ...tables.map((table) => versions.get(table) ?? '')])}`;
}

/**
 * What each table, and each that it is made of, comes from: its SQL, its columns, and the versions of all
 * that it reads. It is another one when any of that changes, and the same when only white space and comments
 * do.
 */
export function tableVersions(tables: readonly MadeTable[]): ReadonlyMap<BuildTable, string> {
  const versions = new Map<BuildTable, string>();
  const versionOf = (table: BuildTable): string => {
    const version = versions.get(table) ?? hash([table.name, ...contentOf(table, versionOf)]);
    versions.set(table, version);
    return version;
  };
  for (const table of tables) versionOf(table);
  return versions;
}

function contentOf(table: BuildTable, versionOf: (table: BuildTable) => string): string[] {
  if (!(table instanceof MadeTable)) return [];
  const { rows, types, scope, needs, hasRowsOfItsOwn } = table;
  return [
    withoutFormatting(rows.text),
    JSON.stringify([
      types,
      scope,
      hasRowsOfItsOwn,
      needs.map((need) => [need].flat().map(({ name }) => name)),
    ]),
    ...rows.reads.map(versionOf),
    ...(table instanceof KeyTable ? [table.order] : []),
    ...(table instanceof ModelTable ? publishedAs(table, versionOf) : []),
  ];
}

function publishedAs(
  { columns, order, parameters }: ModelTable,
  versionOf: (table: BuildTable) => string,
): string[] {
  const published = JSON.stringify([columns, order]);
  if (parameters === undefined) return [published];
  const { text, reads } = parameters.asks;
  return [published, CODE_VERSION, withoutFormatting(text), ...reads.map(versionOf)];
}

/** Text between quotes is kept as it is. */
function withoutFormatting(text: string): string {
  return text
    .replaceAll(
      /('(?:[^']|'')*'|"(?:[^"]|"")*")|(?:--[^\n]*|\/\*[\s\S]*?\*\/|\s)+/g,
      (_, quoted) => quoted ?? ' ',
    )
    .replaceAll(/('(?:[^']|'')*'|"(?:[^"]|"")*")| ?([(),]) ?/g, (_, quoted, mark) => quoted ?? mark)
    .trim();
}

/** A hash of the parts. Each part is hashed with its length, so that no two lists of parts are one text. */
function hash(parts: readonly string[]): string {
  const whole = parts.map((part) => `${part.length}:${part}`).join('');
  return createHash('sha256').update(whole).digest('hex').slice(0, 12);
}
