import type { Temporal } from 'temporal-polyfill';
import { column, type ObjectOf } from '../../../answers/fields/field.ts';
import { type Query, query } from '../../../answers/fields/query.ts';
import { worded } from '../../../answers/sentences.ts';
import { LEAST_SHARING } from '../../../answers/shared-values.ts';
import { isSmall } from '../../../answers/small-groups.ts';
import { isTelling } from '../../../answers/telling-share.ts';
import type { SnapshotFacts } from '../../../business/snapshot-facts.ts';
import { customers } from '../../../model-table/table-names.ts';
import { parameter, sql } from '../../../sql/sql.ts';
import { localDate } from '../../../time/moment.ts';

const OLDER_PROFILES = [column('older_count', 'integer'), column('newcomers_count', 'integer')];
export type OlderProfiles = ObjectOf<typeof OLDER_PROFILES>;

/** After this many days of history, nobody is warned. */
const MOST_DAYS = 365;

/** Everybody is warned when the history has fewer days than this, whatever the pauses. */
const LEAST_DAYS = 90;

/** The local days that are asked about, of the data in question. */
export interface AskedDays {
  readonly firstDate: { toString(): string };
  readonly lastDate: { toString(): string };
  readonly timezone: string;
  readonly facts: SnapshotFacts;
}

/**
 * Counts the customers whose first loaded order is in these days, and how many of them have a profile that is
 * older than the history by more than the usual pause between two orders. These may have ordered before, so
 * whether they are new is not known.
 *
 * @returns null where there are none
 */
export function olderProfiles({
  firstDate,
  lastDate,
  timezone,
  facts,
}: AskedDays): Query<OlderProfiles> | null {
  const start = historyStart({ timezone, facts });
  const known = facts.days?.first_orders_of_older_profiles;
  const [first, last] = [firstDate.toString(), lastDate.toString()];
  // Dates of four-digit years: the order of texts is that of time.
  if (start === null || known === undefined || last < known.from || first > known.until) return null;
  const older = query(
    OLDER_PROFILES,
    sql`
    select count(*) as newcomers_count,
      count(*) filter (
        where date_diff('day', profile_created_date, ${parameter.date(start.toString())}) > ${parameter.integer(daysOf(facts))}
      ) as older_count
    from ${customers}
    where first_ordered_date between ${parameter.date(first)} and ${parameter.date(last)}`,
  );
  return { ...older, isAside: true };
}

/**
 * The first local day on which who is counted as new is: until then some may have ordered before the data
 * begin. Notes and flags take it from here. Null where no orders are loaded.
 */
export function newFrom(asked: Pick<AskedDays, 'timezone' | 'facts'>): Temporal.PlainDate | null {
  return historyStart(asked)?.add({ days: daysOf(asked.facts) }) ?? null;
}

function daysOf({ usual_pause_days: pause = null }: SnapshotFacts): number {
  return Math.min(MOST_DAYS, Math.max(LEAST_DAYS, pause ?? 0));
}

/**
 * A customer who ordered before the data begin is counted as new. How long this goes on, the pauses tell that
 * customers make: where nobody ordered twice, nothing does, and nothing is noted. Of whom a profile is older,
 * it is said how many they are.
 *
 * @param rows of `olderProfiles`
 */
export function newCustomerNotes([older]: readonly OlderProfiles[], asked: AskedDays): string[] {
  const start = historyStart(asked);
  const from = newFrom(asked);
  if (start === null || from === null) return [];
  const { usual_pause_days: pause = null } = asked.facts;
  const days = daysOf(asked.facts);
  const why =
    pause !== null && pause > LEAST_DAYS
      ? `, and one pause between orders in ten is of more than ${days} days`
      : '';
  const began =
    pause === null || asked.firstDate.toString() >= from.toString()
      ? []
      : [
          worded(
            `Orders are loaded from ${start} on${why}: until ${from} some of those counted as new may have ordered before.`,
            'note.new-may-not-be',
            { start: { day: start.toString() }, until: { day: from.toString() } },
          ),
        ];
  const { older_count, newcomers_count } = older ?? { older_count: 0, newcomers_count: 0 };
  if (!isTelling({ part: older_count, whole: newcomers_count })) return began;
  const count = isSmall(older_count) ? `Under ${LEAST_SHARING}` : String(older_count);
  return [
    ...began,
    worded(
      `${count} of those whose first loaded order is in the range have a profile from before ${start.subtract({ days })}, more than ${days} days before the loaded orders begin: they are counted as new, but whether they are is not known.`,
      'note.older-profiles',
      {
        number: isSmall(older_count) ? { say: 'note.under-five' } : { number: older_count },
        day: { day: start.subtract({ days }).toString() },
      },
    ),
  ];
}

function historyStart({ timezone, facts }: Pick<AskedDays, 'timezone' | 'facts'>) {
  return facts.history_starts_at === null ? null : localDate(facts.history_starts_at, timezone);
}
