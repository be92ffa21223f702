import { HOW_TO_SET_VAT } from '../../../../answers/profit-notes.ts';
import { isTelling } from '../../../../answers/telling-share.ts';
import { type Assumption, describeRate } from '../../../../business/assumptions.ts';
import { hasRefundLines, hasRefunds, type SnapshotFacts } from '../../../../business/snapshot-facts.ts';
import { roundedPercent } from '../../../../statistics/rounded.ts';
import { plural } from '../../../../text/plural.ts';
import type { Range } from '../../../../time/range.ts';
import { adCostDaysNotes } from '../../../traffic/queries/ad-cost-days.ts';
import { lookBackNotes } from '../../../traffic/queries/look-back-notes.ts';
import { type DimensionName, isPeriod } from '../dimensions.ts';
import { comparedNotes, cutPeriodNotes } from '../metric-notes.ts';
import { ordersFact } from '../order-facts.ts';
import type { Question } from '../question.ts';
import { cutsLines } from './line-parts.ts';
import { type Cost, type Parts, statementOf } from './profit-lines.ts';

interface Told {
  /** All of the range. */
  readonly total: Parts;
  /** All of the compared range. */
  readonly before: Parts | null;
  readonly by: DimensionName | null;
  /** What orders by no visit came to; of no account where rows are no channels. */
  readonly untracked: number;
  readonly range: Range;
  readonly compared: Question['compared'];
  readonly facts: SnapshotFacts;
  readonly timezone: string;
  /** Assumptions in another currency than that of the store. */
  readonly unusable: readonly Assumption[];
}

/** A reader must know this before the lines: what is not known comes first. */
export function statementNotes(told: Told): string[] {
  const { total, before, by, untracked, range, compared, facts, timezone, unusable } = told;
  const dimensions = by === null ? [] : [by];
  const isMarginKnown = statementOf(total).some(({ line, amount }) => line === 'margin_1' && amount !== null);
  const returned = isMarginKnown ? returnedNotes(total) : [];
  return [
    ...(by === 'channel' ? untrackedNotes(untracked, total) : []),
    ...(by === 'channel' ? lookBackNotes(range, compared?.range ?? null, timezone, facts) : []),
    ...(cutsLines(by) ? returned : []),
    ...vatNotes(total),
    ...goodsNotes(total, isMarginKnown),
    ...(isMarginKnown ? costNotes(total) : []),
    ...recordedNotes(total),
    ...(before === null ? [] : unlikeNotes(total, before)),
    ...(cutsLines(by) ? [] : returned),
    ...refundNotes(total, by),
    ...(cutsLines(by) && hasRefunds(facts) && !hasRefundLines(facts)
      ? [`Refunds do not tell what came back: by ${by} nothing is taken off for them.`]
      : []),
    ...(hasRefunds(facts)
      ? []
      : ['No refunds are loaded: nothing is taken off for them, so all sums are at most what is said.']),
    ...unusable.map(
      (one) => `Not counted, as it is not in the currency of the store: ${one.kind}, ${describeRate(one)}.`,
    ),
    ...(by === null || isPeriod(by) ? [] : notToldApart(by)),
    ...(by === 'coupon'
      ? ['An order with several coupons is in the statement of each: they do not add up to (total).']
      : by === 'category'
        ? ['A product in several categories is in the statement of each: they do not add up to (total).']
        : []),
    ...cutPeriodNotes({ dimensions, range }),
    ...comparedNotes({ compared, range, facts: [ordersFact] }, facts, timezone),
    ...adCostDaysNotes(range, timezone, facts),
  ];
}

/**
 * With less of the sales at no visit than this percentage, channels are judged by nearly all that they sold.
 */
const LEAST_UNTRACKED = 5;

/** A channel bears all that its advertising cost, and has a part of what it sold. */
function untrackedNotes(untracked: number, { paid, spent }: Parts): string[] {
  const share = roundedPercent(untracked, paid) ?? 0;
  if ((spent?.advertising.amount ?? 0) <= 0 || share < LEAST_UNTRACKED) return [];
  return [
    `${Math.round(share)} % of orders_revenues (${Math.round(untracked / 10_000)}) are at (untracked), by no known visit: a channel has its whole advertising and not its part of these, so its contribution is too low.`,
  ];
}

/** Margins are at most what is said but for this: it is not known what of it can be sold again. */
function returnedNotes({ refunds, cost_of_returned: { amount, known, base } }: Parts): string[] {
  if (refunds === null || refunds <= 0 || amount === 0) return [];
  if (amount === null)
    return [
      'cost_of_goods is of all that was sold, also of what came back. What that cost is not known: as far as it can be sold again, more is left.',
    ];
  return [
    `cost_of_goods is of all that was sold, also of what came back. Goods that came back in the range cost ${known === base ? '' : 'at least '}${Math.round(amount / 10_000)} (cost_of_returned_goods): as far as they can be sold again, so much more is left.`,
  ];
}

/** The notes on sums of which not all costs are known. */
function atMost({ refunds }: Parts): string {
  return `at most what is said${refunds !== null && refunds > 0 ? ', but for goods that came back' : ''}`;
}

/** Refunds are not those of the orders above them. */
function refundNotes({ refunds }: Parts, by: DimensionName | null): string[] {
  if (refunds === null || refunds <= 0 || by === null || isPeriod(by)) return [];
  return [
    `refunds are those made in the range, also of orders before it, and none of cancelled orders: of a ${by} they can be more than it sold in the range.`,
  ];
}

