import { shownNames } from '../../../answers/existing-names.ts';
import {
  AS_NAMED,
  column,
  field,
  fieldsNamed,
  nullableColumn,
  type ObjectOf,
} from '../../../answers/fields/field.ts';
import { choice, count, flag, list, text } from '../../../answers/fields/kinds-of-fields.ts';
import { query } from '../../../answers/fields/query.ts';
import { periodFields, periodStartColumn, totalCount } from '../../../answers/fields/shared-fields.ts';
import { counted, emptyRow, rate, selectMetrics } from '../../../answers/metric.ts';
import { rankedPage } from '../../../answers/ranking.ts';
import { LEAST_SHARING } from '../../../answers/shared-values.ts';
import { groupsOfFew, OTHERS, partOf, withShownKey } from '../../../answers/small-groups.ts';
import { sendingDomains, sends } from '../../../model-table/table-names.ts';
import type { Paging, Sorting } from '../../../sql/page.ts';
import { parameter, type Sql, sql } from '../../../sql/sql.ts';
import { type Periods, periodStart } from '../../../time/periods.ts';
import { emailActivity, emailMeasures } from './email-activity.ts';

/** The condition for a kind of rows; `bounce_reason` has only bounces. */
const groupings = {
  mailbox_provider: sql`coalesce(mailbox_provider, '(not set)')`,
  recipient_domain: sql`coalesce(recipient_domain, '(not set)')`,
  sending_domain: sql`coalesce(sending_domain, '(not set)')`,
  bounce_reason: sql`bounce_class`,
};
export type DeliveryGrouping = keyof typeof groupings;
/**
 * The groupings that people choose for themselves. Small groups get no row of their own, see small-groups.ts.
 */
const PERSONAL: readonly DeliveryGrouping[] = ['mailbox_provider', 'recipient_domain'];
export const DELIVERY_GROUPINGS = Object.keys(groupings) as [DeliveryGrouping, ...DeliveryGrouping[]];

/** The providers that tell senders nothing of complaints. */
const PROVIDERS_WITHOUT_COMPLAINTS = parameter.texts(['gmail', 'apple']);

const deliveryMeasures: Sql = sql`
  ${emailMeasures},
  count(*) filter (where outcome = 'block') as blocked,
  count(*) filter (where is_mailbox_full) as mailbox_full,
  count(*) filter (where mailbox_provider in (${PROVIDERS_WITHOUT_COMPLAINTS})) as without_complaints`;

const deliveryMetrics = [
  counted('messages', 'block_bounces_count', 'Soft bounces by policy or reputation.', sql`blocked`),
  counted('messages', 'mailbox_full_count', AS_NAMED, sql`mailbox_full`),
  rate(
    'machine_open_share',
    'By machines alone / sends with any open.',
    sql`opened_by_machine`,
    sql`(opened + opened_by_machine)`,
  ),
];

/** The rates from which a row is to be watched, or is bad. */
const DELIVERY_STATUS = {
  leastSent: 200,
  /** These limits are our convention. */
  bounceRate: { watch: 2, bad: 5 },
  /** These limits are the rules of Gmail and Yahoo for senders. */
  complaintRate: { watch: 0.1, bad: 0.3 },
  /** If machines alone made more than this percentage of the opens, opens say nothing about people. */
  machineShare: 20,
} as const;

const { leastSent, bounceRate, complaintRate, machineShare } = DELIVERY_STATUS;
export const DELIVERY_STATUS_RULE =
  `bad: bounce_rate >= ${bounceRate.bad} or spam_complaint_rate >= ${complaintRate.bad}; watch: ` +
  `>= ${bounceRate.watch}, >= ${complaintRate.watch}, or open_rate below half of the total unless machine_open_share > ${machineShare}; ` +
  `not_enough_data: under ${leastSent} sent; else ok.`;

const metrics = [...emailActivity, ...deliveryMetrics];

