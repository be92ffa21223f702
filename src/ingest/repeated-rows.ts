import type { TableCounts } from '../snapshot/import-report.ts';
import {
  type CanonicalTable,
  DELETED,
  haveSameKey,
  storedKey,
  storedNames,
} from '../store/canonical-table.ts';
import type { Session } from '../store/duckdb-session.ts';
import type { SourceFile, TranslatedRows } from './find-files.ts';
import { findPlaces } from './reject-lines.ts';

type RepeatedCounts = Pick<TableCounts, 'replaced' | 'ignored'>;

export const NONE_REPEATED: RepeatedCounts = { replaced: 0, ignored: 0 };

const EXAMPLES = 3;

/**
 * Notes in the temporary table `repeated` the good staged rows that a later one with the same key replaces.
 * Where there are none, it is not made.
 */
export async function setRepeatedApart(session: Session, table: CanonicalTable): Promise<RepeatedCounts> {
  const key = storedKey(table)
    .map((name) => `"${name}"`)
    .join(', ');
  const isSame = [...storedNames(table), DELETED]
    .map((name) => `earlier."${name}" is not distinct from kept."${name}"`)
    .join(' and ');
  // A table of its own: DuckDB then knows how few they are, and joins from their side.
  const keys = await session.row(
    `create or replace temp table repeated_keys as
      select ${key}, max(rowid) as last from staged where _errors is null group by ${key} having count(*) > 1`,
  );
  if (keys.Count === 0) return NONE_REPEATED;
  await session.run(
    `create or replace temp table repeated as
      select earlier.rowid as row, kept.rowid as kept, (earlier.${DELETED} and kept.${DELETED}) or (${isSame}) as is_same
      from repeated_keys as last
      join staged as kept on kept.rowid = last.last
      join staged as earlier on ${haveSameKey(table, 'earlier', 'last')}
      where earlier.rowid < last.last and earlier._errors is null`,
  );
  const counts = await session.row(
    `select count(*) filter (not is_same) as replaced, count(*) filter (is_same) as ignored from repeated`,
  );
  return { replaced: Number(counts.replaced), ignored: Number(counts.ignored) };
}

/** Where the first rows stand that were replaced by others. These are places, since keys may be personal. */
export async function findExamples(
  session: Session,
  files: readonly (SourceFile | TranslatedRows)[],
  firstRows: readonly number[],
): Promise<string[]> {
  const pairs = await session.rows(
    `select row, kept from repeated where not is_same order by row limit ${EXAMPLES}`,
  );
  const rows = pairs.flatMap(({ row, kept }) => [Number(row), Number(kept)]);
  const places = new Map<number, string>();
  for (const [index, file] of files.entries()) {
    const first = firstRows[index] ?? 0;
    const end = firstRows[index + 1] ?? Number.POSITIVE_INFINITY;
    const records = rows.filter((row) => row >= first && row < end).map((row) => row - first + 1);
    for (const [record, place] of await findPlaces(session, file, records))
      places.set(first + record - 1, place);
  }
  return pairs.map(({ row, kept }) => `${places.get(Number(row))} by ${places.get(Number(kept))}`);
}

export function describeRepeated(
  table: CanonicalTable,
  { replaced, ignored }: RepeatedCounts,
  examples: readonly string[],
): string[] {
  const key = table.key.join(', ');
  return [
    ...(replaced === 0
      ? []
      : [
          `${table.name}: a later row with the same ${key} and other values replaced ${replaced} of the rows, ` +
            `for example ${examples.join('; ')}. Shops that use the same ids need a business each`,
        ]),
    ...(ignored === 0
      ? []
      : [`${table.name}: a later row says the same as ${ignored} of the rows, which were ignored`]),
  ];
}
