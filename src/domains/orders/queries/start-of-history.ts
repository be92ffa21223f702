import type { Temporal } from 'temporal-polyfill';
import { column, nullableColumn, type ObjectOf } from '../../../answers/fields/field.ts';
import { query } from '../../../answers/fields/query.ts';
import { LEAST_SHARING } from '../../../answers/shared-values.ts';
import { isSmall } from '../../../answers/small-groups.ts';
import { isTelling } from '../../../answers/telling-share.ts';
import type { SnapshotFacts } from '../../../business/snapshot-facts.ts';
import { customers, orders } from '../../../model-table/table-names.ts';
import { quantile, ranked } from '../../../sql/quantile.ts';
import { parameter, sql } from '../../../sql/sql.ts';
import { localDate } from '../../../time/moment.ts';

const KNOWN_SINCE = [
  nullableColumn('days', 'number'),
  column('repeaters_count', 'integer'),
  column('older_count', 'integer'),
  column('newcomers_count', 'integer'),
];

/** After this many days of history, nobody is warned. */
const MOST_DAYS = 365;

/** With fewer days of history than this, everybody is warned, whatever the pauses. */
const LEAST_DAYS = 90;

/** The name of the query among those of a plan: one whose answer needs it, too, asks it by this name, and it is asked once. */
export const KNOWN_SINCE_QUERY = 'knownSince';

export type KnownSince = ObjectOf<typeof KNOWN_SINCE>;

const NINE_OF_TEN = 90;

const IS_PAUSE = sql`is_valid and days_to_next_order is not null`;

/** The local days that are asked about, of the data in question. */
export interface AskedDays {
  readonly firstDate: { toString(): string };
  readonly lastDate: { toString(): string };
  readonly timezone: string;
  readonly facts: SnapshotFacts;
}

/**
 * The usual pause between two orders of a customer, than which one in ten is longer; and of those whose first loaded order is in these
 * days, how many have a profile that is older than the history by more than that: they may have ordered before, so whether they are
 * new is not known; and how many they all are. Null where no orders are loaded.
 */
export function knownSince(asked: AskedDays) {
  const start = historyStart(asked);
  if (start === null) return null;
  const least = sql`cast(${parameter.integer(LEAST_DAYS)} as double)`;
  const most = sql`cast(${parameter.integer(MOST_DAYS)} as double)`;
  return query(
    KNOWN_SINCE,
    sql`
    with pauses as (
      select days_to_next_order as days, count(*) as orders_count
      from ${orders} where ${IS_PAUSE} group by days_to_next_order
    ),
    long_pause as (
      select ${quantile(sql`days`, NINE_OF_TEN)} as days
      from (select days, ${ranked(sql`days`, { count: sql`orders_count` })} from pauses) as ranked_pauses
    ),
    repeaters as (
      select count(distinct customer_key) as repeaters_count from ${orders} where ${IS_PAUSE}
    ),
    newcomers as (
      select date_diff('day', profile_created_date, ${parameter.date(start.toString())}) as days_before
      from ${customers}
      where first_ordered_date between ${parameter.date(asked.firstDate.toString())} and ${parameter.date(asked.lastDate.toString())}
    ),
    older as (
      select count(*) filter (where days_before > case
        when repeaters_count < ${parameter.integer(LEAST_SHARING)} then ${least}
        else least(${most}, greatest(${least}, ceil(coalesce(cast(days as double), 0)))) end) as older_count,
        count(*) as newcomers_count
      from newcomers cross join long_pause cross join repeaters
    )
    select days, repeaters_count, older_count, newcomers_count from long_pause cross join repeaters cross join older`,
  );
}

/**
 * The first local day on which who is counted as new is: until then some may have ordered before the data begin. Notes and flags take it
 * from here. Null where no orders are loaded.
 */
export function newFrom(
  [known]: readonly KnownSince[],
  asked: Pick<AskedDays, 'timezone' | 'facts'>,
): Temporal.PlainDate | null {
  const start = historyStart(asked);
  return start === null || known === undefined ? null : start.add({ days: daysOf(known) });
}

/** The pauses of few customers are theirs. */
function pauseOf({ days, repeaters_count }: KnownSince): number | null {
  return days === null || repeaters_count < LEAST_SHARING ? null : Math.ceil(days);
}

function daysOf(known: KnownSince): number {
  return Math.min(MOST_DAYS, Math.max(LEAST_DAYS, pauseOf(known) ?? 0));
}

/**
 * Who ordered before the data begin is counted as new. How long this goes on, the pauses tell that customers make: where
 * nobody ordered twice, nothing does, and nothing is noted. Of whom a profile is older, it is said how many they are.
 */
export function knownSinceNotes(rows: readonly KnownSince[], asked: AskedDays): string[] {
  const [known] = rows;
  const start = historyStart(asked);
  const from = newFrom(rows, asked);
  if (start === null || from === null || known === undefined) return [];
  const [pause, days] = [pauseOf(known), daysOf(known)];
  const why =
    pause !== null && pause > LEAST_DAYS
      ? `, and one pause between orders in ten is of more than ${days} days`
      : '';
  const began =
    pause === null || asked.firstDate.toString() >= from.toString()
      ? []
      : [
          `Orders are loaded from ${start} on${why}: until ${from} some of those counted as new may have ordered before.`,
        ];
  const { older_count: older, newcomers_count: all } = known;
  if (!isTelling({ part: older, whole: all })) return began;
  const count = isSmall(older) ? `Under ${LEAST_SHARING}` : String(older);
  return [
    ...began,
    `${count} of those whose first loaded order is in the range have a profile from before ${start.subtract({ days })}, more than ${days} days before the loaded orders begin: they are counted as new, but whether they are is not known.`,
  ];
}

function historyStart({ timezone, facts }: Pick<AskedDays, 'timezone' | 'facts'>) {
  return facts.history_starts_at === null ? null : localDate(facts.history_starts_at, timezone);
}
