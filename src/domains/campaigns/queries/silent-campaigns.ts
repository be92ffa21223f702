import type { Temporal } from 'temporal-polyfill';
import { column, field, nullableColumn, type ObjectOf } from '../../../answers/fields/field.ts';
import { query } from '../../../answers/fields/query.ts';
import { earliest, type SnapshotFacts } from '../../../business/snapshot-facts.ts';
import {
  abandonedCarts,
  audienceMembers,
  campaigns,
  consentChanges,
  orders,
  sends,
} from '../../../model-table/table-names.ts';
import { join, parameter, type Sql, sql } from '../../../sql/sql.ts';
import { localDate } from '../../../time/moment.ts';
import type { Range } from '../../../time/range.ts';
import {
  HABIT_DAYS,
  isBeyondHabit,
  QUIET_DAYS,
  usualPauses,
} from '../../messages/definitions/usual-pauses.ts';
import { ABANDONED_AFTER_MINUTES } from '../../products/tables/abandoned-carts.ts';

/**
 * An automation that has no usual pause misses messages only if its trigger has happened at least this often.
 * Where the people who entered tell of the trigger, at least this many must have entered: some of them leave
 * before the message, since they buy or unsubscribe.
 */
const ENOUGH_TRIGGERS = 5;

export const isSilentField = field({
  key: 'is_silent',
  type: 'boolean',
  definition: `Active, but without a message for at least ${QUIET_DAYS} days and at least twice its usual pause (9 of 10 of its pauses are no longer) until the end of the range, or of the loaded messages: probably broken. Where the data tell of what triggers it (carts left, first subscriptions, orders, of people with consent; else ${ENOUGH_TRIGGERS} entries), that has happened since. One that has sent on fewer than ${HABIT_DAYS} days is silent only where it goes to everybody and that has happened ${ENOUGH_TRIGGERS} times.`,
});

export const lastSentField = field({
  key: 'last_sent_at',
  type: 'moment',
  null: 'nothing sent',
  definition: 'The last message until the end of the range, also one before it.',
});

const HABIT = [
  column('campaign_id', 'text'),
  nullableColumn('last_sent_at', 'moment'),
  nullableColumn('created_at', 'moment'),
  column('state', 'text'),
  column('is_targeted', 'boolean'),
  column('sending_days', 'integer'),
  nullableColumn('usual_pause', 'number'),
  nullableColumn('triggers', 'integer'),
  nullableColumn('entries', 'integer'),
];

/**
 * What says whether automations are silent: when each last sent something, on how many days it did, how long
 * it usually pauses in days, and how often what triggers it has happened since its last message (since it was
 * made, when there is none), and how many entered to get a message; null where the data tell nothing of it.
 *
 * @param chosen a condition over `campaigns`
 * @param lastDay see `lastKnownDay`
 */
export function habits({ end }: Range, lastDay: Temporal.PlainDate, chosen: Sql, facts: SnapshotFacts) {
  const told = parameter.timestamp(earliest(end, facts.messages_until?.replace('Z', '') ?? null) ?? end);
  return query(
    HABIT,
    sql`
    with days as (
      select campaign_key, sent_date, latest_at, row_number() over (
        partition by campaign_key order by sent_date
      ) as place
      from (
        select campaign_key, sent_date, max(sent_at) as latest_at
        from ${sends}
        where sent_at < ${parameter.timestamp(end)} and sent_date <= ${parameter.date(lastDay.toString())}
          and campaign_key in (select campaign_key from ${campaigns} where ${chosen})
        group by campaign_key, sent_date
      ) as sent
    ),
    lasts as (
      select campaign_key, max(latest_at) as last_sent_at, count(*) as sending_days from days group by campaign_key
    ),
    pauses as (${usualPauses(sql`days`)}),
    described as (
      select campaign_key, campaign_id, channel, campaign_category, state, is_targeted, wait_minutes, last_at, made_at, days_count
      from (
        select campaign_key, campaign_id, channel, campaign_category, state, ${WAIT_MINUTES} as wait_minutes,
          created_at as made_at, segment_query is not null as is_targeted
        from ${campaigns} where ${chosen}
      ) as listed
      left join (
        select campaign_key, last_sent_at as last_at, sending_days as days_count from lasts
      ) as sent using (campaign_key)
    ),
    -- Only what these missed is looked for, which mostly is nothing.
    quiet as (
      select campaign_key, channel, campaign_category, wait_minutes, coalesce(last_at, made_at) as since_at
      from described where state = 'active' and coalesce(last_at, made_at) < ${quietBefore(lastDay)}
    ),
    known as (${join(
      Object.entries(TRIGGERS).map(([category, { rows }]) => seenTriggers(category, rows, told)),
      sql` union all `,
    )}),
    happened as (${join(
      Object.entries(TRIGGERS).map(([category, trigger]) => triggersOf(category, trigger, facts)),
      sql` union all `,
    )}),
    since as (
      select campaign_key, count(*) as triggers_count
      from quiet join happened using (campaign_category)
      where happened_at > since_at and ${isDue(sql`happened_at`, told)} and (to_channel = 'any' or to_channel = channel)
      group by campaign_key
    ),
    entries as (
      select campaign_key, count(*) filter (
          where outcome = 'sent' and entered_at > since_at and ${isDue(sql`entered_at`, told)}
        ) as entries_count
      from ${audienceMembers}
      join (select campaign_key, wait_minutes, coalesce(last_at, made_at) as since_at from described) as asked using (campaign_key)
      group by campaign_key
    )
    select campaign_id, last_at as last_sent_at, made_at as created_at, state,
      cast(is_targeted as boolean) as is_targeted, coalesce(days_count, 0) as sending_days, usual_pause,
      case when is_seen = 1 then coalesce(triggers_count, 0) end as triggers, entries_count as entries
    from described
    left join pauses using (campaign_key)
    left join known using (campaign_category)
    left join since using (campaign_key)
    left join entries using (campaign_key)`,
  );
}

