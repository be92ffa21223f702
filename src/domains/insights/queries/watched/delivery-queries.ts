import type { Temporal } from 'temporal-polyfill';
import { column, type ObjectOf } from '../../../../answers/fields/field.ts';
import { type Query, query } from '../../../../answers/fields/query.ts';
import type { SnapshotFacts } from '../../../../business/snapshot-facts.ts';
import { sends } from '../../../../model-table/table-names.ts';
import { join, parameter, type Sql, sql } from '../../../../sql/sql.ts';
import { earliest, type WatchedDays, wholeUntil } from './watched-days.ts';

/** Messages are told apart by one of these; `all` is a channel as a whole. */
export type DeliveryCut = 'all' | 'mailbox_provider' | 'sending_domain' | 'country';

/** The days over which messages are judged: newsletters and campaigns of SMS are sent on few of them. */
export const RECENT_DAYS = 28;
/** The number of spans, of that length and before these days, that tell what is usual. */
const PAST_SPANS = 13;
/** A value with fewer messages in the last 28 days is not judged. */
export const LEAST_SENT = 50;
/** The most values of a cut that are judged, the most sent first: each is a chance to be wrong. */
const MOST_VALUES = 50;

const SENT = [
  column('channel', 'text'),
  column('cut', 'text'),
  column('value', 'text'),
  column('days_ago', 'integer'),
  column('sent_count', 'integer'),
  column('failed_count', 'integer'),
  column('values_count', 'integer'),
  column('shown_count', 'integer'),
];
/**
 * Messages of one of the last 28 days, or of a span of 28 days before them, which begins `days_ago`.
 * `values_count` values of the cut have enough messages; `shown_count` of them are among these rows.
 */
export type SentRow = ObjectOf<typeof SENT>;

/** The last judged day that messages are loaded of; null: none of them. */
export function lastDelivered(
  { from, to }: WatchedDays,
  timezone: string,
  facts: SnapshotFacts,
): Temporal.PlainDate | null {
  const whole = wholeUntil('messages', timezone, facts);
  if (whole === null) return null;
  const last = earliest(whole, to);
  return last.since(from).sign < 0 ? null : last;
}

/** Messages of which it is known whether they were delivered. */
const IS_KNOWN = sql`channel in ('email', 'sms') and outcome <> 'pending'`;
const IS_FAILED = sql`outcome <> 'delivered'`;

const CUTS = sql`
  select 'all' as cut union all select 'mailbox_provider' as cut
  union all select 'sending_domain' as cut union all select 'country' as cut`;

/**
 * Messages of the last 392 days and what of them failed, counted in one pass; null where none of the judged
 * days is loaded.
 */
export function sentByDay(days: WatchedDays, timezone: string, facts: SnapshotFacts): Query<SentRow> | null {
  const last = lastDelivered(days, timezone, facts);
  if (last === null) return null;
  const recent = parameter.integer(RECENT_DAYS);
  return query(
    SENT,
    sql`
    with dated as (
      select channel, mailbox_provider, sending_domain, country, ${IS_FAILED} as is_failed,
        date_diff('day', sent_date, ${parameter.date(last.toString())}) as ago
      from ${sends} where ${IS_KNOWN} and ${sentIn(last, RECENT_DAYS * (PAST_SPANS + 1))}
    ),
    counted as (
      select channel, mailbox_provider, sending_domain, country,
        case when ago < ${recent} then ago else ago - ago % ${recent} end as days_ago,
        count(*) as messages, count(*) filter (where is_failed) as failures
      from dated group by channel, mailbox_provider, sending_domain, country, days_ago
    ),
    valued as (
      select channel, cut, days_ago, messages, failures, case cut when 'all' then '' when 'mailbox_provider' then mailbox_provider
        when 'sending_domain' then sending_domain else country end as value
      from counted cross join (${CUTS}) as cuts
    ),
    summed as (
      select channel, cut, value, days_ago, sum(messages) as sent_count, sum(failures) as failed_count
      from valued where value is not null group by channel, cut, value, days_ago
    ),
    sized as (
      select *, sum(case when days_ago < ${recent} then sent_count else 0 end) over (partition by channel, cut, value) as size
      from summed
    ),
    ranked as (
      select *, dense_rank() over (partition by channel, cut order by size desc, value) as place
      from sized where cut = 'all' or size >= ${parameter.integer(LEAST_SENT)}
    ),
    numbered as (select *, max(place) over (partition by channel, cut) as values_count from ranked)
    select channel, cut, value, days_ago, sent_count, failed_count, values_count,
      least(values_count, ${parameter.integer(MOST_VALUES)}) as shown_count
    from numbered where place <= ${parameter.integer(MOST_VALUES)}
    order by channel, cut, value, days_ago`,
  );
}

/** A value that takes messages no more, and the days that its row is about. */
export interface BrokenValue {
  readonly channel: string;
  readonly cut: DeliveryCut;
  readonly value: string;
  readonly days: number;
}