function vatNotes({
  net,
  sold_with_known_vat,
  vat_of_refunds,
  is_vat_of_all_refunds_unknown,
  beside,
  priced,
}: Parts): string[] {
  const what = [
    ...(net !== null ? [] : [sold_with_known_vat === 0 ? 'goods' : 'goods of some orders']),
    ...(vat_of_refunds !== null ? [] : [is_vat_of_all_refunds_unknown ? 'refunds' : 'some refunds']),
  ];
  if (what.length > 0)
    return [
      `The VAT of ${what.join(' and of ')} is not known: vat, net_revenue and all sums below are null. ${HOW_TO_SET_VAT}`,
    ];
  if (beside === null && priced > 0)
    return [
      `The VAT of what some orders charged beside goods is not known: margin_2 and contribution are null. ${HOW_TO_SET_VAT}`,
    ];
  return [];
}

function goodsNotes(total: Parts, isMarginKnown: boolean): string[] {
  const { cost, goods, without_lines, orders } = total;
  const share = Math.floor((1000 * cost.known) / (cost.base || 1)) / 10;
  return [
    ...(cost.amount === null
      ? ['No purchase price of what was sold is known: the margins and contribution are null, not 0.']
      : isMarginKnown && cost.known !== cost.base && goods !== 0
        ? [
            `Purchase prices are known of ${share} % of goods: the margins and contribution are ${atMost(total)}.`,
          ]
        : []),
    ...(isTelling({ part: without_lines, whole: orders })
      ? [
          `${plural(without_lines, 'order has', 'orders have')} no lines of goods, of ${orders}: their goods are what was paid without shipping, at unknown cost.`,
        ]
      : []),
  ];
}

const COSTS = {
  shipping_paid: ['shipping_cost', 'margin_2'],
  payment_fees: ['payment_fee', 'margin_2'],
  packaging: ['packaging', 'margin_2'],
  advertising: ['ad_cost', 'contribution'],
  email_costs: ['email_cost', 'contribution'],
  sms_costs: ['sms_cost', 'contribution'],
} as const;

function costNotes(total: Parts): string[] {
  const { shipping_paid, payment_fees, packaging, spent } = total;
  const all: Readonly<Record<keyof typeof COSTS, Cost | undefined>> = {
    shipping_paid,
    payment_fees,
    packaging,
    advertising: spent?.advertising,
    email_costs: spent?.email_costs,
    sms_costs: spent?.sms_costs,
  };
  const names = Object.keys(COSTS) as (keyof typeof COSTS)[];
  const unknown = names.filter((name) => all[name]?.amount === null);
  const partly = names.filter((name) => {
    const cost = all[name];
    return cost !== undefined && cost.amount !== null && cost.known !== cost.base;
  });
  const missing = [...unknown, ...partly];
  if (missing.length === 0) return [];
  const [, sum] = COSTS[names.find((name) => missing.includes(name)) as keyof typeof COSTS];
  return [
    [
      ...(unknown.length === 0 ? [] : [`Not known, and not taken off: ${unknown.join(', ')}.`]),
      ...(partly.length === 0 ? [] : [`Known in part alone: ${partly.join(', ')}.`]),
      `${sum === 'margin_2' ? 'margin_2 and contribution are' : 'contribution is'} ${atMost(total)}.`,
      `Whoever runs the store can say what they cost: storesight business assumptions add <id> ${COSTS[missing[0] as keyof typeof COSTS][0]} … (0: nothing).`,
    ].join(' '),
  ];
}

/** Says for how many orders files tell a cost. The other orders have what is assumed, or nothing. */
function recordedNotes({ shipping_paid, payment_fees }: Parts): string[] {
  const told = Object.entries({ shipping_paid, payment_fees }).flatMap(([name, { recorded = 0, base }]) =>
    recorded === 0 ? [] : [`${name} of ${recorded} of ${plural(base, 'order', 'orders')}`],
  );
  return told.length === 0 ? [] : [`As files tell it, and not as assumed: ${told.join(', ')}.`];
}

/** Sums of which more is known in one of two ranges differ by that, and not only by what the store did. */
function unlikeNotes(total: Parts, before: Parts): string[] {
  const earlier = statementOf(before);
  const unlike = statementOf(total).filter(({ line, amount, known_share }, place) => {
    const { amount: other = null, known_share: share = null } = earlier[place] ?? {};
    const isKnownOnce = (amount === null) !== (other === null);
    return (
      (COMPARED_COSTS as readonly string[]).includes(line) &&
      (isKnownOnce || Math.abs((known_share ?? 100) - (share ?? 100)) >= 1)
    );
  });
  if (unlike.length === 0) return [];
  const margins = unlike.some(({ line }) => line === 'cost_of_goods') ? marginNotes(total, before) : '';
  return [
    `Of ${unlike.map(({ line }) => line).join(', ')} not as much is known in both ranges: changes of the sums below are also changes of what is known.${margins}`,
  ];
}

/** The margin of what has a known cost, which a change of what is known leaves as it is. */
function marginNotes(...ranges: readonly [Parts, Parts]): string {
  const [now, then] = ranges.map(({ cost, net_with_known_cost: net }) => {
    return cost.amount === null ? null : roundedPercent(net - cost.amount, net);
  });
  if (now == null || then == null) return '';
  return ` Before refunds, goods of known cost have a margin of ${now.toFixed(1)} %, and had ${then.toFixed(1)} %.`;
}

const COMPARED_COSTS = ['cost_of_goods', ...Object.keys(COSTS)];

function notToldApart(by: DimensionName): string[] {
  if (cutsLines(by))
    return [
      `What orders charge beside goods, and their costs, are not told apart by ${by}: a statement ends with margin_1, and refunds are those that tell what came back.`,
    ];
  return by === 'channel'
    ? ['E-mail and SMS costs stand at their own channels, advertising at that of the visits that it brought.']
    : [
        `Advertising, e-mail and SMS costs are not told apart by ${by}: contribution is that of (total) alone.`,
      ];
}
