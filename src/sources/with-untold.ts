import { bitsOf, UNTOLD } from '../ingest/untold-columns.ts';
import type { CanonicalTable } from '../store/table.ts';
import type { LandedRows } from './raw-rows.ts';
import type { Source } from './source.ts';

/**
 * SQL: the select of a source's rows of one of our tables, with the columns that each says nothing of: what its file has no column for, and
 * what the source finds untold itself. What another source said of those stays.
 */
export function withUntold(source: Source, rows: LandedRows, table: CanonicalTable, select: string): string {
  const own = Object.entries(source.untold?.(rows)[table.name] ?? {}).map(
    ([name, condition]) => `case when ${condition} then ${bitsOf(table, [name])} else 0 end`,
  );
  const masks = [...own, ...untoldByHeaders(source, rows, table)];
  return masks.length === 0 ? select : `select *, ${masks.join(' | ')} as ${UNTOLD} from (${select})`;
}

/** None where every file has all columns. */
function untoldByHeaders(
  { columns }: Source,
  { origins, presentIn }: LandedRows,
  table: CanonicalTable,
): string[] {
  const cases = origins.flatMap(({ firstRow, endRow }, file) => {
    const untold = Object.entries(columns).flatMap(([name, { tells = [] }]) =>
      presentIn[file]?.has(name) === false
        ? tells.flatMap((told) =>
            told.startsWith(`${table.name}.`) ? [told.slice(table.name.length + 1)] : [],
          )
        : [],
    );
    const mask = bitsOf(table, untold);
    return mask === 0n ? [] : [`when _row >= ${firstRow} and _row < ${endRow} then ${mask}`];
  });
  return cases.length === 0 ? [] : [`case ${cases.join(' ')} else 0 end`];
}
