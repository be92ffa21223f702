import { column, type ObjectOf } from '../../../answers/fields/field.ts';
import { type Query, query } from '../../../answers/fields/query.ts';
import type { SentenceValue } from '../../../answers/sentences.ts';
import type { SnapshotFacts } from '../../../business/snapshot-facts.ts';
import { calendarEvents } from '../../../model-table/table-names.ts';
import { join, parameter, sql } from '../../../sql/sql.ts';
import type { Range } from '../../../time/range.ts';

const NOTED = [column('first_date', 'date'), column('last_date', 'date'), column('name', 'text')];
export type Noted = ObjectOf<typeof NOTED>;

/**
 * A name and its days, as pages write them in any language.
 *
 * @example namedDays('Black Friday', '2026-11-27', '2026-11-30')
 */
export function namedDays(name: string, first: string, last: string): SentenceValue {
  return {
    sentence: { key: 'note.noted-days', values: { name: { name }, days: { days: [first, last] } } },
  };
}

/**
 * What the merchant noted of days in the ranges.
 *
 * @param ranges at least one
 * @returns null where nothing is noted at all
 */
export function notedDays(
  ranges: readonly Pick<Range, 'firstDate' | 'lastDate'>[],
  { loaded_tables }: Pick<SnapshotFacts, 'loaded_tables'>,
  most: number,
): Query<Noted> | null {
  if (!loaded_tables.includes('calendar_events')) return null;
  const touches = ranges.map(
    ({ firstDate, lastDate }) =>
      sql`(first_date <= ${parameter.date(lastDate.toString())} and last_date >= ${parameter.date(firstDate.toString())})`,
  );
  return {
    ...query(
      NOTED,
      sql`
      select first_date, last_date, name from ${calendarEvents}
      where ${join(touches, sql` or `)}
      order by first_date, name limit ${parameter.integer(most)}`,
    ),
    isAside: true,
  };
}