/**
 * The moment before which a last message must lie for the automation to count as quiet, whatever the time
 * zone.
 */
function quietBefore(lastDay: Temporal.PlainDate) {
  return parameter.timestamp(`${lastDay.subtract({ days: QUIET_DAYS - 2 })}T00:00:00`);
}

/**
 * How long after its trigger an automation may write: a cart is abandoned only after a while, and where the
 * wait is not known, it may be as long as the days after which an automation is quiet.
 */
const WAIT_MINUTES = sql`
  case when campaign_category = 'abandoned_cart'
    then greatest(coalesce(delay_minutes, 0), ${parameter.integer(ABANDONED_AFTER_MINUTES)})
    else coalesce(delay_minutes, ${parameter.integer(QUIET_DAYS * 24 * 60)}) end`;

/** SQL: whether the message after the trigger was to be sent before the end of the known messages. */
function isDue(happenedAt: Sql, told: ReturnType<typeof parameter.timestamp>): Sql {
  return sql`${happenedAt} < ${told} and date_diff('minute', ${happenedAt}, ${told}) > wait_minutes`;
}

interface Trigger {
  /** Rows of `customer_key`, `happened_at` and, where only one channel is concerned, `to_channel`. */
  readonly rows: Sql;
  /** Whether only people are meant who agreed to messages of the channel. */
  readonly needsConsent: boolean;
}

const ordered = sql`
  select customer_key, ordered_at as happened_at, 'any' as to_channel
  from ${orders} where is_valid and customer_key is not null`;

/** The triggers that the data contain, by the category of the automations that they start. */
const TRIGGERS: Readonly<Record<string, Trigger>> = {
  abandoned_cart: {
    rows: sql`select customer_key, changed_at as happened_at, 'any' as to_channel from ${abandonedCarts}`,
    needsConsent: true,
  },
  welcome: {
    rows: sql`
      select customer_key, changed_at as happened_at, channel as to_channel from ${consentChanges} where is_first`,
    needsConsent: false,
  },
  post_purchase: { rows: ordered, needsConsent: true },
  review_request: { rows: ordered, needsConsent: true },
  transactional: { rows: ordered, needsConsent: false },
};

/** Whether there are such triggers at all; if not, the data do not contain them. */
function seenTriggers(category: string, rows: Sql, until: ReturnType<typeof parameter.timestamp>): Sql {
  return sql`
    select ${parameter.text(category)} as campaign_category, max(case when happened_at < ${until} then 1 else 0 end) as is_seen
    from (${rows}) as seen`;
}

function triggersOf(category: string, { rows, needsConsent }: Trigger, facts: SnapshotFacts): Sql {
  const name = sql`${parameter.text(category)} as campaign_category`;
  const isMissed = sql`happened_at > (select min(since_at) from quiet)`;
  if (!needsConsent || facts.consents_until === null) {
    return sql`select ${name}, happened_at, to_channel from (${rows}) as anyone where ${isMissed}`;
  }
  return sql`
    select ${name}, happened_at, channel as to_channel
    from (${rows}) as anyone join ${consentChanges} using (customer_key)
    where ${isMissed} and state = 'subscribed' and changed_at <= happened_at and coalesce(ends_at > happened_at, true)`;
}

/**
 * Whether a campaign is silent, by its `habits`. If no messages are loaded, no campaign is silent: nobody
 * knows what it sends.
 */
export function isSilent(
  habit: ObjectOf<typeof HABIT>,
  lastDay: Temporal.PlainDate,
  timezone: string,
  facts: SnapshotFacts,
): boolean {
  const since = habit.last_sent_at ?? habit.created_at;
  if (habit.state !== 'active' || facts.messages_until === null || since === null) return false;
  const quietDays = localDate(since, timezone).until(lastDay, { largestUnit: 'day' }).days;
  const isLong = isBeyondHabit(quietDays, habit);
  if (isLong === null) {
    return !habit.is_targeted && (habit.triggers ?? habit.entries ?? 0) >= ENOUGH_TRIGGERS;
  }
  const isTriggered =
    habit.triggers === null ? (habit.entries ?? ENOUGH_TRIGGERS) >= ENOUGH_TRIGGERS : habit.triggers > 0;
  return isTriggered && isLong;
}
