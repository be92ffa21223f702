import { bitsOf, columnsIn, MISSING } from '../ingest/missing-columns.ts';
import type { CanonicalTable } from '../store/canonical-table.ts';
import type { Session } from '../store/duckdb-session.ts';
import type { LandedRows } from './raw-rows.ts';
import { relationName } from './relations.ts';
import type { Source } from './source.ts';

/** The column with how many newer rows of its key the files have. */
const NEWER = '_newer';

/**
 * Makes a table of the session of the rows that a source has of one of ours: of each key the newest, with
 * what it says nothing of filled in from the others.
 *
 * @returns the name of the table
 */
export async function translateTable(
  session: Session,
  source: Source,
  rows: LandedRows,
  canonical: CanonicalTable,
  select: string,
): Promise<string> {
  const table = `translated_${relationName(source)}_${canonical.name}`;
  await session.run(`create temp table "${table}" as ${withUntold(source, rows, canonical, select)}`);
  const described = await session.rows(`describe "${table}"`);
  const columns = new Set(described.map((row) => String(row.column_name)));
  if (!columns.has(NEWER)) return table;
  const isNewest = `coalesce(${NEWER}, 0) = 0`;
  const isMissing = columns.has(MISSING);
  const { older, mask } = await session.row(
    `select count(*) filter (not (${isNewest})) as older, ${isMissing ? `bit_or(${MISSING}) filter (${isNewest})` : '0'} as mask from "${table}"`,
  );
  if (Number(older) === 0) return table;
  const isMalformed = columns.has('_malformed') ? '_malformed is not null' : 'false';
  const filled = columnsIn(canonical, BigInt((mask as bigint | number | null) ?? 0)).filter((name) =>
    columns.has(name),
  );
  await keepNewest(session, canonical, table, filled, {
    isOlder: `not (${isNewest}) and not (${isMalformed})`,
    isKept: `${isNewest} or ${isMalformed}`,
  });
  return table;
}

/**
 * Makes the table anew: where a row stands in the files is told by its place among all, in which there must
 * be no gaps.
 */
async function keepNewest(
  session: Session,
  canonical: CanonicalTable,
  table: string,
  filled: readonly string[],
  { isOlder, isKept }: { readonly isOlder: string; readonly isKept: string },
): Promise<void> {
  const key = canonical.key.map((name) => `"${name}"`).join(', ');
  const bit = (name: string) => bitsOf(canonical, [name]);
  const said = filled.map(
    (name) =>
      `last({'said': "${name}"} order by ${NEWER} desc, rowid) filter (coalesce(${MISSING}, 0) & ${bit(name)} = 0) as "${name}"`,
  );
  const isFilled = (name: string) =>
    `coalesce(s.${MISSING}, 0) & ${bit(name)} <> 0 and older."${name}" is not null`;
  const values = filled.map(
    (name) => `case when ${isFilled(name)} then older."${name}".said else s."${name}" end as "${name}"`,
  );
  const bits = filled.map((name) => `case when ${isFilled(name)} then ${bit(name)} else 0 end`);
  const replaced = [...values, `s.${MISSING} - (${bits.join(' + ')}) as ${MISSING}`].join(', ');
  await session.run(
    `create temp table "${table}_newest" as
      select s.* exclude (place) ${filled.length === 0 ? '' : `replace (${replaced})`}
      from (select *, rowid as place from "${table}" where ${isKept}) as s
      ${filled.length === 0 ? '' : `left join (select ${[key, ...said].join(', ')} from "${table}" where ${isOlder} group by ${key}) as older using (${key})`}
      order by place;
    drop table "${table}";
    alter table "${table}_newest" rename to "${table}"`,
  );
}

/**
 * SQL: the select of a source's rows of one of our tables, with the columns that each says nothing of: what
 * its file has no column for, and what the source finds missing itself. What another source said of those
 * stays.
 */
function withUntold(source: Source, rows: LandedRows, table: CanonicalTable, select: string): string {
  const own = Object.entries(source.missing?.(rows)[table.name] ?? {}).map(
    ([name, condition]) => `case when ${condition} then ${bitsOf(table, [name])} else 0 end`,
  );
  const masks = [...own, ...missingByHeaders(source, rows, table)];
  return masks.length === 0 ? select : `select *, ${masks.join(' | ')} as ${MISSING} from (${select})`;
}

/** The columns that some files do not have. There are none where every file has all columns. */
function missingByHeaders(
  { columns }: Source,
  { origins, presentIn }: LandedRows,
  table: CanonicalTable,
): string[] {
  const cases = origins.flatMap(({ firstRow, endRow }, file) => {
    const missing = Object.entries(columns).flatMap(([name, { tells = [] }]) =>
      presentIn[file]?.has(name) === false
        ? tells.flatMap((told) =>
            told.startsWith(`${table.name}.`) ? [told.slice(table.name.length + 1)] : [],
          )
        : [],
    );
    const mask = bitsOf(table, missing);
    return mask === 0n ? [] : [`when _row >= ${firstRow} and _row < ${endRow} then ${mask}`];
  });
  return cases.length === 0 ? [] : [`case ${cases.join(' ')} else 0 end`];
}