const externalSpamRate = field({
  key: 'external_spam_rate',
  type: 'number',
  unit: 'percent',
  null: 'none loaded, or other rows',
  definition:
    'Marked as spam by Gmail readers / in their inboxes (Google Postmaster Tools); no source tells of spam folders.',
});
const complaintsAvailable = field({
  key: 'complaints_available',
  type: 'boolean',
  definition: 'False: its providers report no complaints (Gmail, Apple), so 0 means nothing.',
});
const bounceClass = text('bounce_class', 'hard, soft or block.');
const smtpCode = text('smtp_code', 'Of the server.', 'not told');
const sample = text('sample', 'Text of one of the bounces. Business data.', 'not told');

const status = choice('status', ['ok', 'watch', 'bad', 'not_enough_data'], DELIVERY_STATUS_RULE);

/** The fields of rows, and of the whole. */
export const deliveryFields = [
  ...metrics,
  externalSpamRate,
  complaintsAvailable,
  list('top_reasons', 'At most 5 reasons of bounces.', [
    bounceClass,
    smtpCode,
    count('messages', 'count', 'Bounces for the reason.'),
    sample,
  ]),
  status,
];

export const deliveryKey = field({
  key: 'key',
  type: 'text',
  isKey: true,
  definition: `Provider, domain or bounce class; (not set) when unknown, ${OTHERS}: of under ${LEAST_SHARING} people each and the next smallest where these are few together, (all) of the whole.`,
});

/** The metrics of a row in each period: fewer than those of the range, since there are many periods. */
const PERIOD_METRICS = fieldsNamed(metrics, [
  'sent_count',
  'hard_bounces_count',
  'soft_bounces_count',
  'block_bounces_count',
  'delivery_rate',
  'bounce_rate',
  'open_rate',
  'machine_open_share',
  'unsubscribe_rate',
  'spam_complaints_count',
  'spam_complaint_rate',
]);
export const deliveryPeriodFields = [...periodFields, deliveryKey, ...PERIOD_METRICS, status];

const KEY = column('key', 'text');
const WHOLE = [totalCount, complaintsAvailable, ...metrics];
const ROW = [KEY, externalSpamRate, complaintsAvailable, ...metrics];
const REASON = [
  nullableColumn('row_key', 'text'),
  bounceClass,
  smtpCode,
  column('bounces', 'integer'),
  sample,
];
type Reason = ObjectOf<typeof REASON>;
type Rates = Pick<
  ObjectOf<typeof WHOLE>,
  'sent_count' | 'bounce_rate' | 'spam_complaint_rate' | 'open_rate' | 'machine_open_share'
>;

const columns = sql`cast(sent > without_complaints or sent = 0 as boolean) as complaints_available,
  ${selectMetrics(metrics)}`;

interface DeliveryListing extends Sorting, Paging {
  readonly group_by: DeliveryGrouping;
}

/**
 * One page of rows.
 *
 * @param sent a condition over `sends`
 */
export function listDelivery(sent: Sql, listing: DeliveryListing) {
  const rows = sql`
    select row_key as key, external_spam_rate, ${columns}
    from (${deliveryByRow(sent, listing.group_by)}) as measures
    left join (select domain as row_key, external_spam_rate from ${sendingDomains}
      where ${listing.group_by === 'sending_domain' ? sql`true` : sql`false`}) as reported using (row_key)`;
  return query(ROW, rankedPage(rows, listing, 'key', metrics));
}

function deliveryByRow(sent: Sql, grouping: DeliveryGrouping): Sql {
  return sql`
    select row_key, ${deliveryMeasures}
    from (${keyedSends(sent, grouping, fewInRange(sent, grouping))}) as keyed
    where ${isInSomeRow(grouping)}
    group by row_key`;
}

/** What was sent, with the `row_key` of each. */
function keyedSends(sent: Sql, grouping: DeliveryGrouping, few: Sql): Sql {
  const rows = sql`select *, ${groupings[grouping]} as own_key from ${sends} where ${sent}`;
  if (!PERSONAL.includes(grouping)) return sql`select *, own_key as row_key from (${rows}) as keyed`;
  return sql`select *, shown_key as row_key from (${withShownKey(rows, few)}) as shown`;
}

