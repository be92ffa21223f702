import { type CanonicalTable, haveSameKey, storedKey, storedNames } from '../store/canonical-table.ts';
import type { Session } from '../store/duckdb-session.ts';

/**
 * What a staged row says nothing of, as a bit mask: bit n stands for the n-th column of the table. A feed
 * knows no purchase price, and must not take away the one that the export of the shop brought.
 */
export const MISSING = '_untold';

/** The mask of some columns. */
export function bitsOf(table: CanonicalTable, columns: readonly string[]): bigint {
  const names = Object.keys(table.columns);
  return columns.reduce((mask, name) => mask | (1n << BigInt(names.indexOf(name))), 0n);
}

/** The columns that a mask has. */
export function columnsIn(table: CanonicalTable, mask: bigint): string[] {
  return Object.keys(table.columns).filter((name) => (bitsOf(table, [name]) & mask) !== 0n);
}

/** The mask of the columns that are not among `told`. */
export function bitsWithout(table: CanonicalTable, told: readonly string[]): bigint {
  return bitsOf(
    table,
    Object.keys(table.columns).filter((name) => !told.includes(name)),
  );
}

/**
 * Leaves in `staged` the good rows that no later row replaces, each with what it says nothing of filled in:
 * what an earlier row of this import says of its key, else what is stored. Where nothing is to be filled in,
 * `staged` stays as it is.
 *
 * @param hasRepeated whether `repeated` has the rows that later ones replace
 * @param hasBefore whether rows of the table are stored, in the view `before_<table>`
 * @returns whether it was done
 */
export async function fillMissing(
  session: Session,
  table: CanonicalTable,
  { hasRepeated, hasBefore }: { readonly hasRepeated: boolean; readonly hasBefore: boolean },
): Promise<boolean> {
  if (table.isToldByMany !== true || !(hasRepeated || hasBefore)) return false;
  const { mask } = await session.row(`select bit_or(${MISSING}) as mask from staged where _errors is null`);
  const columns = storedColumnsIn(table, BigInt((mask as bigint | number | null) ?? 0));
  if (columns.length === 0) return false;
  const isTold = ({ bit }: MaskedColumn) => `${MISSING} & ${bit} = 0`;
  const key = storedKey(table);
  if (hasRepeated)
    await session.run(
      `create or replace temp table told_earlier as
        select ${[
          ...key.map((name) => `"${name}"`),
          ...columns.map((column) => {
            const value = `arg_max({'said': "${column.name}"}, rowid)`;
            return `${value} filter (${isTold(column)}) as "${column.name}"`;
          }),
        ].join(', ')}
        from staged semi join repeated_keys on ${haveSameKey(table, 'staged', 'repeated_keys')}
        where _errors is null group by all`,
    );
  const filled = columns.map((column) => {
    const { name } = column;
    return `case when s.${isTold(column)} then s."${name}"
      ${hasRepeated ? `when told."${name}" is not null then told."${name}".said` : ''}
      ${hasBefore ? `when stored."${key[0]}" is not null then stored."${name}"` : ''}
      else s."${name}" end as "${name}"`;
  });
  await session.run(
    `create temp table filled as
      select s.* replace (${filled.join(', ')})
      from (select *, rowid as place from staged) as s
      ${hasRepeated ? `left join told_earlier as told on ${haveSameKey(table, 's', 'told')}` : ''}
      ${hasBefore ? `left join before_${table.name} as stored on ${haveSameKey(table, 's', 'stored')}` : ''}
      where s._errors is null ${hasRepeated ? 'and s.place not in (select row from repeated)' : ''}
      order by s.place;
    drop table staged;
    alter table filled drop column place;
    alter table filled rename to staged`,
  );
  return true;
}

interface MaskedColumn {
  /** A stored column; one column of a file may be stored as several. */
  readonly name: string;
  readonly bit: bigint;
}

/** The stored columns that the mask has, but for those of the key. */
function storedColumnsIn(table: CanonicalTable, mask: bigint): MaskedColumn[] {
  const stored = new Set(storedNames(table));
  for (const name of storedKey(table)) stored.delete(name);
  return Object.entries(table.columns).flatMap(([name, column], place) => {
    const bit = 1n << BigInt(place);
    if ((mask & bit) === 0n) return [];
    return column
      .stored(name, (cell) => cell)
      .flatMap((each) => (stored.has(each.name) ? [{ name: each.name, bit }] : []));
  });
}