const CROSSED = [
  column('channel', 'text'),
  column('mailbox_provider', 'text'),
  column('sending_domain', 'text'),
  column('country', 'text'),
  column('days', 'integer'),
  column('sent_count', 'integer'),
  column('failed_count', 'integer'),
];
/** Messages of the last `days` alone, by the broken values that they are of; '' is any other value. */
export type CrossedRow = ObjectOf<typeof CROSSED>;

const COMMON = [
  column('place', 'integer'),
  column('what', 'text'),
  column('value', 'text'),
  column('sent_count', 'integer'),
  column('failed_count', 'integer'),
  column('people_count', 'integer'),
];
/**
 * What most of the failures of the broken value in that place have in common, and all of its messages that
 * have it; people of failures.
 */
export type CommonRow = ObjectOf<typeof COMMON>;

/**
 * How many people the messages of the broken value in that place went to, of which it is known whether they
 * were delivered; of the others, how many messages there are.
 */
const PEOPLE = [
  column('place', 'integer'),
  column('people_count', 'integer'),
  column('pending_count', 'integer'),
];
export type PeopleRow = ObjectOf<typeof PEOPLE>;

/** What is asked of broken values, and only where there are any. */
export function brokenQueries(broken: readonly BrokenValue[], last: Temporal.PlainDate) {
  if (broken.length === 0) return { crossed: null, common: null, people: null };
  return { crossed: crossedOf(broken, last), common: commonOf(broken, last), people: peopleOf(broken, last) };
}

function crossedOf(broken: readonly BrokenValue[], last: Temporal.PlainDate): Query<CrossedRow> {
  const own = (cut: Exclude<DeliveryCut, 'all'>) => {
    const values = broken.filter((one) => one.cut === cut).map(({ value }) => value);
    const name = COLUMNS[cut];
    return values.length === 0
      ? sql`''`
      : sql`case when ${name} in (${parameter.texts(values)}) then ${name} else '' end`;
  };
  const spans = [...new Set(broken.map(({ days }) => days))];
  const rows = spans.map(
    (days) => sql`
    select channel, ${own('mailbox_provider')} as own_provider, ${own('sending_domain')} as own_domain,
      ${own('country')} as own_country, ${parameter.integer(days)} as days, ${IS_FAILED} as is_failed
    from ${sends} where ${IS_KNOWN} and ${sentIn(last, days)}`,
  );
  return query(
    CROSSED,
    sql`
    select channel, own_provider as mailbox_provider, own_domain as sending_domain, own_country as country, days,
      count(*) as sent_count, count(*) filter (where is_failed) as failed_count
    from (${join(rows, sql` union all `)}) as named
    group by channel, own_provider, own_domain, own_country, days`,
  );
}

/** What failures may have in common: how they are told, and by what else messages are told apart. */
export const IN_COMMON = [
  'mailbox_provider',
  'sending_domain',
  'country',
  'outcome',
  'smtp_code',
  'failure_reason',
] as const;
export type InCommon = (typeof IN_COMMON)[number];

const COLUMNS: Readonly<Record<InCommon, Sql>> = {
  mailbox_provider: sql`mailbox_provider`,
  sending_domain: sql`sending_domain`,
  country: sql`country`,
  outcome: sql`outcome`,
  smtp_code: sql`smtp_code`,
  failure_reason: sql`failure_reason`,
};

function commonOf(broken: readonly BrokenValue[], last: Temporal.PlainDate): Query<CommonRow> {
  const most = broken.flatMap((one, place) =>
    IN_COMMON.filter((what) => what !== one.cut).map(
      (what) => sql`
      select * from (
        select ${parameter.integer(place)} as place, ${parameter.text(what)} as what, ${COLUMNS[what]} as value,
          count(*) as sent_count, count(*) filter (where ${IS_FAILED}) as failed_count,
          count(distinct case when ${IS_FAILED} then customer_key end) as people_count
        from ${sends} where ${isOf(one, last)} and ${COLUMNS[what]} is not null
        group by ${COLUMNS[what]} order by failed_count desc, value limit 1
      ) as most`,
    ),
  );
  return query(COMMON, join(most, sql` union all `));
}

function peopleOf(broken: readonly BrokenValue[], last: Temporal.PlainDate): Query<PeopleRow> {
  const counts = broken.map(
    (one, place) => sql`
    select ${parameter.integer(place)} as place,
      count(distinct case when ${IS_KNOWN} then customer_key end) as people_count,
      count(*) filter (where outcome = 'pending') as pending_count
    from ${sends} where ${isSentTo(one, last)}`,
  );
  return query(PEOPLE, join(counts, sql` union all `));
}

function isOf(one: BrokenValue, last: Temporal.PlainDate): Sql {
  return sql`${IS_KNOWN} and ${isSentTo(one, last)}`;
}

function isSentTo({ channel, cut, value, days }: BrokenValue, last: Temporal.PlainDate): Sql {
  const own = cut === 'all' ? sql`` : sql` and ${COLUMNS[cut]} = ${parameter.text(value)}`;
  return sql`channel = ${parameter.text(channel)} and ${sentIn(last, days)}${own}`;
}

function sentIn(last: Temporal.PlainDate, days: number): Sql {
  const first = last.subtract({ days: days - 1 });
  return sql`sent_date between ${parameter.date(first.toString())} and ${parameter.date(last.toString())}`;
}