function fewInRange(sent: Sql, grouping: DeliveryGrouping): Sql {
  return groupsOfFew(
    sql`select ${groupings[grouping]} as own_key, 0 as part, customer_key as person from ${sends} where ${sent}`,
  );
}

function isInSomeRow(grouping: DeliveryGrouping): Sql {
  return grouping === 'bounce_reason' ? sql`outcome <> 'delivered'` : sql`true`;
}

/** The whole of what was sent, and of how many rows it is. */
export function deliveryTotals(sent: Sql, grouping: DeliveryGrouping) {
  return query(
    WHOLE,
    sql`
    select total_count, ${columns}
    from (
      select count(distinct row_key) as total_count, ${deliveryMeasures}
      from (${keyedSends(sent, grouping, fewInRange(sent, grouping))}) as keyed
    ) as measures`,
  );
}

/** The key of the whole. */
const ALL = '(all)';

const BUCKET = [periodStartColumn, KEY, ...PERIOD_METRICS];

/**
 * The whole, the rows of the page and the others by period: those in which anything was sent. Whoever are few
 * in some period are among the others in all of them.
 *
 * @param sent the condition over `sends` of the range, which the page is of
 * @param sentDuring the same of whole periods
 */
export function deliveryByPeriod(sent: Sql, sentDuring: Sql, periods: Periods, listing: DeliveryListing) {
  const { group_by } = listing;
  const start = periodStart(periods.breakdown, sql`sent_date`);
  const members = sql`
    select ${groupings[group_by]} as own_key, ${partOf(start, sent)} as part, customer_key as person
    from ${sends} where ${sentDuring}`;
  const few = groupsOfFew(members, fewInRange(sent, group_by));
  return query(
    BUCKET,
    sql`
    with shown as (${keysOfPage(sent, listing)})
    select period_start, row_key as key, ${selectMetrics(PERIOD_METRICS)}
    from (
      select ${start} as period_start, row_key, ${deliveryMeasures}
      from (${keyedSends(sentDuring, group_by, few)}) as keyed
      where ${isInSomeRow(group_by)}
        and (row_key in (select key from shown) or row_key = ${parameter.text(OTHERS)})
      group by period_start, row_key
      union all
      select ${start} as period_start, ${parameter.text(ALL)} as row_key, ${deliveryMeasures}
      from ${sends} where ${sentDuring}
      group by period_start
    ) as measures`,
  );
}

/**
 * Every period of the whole and of each row, also those without a message; rows of few in some period are
 * among the others.
 */
export function deliveryPeriods(
  { list }: Periods,
  page: readonly string[],
  buckets: readonly ObjectOf<typeof BUCKET>[],
) {
  // Every row has messages in the range, so in some period.
  const withPeriods = new Set(buckets.map(({ key }) => key));
  const own = page.filter((key) => withPeriods.has(key));
  const hidden = page.filter((key) => !withPeriods.has(key));
  const keys = hidden.length > 0 && !own.includes(OTHERS) ? [...own, OTHERS] : own;
  const byPlace = new Map(buckets.map((bucket) => [`${bucket.period_start} ${bucket.key}`, bucket]));
  const nothing = emptyRow(PERIOD_METRICS);
  const periods = list.flatMap((period) => {
    const of = (key: string) => ({
      ...nothing,
      ...byPlace.get(`${period.period_start} ${key}`),
      ...period,
      key,
    });
    return [ALL, ...keys].map((key) => ({ ...of(key), status: statusOf(of(key), of(ALL)) }));
  });
  return { periods, notes: hidden.length > 0 ? [otherPeriodsNote(hidden)] : [] };
}

