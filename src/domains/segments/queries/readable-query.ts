import { quoted, shortText } from '../../../text/business-text.ts';
import type { Conditions, ConditionType, Period, Products } from '../definitions/conditions.ts';
import type { Condition, SegmentQuery, UnknownBlock } from '../definitions/parse.ts';
import { type ReferenceType, referenceKey } from '../definitions/references.ts';

/** The names of things by `referenceKey`. Null or missing means that there is no such thing. */
export type ReferenceNames = ReadonlyMap<string, string | null>;

/**
 * The query in English, one line for each block: `Group 1: subscribed to interest list "News" (newsletter)`,
 * `Group 1, and: …`, `Group 2, or: …`.
 *
 * @param whom `Group` for the people meant, or another word for those left out
 */
export function readableQuery(
  query: SegmentQuery,
  names: ReferenceNames,
  whom: 'Group' | 'Excluded group',
): string[] {
  const { segments, problems } = query;
  if (segments.length === 0) {
    return [
      problems.length === 0 ? `${whom}: nobody, since the query has no segments` : notEvaluable(problems[0]),
    ];
  }
  return segments.flatMap((blocks, index) => {
    const group = `${whom} ${index + 1}${index === 0 ? '' : ', or'}`;
    if (blocks.length === 0) return [`${group}: everybody`];
    return blocks.map(
      (block, place) =>
        `${place === 0 ? group : `${whom} ${index + 1}, and`}: ${readableBlock(block, names)}`,
    );
  });
}

function readableBlock(block: Condition | UnknownBlock, names: ReferenceNames): string {
  if (block.type === null) return notEvaluable(block.reason);
  const read = READINGS[block.type] as (block: Condition['block'], name: Naming) => string;
  const reading = read(block.block, (type, id) => {
    const name = names.get(referenceKey({ type, id })) ?? null;
    if (name === null) return `${quoted(id)} (no longer exists)`;
    return name === id ? quoted(id) : `${quoted(name)} (${quoted(id)})`;
  });
  return block.block.negate ? `not: ${reading}` : reading;
}

function notEvaluable(reason = ''): string {
  return `not evaluable: ${reason}`;
}

/** A thing by its name and id, in quotation marks. */
type Naming = (type: ReferenceType, id: string) => string;

