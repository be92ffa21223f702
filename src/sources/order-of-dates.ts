import type { Finding, RawRows, Source } from './source.ts';
import { slashedTime } from './source-cells.ts';

/** A few rows are in some order by chance. */
const ENOUGH_DAYS = 5;

const WORDS = { dmy: 'the day first (dmy)', mdy: 'the month first (mdy)' };

/**
 * Findings where dates such as `3/4/2026`, read as somebody told, go back and forth, and only go on, or only
 * go back, when read the other way: exports are in order of time.
 */
export function findingsOfDates(source: Source, rows: RawRows): Finding[] {
  const told = rows.settings.dates;
  if (told !== 'dmy' && told !== 'mdy') return [];
  const other = told === 'dmy' ? 'mdy' : 'dmy';
  const counts = source
    .questions(rows)
    .flatMap(({ date }) => (date === undefined ? [] : [filesInOrderOnly(date, rows.relation, told, other)]));
  if (counts.length === 0) return [];
  const says = `dates were read with ${WORDS[told]}, and go back and forth; with ${WORDS[other]} they are in the order of time. Look at the months; if they are wrong, import again with ${other} for dates`;
  return [{ count: counts.map((count) => `(${count})`).join(' + '), says: () => says }];
}

/**
 * SQL: in how many files the rows are in the order of time, or against it, when read in the `other` way
 * alone.
 */
function filesInOrderOnly(cell: string, relation: string, told: string, other: string): string {
  const isInOrder = (step: string) =>
    `(min(${step}) >= interval 0 second or max(${step}) <= interval 0 second)`;
  return `select count(*) from (
    select _file from (
      select _file, told, other,
        told - lag(told) over (partition by _file order by rowid) as told_step,
        other - lag(other) over (partition by _file order by rowid) as other_step
      from (
        select _file, rowid, ${slashedTime(cell, told)} as told, ${slashedTime(cell, other)} as other
        from ${relation} where ${slashedTime(cell, told)} is not null))
    group by _file
    having bool_and(other is not null) and count(distinct cast(other as date)) >= ${ENOUGH_DAYS}
      and ${isInOrder('other_step')} and not ${isInOrder('told_step')})`;
}