/** @param hidden names of groups */
function otherPeriodsNote(hidden: readonly string[]): string {
  return `In periods, these are in ${OTHERS}, since some of them are of under ${LEAST_SHARING} people in some period: ${shownNames(hidden)}. A coarser breakdown shows more.`;
}

function keysOfPage(sent: Sql, listing: DeliveryListing): Sql {
  const rows = sql`
    select row_key as key, ${selectMetrics(emailActivity)}
    from (${deliveryByRow(sent, listing.group_by)}) as measures`;
  return sql`select key from (${rankedPage(rows, listing, 'key', metrics)}) as rows_of_page`;
}

const REASONS = sql`5`;

/** The most frequent bounces of each row, and of the whole (a null key). */
export function bounceReasons(sent: Sql, listing: DeliveryListing) {
  return query(
    REASON,
    sql`
    with bounces as (
      select row_key, bounce_class, smtp_code, reason_text
      from (${keyedSends(sent, listing.group_by, fewInRange(sent, listing.group_by))}) as keyed
      where outcome <> 'delivered'
    ),
    shown as (${keysOfPage(sent, listing)}),
    reasons as (
      select row_key, bounce_class, smtp_code, count(*) as bounces, min(reason_text) as sample
      from bounces where row_key in (select key from shown)
      group by row_key, bounce_class, smtp_code
      union all
      select cast(null as varchar), bounce_class, smtp_code, count(*), min(reason_text)
      from bounces group by bounce_class, smtp_code
    )
    select row_key, bounce_class, smtp_code, bounces, sample
    from (
      select row_key, bounce_class, smtp_code, bounces, sample,
        row_number() over (partition by row_key order by bounces desc, bounce_class, smtp_code nulls last) as place
      from reasons
    ) as ranked
    where place <= ${REASONS}
    order by row_key, place`,
  );
}

const setUp = <const Key extends string>(key: Key, what: string) =>
  field({ key, type: 'text', null: 'not loaded', definition: `How ${what} is set up, as loaded.` });

export const domainFields = [
  text('domain', 'Of the sender.'),
  setUp('spf', 'SPF'),
  setUp('dkim', 'DKIM'),
  setUp('dmarc', 'DMARC'),
  flag('one_click_unsubscribe', 'Whether one click unsubscribes, by RFC 8058.', 'not loaded'),
];

/** Domains that sent in the range or that something is known of. */
export function domainsOfSender(sent: Sql) {
  return query(
    domainFields,
    sql`
    select domain, spf, dkim, dmarc, one_click_unsubscribe
    from (
      select sending_domain as domain from ${sends} where ${sent} and sending_domain is not null
      union distinct
      select domain from ${sendingDomains}
    ) as domains
    left join ${sendingDomains} using (domain)
    order by domain`,
  );
}

/** A row with its bounces and how it is to be judged, beside the whole. */
export function deliveryRow<One extends Rates>(row: One, whole: Rates, reasons: readonly Reason[]) {
  return {
    ...row,
    top_reasons: reasons.map(({ bounce_class, smtp_code, bounces, sample }) => ({
      bounce_class,
      smtp_code,
      count: bounces,
      sample,
    })),
    status: statusOf(row, whole),
  };
}

function statusOf(row: Rates, whole: Rates): ObjectOf<typeof deliveryFields>['status'] {
  if (Number(row.sent_count) < DELIVERY_STATUS.leastSent) return 'not_enough_data';
  const rates = {
    bounceRate: Number(row.bounce_rate),
    complaintRate: Number(row.spam_complaint_rate),
  };
  const reaches = (level: 'watch' | 'bad') =>
    (['bounceRate', 'complaintRate'] as const).some((rate) => rates[rate] >= DELIVERY_STATUS[rate][level]);
  if (reaches('bad')) return 'bad';
  const isRarelyOpened =
    row.open_rate !== null &&
    Number(row.machine_open_share) <= machineShare &&
    Number(row.open_rate) < Number(whole.open_rate) / 2;
  return reaches('watch') || isRarelyOpened ? 'watch' : 'ok';
}