const READINGS: { readonly [Type in ConditionType]: (block: Conditions[Type], name: Naming) => string } = {
  interest_list: ({ operator, value }, name) => {
    const verb = {
      is_subscribed: 'subscribed to',
      is_not_subscribed: 'not subscribed to',
      was_unsubscribed: 'unsubscribed from',
    }[operator];
    return `${verb} interest list ${anyOf(value.map((code) => name('interest_list', code)))}`;
  },
  consent: ({ value }) => `${CHANNEL[value.channel]} consent is ${words(value.state)}`,
  suppressed: ({ value }) => (value ? 'is suppressed' : 'is not suppressed'),
  subscribed_at: ({ operator, value, channel, period }) =>
    `subscribed${channel === undefined ? '' : ` to ${CHANNEL[channel]}`} ${
      operator === 'in_period' ? inPeriod(period) : `${operator} ${value}`
    }`,
  source: ({ operator, value }) =>
    `was acquired ${operator === 'is' ? 'by' : 'by other than'} ${anyOf(value.map(quoted))}`,
  last_activity: ({ period }) => `last active ${inPeriod(period)}`,
  order_count: ({ operator, value, period }) =>
    `number of orders ${compared(operator, value)}, ${inPeriod(period)}`,
  order_value_total: ({ operator, value, period }) =>
    `total value of orders ${compared(operator, value)}, ${inPeriod(period)}`,
  average_order_value: ({ operator, value, period }) =>
    `average order value ${compared(operator, value)}, ${inPeriod(period)}`,
  first_order_at: ({ period }) => `first order ${inPeriod(period)}`,
  last_order_at: ({ period }) => `last order ${inPeriod(period)}`,
  bought: ({ operator, of, period }, name) =>
    `bought ${productNames(operator, of, name)}, ${inPeriod(period)}`,
  viewed: ({ operator, of, min_count, period }, name) =>
    `viewed ${productNames(operator, of, name)} at least ${times(min_count)}, ${inPeriod(period)}`,
  added_to_cart: ({ operator, of, period }, name) =>
    `added ${productNames(operator, of, name)} to the cart, ${inPeriod(period)}`,
  cart_abandoned: ({ period }) => `left a cart without ordering, ${inPeriod(period)}`,
  watched: ({ operator, of, period }, name) =>
    `has ${productNames(operator, of, name)} on the wish list or asked to be told of it, ${inPeriod(period)}`,
  rfm_segment: ({ operator, value }, name) =>
    `RFM segment ${words(operator)} ${anyOf(value.segments.map(quoted))}${inProfile(value.rfm_profile_id, name)}`,
  rfm_score: ({ operator, value }, name) =>
    `RFM ${value.dimension} score ${compared(operator, value.score)}${inProfile(value.rfm_profile_id, name)}`,
  campaign: ({ operator, value, campaign_type, link, period }, name) => {
    const verb = {
      sent: 'was sent',
      opened: 'opened',
      clicked: 'clicked in',
      not_opened: 'did not open',
      not_clicked: 'did not click in',
      ordered: 'ordered after',
    }[operator];
    const links = link === undefined ? '' : `, link ${anyOf(link.map(quoted))}`;
    const campaigns =
      value === undefined ? 'any campaign' : `campaign ${anyOf(value.map((id) => name('campaign', id)))}`;
    const types = campaign_type === undefined ? '' : ` of type ${anyOf(campaign_type.map(quoted))}`;
    return `${verb} ${campaigns}${types}${links}, ${inPeriod(period)}`;
  },
  messages_received: ({ operator, value, channel, period }) =>
    `number of ${channel === undefined ? '' : `${CHANNEL[channel]} `}messages received ${compared(operator, value)}, ${inPeriod(period)}`,
  session: ({ value, channel, source, landing_page, period }) =>
    [
      `visited the shop at least ${times(value)}`,
      ...(channel === undefined ? [] : [`channel ${anyOf(channel.map(quoted))}`]),
      ...(source === undefined ? [] : [`source ${anyOf(source.map(quoted))}`]),
      ...(landing_page === undefined ? [] : [`landing page ${anyOf(landing_page.map(quoted))}`]),
      inPeriod(period),
    ].join(', '),
  tag: ({ operator, value }) => {
    const verb = { has: 'has tag', has_not: 'does not have tag', value_eq: 'has tag' }[operator];
    return `${verb} ${quoted(value.name)}${operator === 'value_eq' ? ` with ${json(value.data)}` : ''}`;
  },
  attribute: ({ operator, value }) => {
    const verb = { eq: 'is', in: 'is one of', contains: 'contains', exists: 'is known' }[operator];
    return `attribute ${quoted(value.name)} ${verb}${operator === 'exists' ? '' : ` ${json(value.value)}`}`;
  },
  birthday: ({ value }) => `has a birthday within ${value} days`,
  name_day: ({ value }) => `has a name day within ${value} days`,
  coupon_used: ({ value, period }) => `used coupon ${anyOf(value.map(quoted))}, ${inPeriod(period)}`,
  segment: ({ operator, value }, name) =>
    `${operator === 'in' ? 'in' : 'not in'} saved segment ${anyOf(value.map((id) => name('segment', id)))}`,
  random_split: ({ value }) =>
    `random split from ${value.from} to ${value.to} %, seed ${quoted(String(value.seed))}`,
};

const CHANNEL = { email: 'e-mail', sms: 'SMS' } as const;

function words(key: string): string {
  return key.replaceAll('_', ' ');
}

function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}

const MOST_NAMED = 20;

function list(names: readonly string[], word: 'or' | 'and'): string {
  const shown = names.slice(0, MOST_NAMED);
  if (names.length > MOST_NAMED) shown.push(`${names.length - MOST_NAMED} more`);
  const last = shown.pop() ?? '';
  return shown.length === 0 ? last : `${shown.join(', ')} ${word} ${last}`;
}

function anyOf(names: readonly string[]): string {
  return list(names, 'or');
}

function productNames(operator: 'any' | 'all', of: Products, name: Naming): string {
  const named = (['product', 'master_product', 'category', 'brand'] as const).flatMap((type) =>
    (of[type] ?? []).map((id) => `${words(type)} ${name(type, id)}`),
  );
  return list(named, operator === 'any' ? 'or' : 'and');
}

function inProfile(id: string | undefined, name: Naming): string {
  return id === undefined ? '' : ` in RFM profile ${name('rfm_profile', id)}`;
}

function compared(operator: string, value: number | { readonly from: number; readonly to: number }): string {
  if (typeof value === 'object') return `from ${value.from} to ${value.to}`;
  return `${{ gte: 'at least', lte: 'at most' }[operator] ?? 'exactly'} ${value}`;
}

function inPeriod(period: Period | undefined): string {
  if (period === undefined) return 'at any time';
  const { last_days, more_than_days_ago, from, to } = period;
  if (last_days !== undefined) return `in the last ${last_days} days`;
  if (more_than_days_ago !== undefined) return `more than ${more_than_days_ago} days ago`;
  return [...(from === undefined ? [] : [`from ${from}`]), ...(to === undefined ? [] : [`to ${to}`])].join(
    ' ',
  );
}

/** A value as JSON, which is text in quotation marks too; long ones are cut. */
function json(value: unknown): string {
  return typeof value === 'string' ? quoted(value) : shortText(JSON.stringify(value) ?? 'nothing', 200);
}
