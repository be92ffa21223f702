import type { DrawnStore } from '../charts/drawn-store.ts';
import { formatNumber } from '../charts/number-format.ts';
import type { Messages } from '../messages/messages.ts';
import { numberInWords } from './number-in-words.ts';
import type { Card } from './overview.ts';
import type { Days } from './page-periods.ts';

/** Numbers that stand on no card, by which those of some cards are understood. Null: not known. */
export interface NumbersForMarks {
  /** Visits in which something was ordered. */
  readonly orderingVisits: number | null;
  /** What the largest order came to. */
  readonly largestOrder: number | null;
  /** Whether all of the largest order was paid back, as far as that is known. */
  readonly isLargestPaidBack: boolean;
  /** Whether it was paid back within the days of the page. */
  readonly isPaidBackInDays: boolean;
}

interface MarkedRange {
  readonly days: Days;
  readonly before: Days | null;
  readonly store: DrawnStore;
  /** The first local day whose orders will have more refunds; null: nothing tells. */
  readonly lateRefundsFrom: string | null;
  /** The first local day on which it is known who is new; null: nothing tells. */
  readonly newFrom: string | null;
  readonly messages: Messages;
}

/**
 * The cards, each with what could be misread of its number. It stands at the number itself, since few read
 * the notes below: a fall of refunds looks like fewer returns while those of young orders are still to come.
 */
export function withMarks(
  cards: readonly Card[],
  beside: NumbersForMarks,
  range: MarkedRange,
): readonly Card[] {
  const cardOf = (key: string) => cards.find((card) => card.key === key);
  return cards.map((card) => {
    if (card.value === null) return card;
    const marks = MARKS[card.key]?.(card, cardOf, beside, range) ?? [];
    return { ...card, marks: [...marks, ...notBefore(card, range)] };
  });
}

type Marks = (
  card: Card,
  other: (key: string) => Card | undefined,
  beside: NumbersForMarks,
  range: MarkedRange,
) => readonly string[];

const MARKS: Readonly<Record<string, Marks>> = {
  revenue: ({ value }, other, { largestOrder, isLargestPaidBack }, { store, messages }) => {
    const orders = other('orders')?.value ?? null;
    if (value === null || !isLarge(largestOrder, value, orders)) return [];
    return [
      messages.say(isLargestPaidBack ? 'mark.largest-paid-back' : 'mark.largest-order', {
        amount: numberInWords(largestOrder, 'money', store, messages),
        share: formatNumber(Math.round((100 * largestOrder) / value), 'percent', store),
      }),
    ];
  },
  average: (_, other, { largestOrder }, { store, messages }) => {
    const [revenue, orders] = [other('revenue')?.value ?? null, other('orders')?.value ?? null];
    if (revenue === null || orders === null || !isLarge(largestOrder, revenue, orders)) return [];
    const without = (revenue - largestOrder) / (orders - 1);
    return [
      messages.say('mark.without-largest', { value: numberInWords(without, 'money', store, messages) }),
    ];
  },
  returning: (_card, _other, _beside, { messages }) => [messages.say('mark.each-once')],
  refunds: ({ value, before }, other, { largestOrder, isPaidBackInDays }, range) => {
    const { days, lateRefundsFrom, store, messages } = range;
    const [revenue, orders] = [other('revenue')?.value ?? null, other('orders')?.value ?? null];
    const isOfOne = isPaidBackInDays && revenue !== null && isLarge(largestOrder, revenue, orders);
    const hasFallen = value !== null && before !== null && value < before;
    const isLate = hasFallen && lateRefundsFrom !== null && days.to_date >= lateRefundsFrom;
    return [
      ...(isOfOne
        ? [
            messages.say('mark.refund-of-one', {
              amount: numberInWords(largestOrder, 'money', store, messages),
            }),
          ]
        : []),
      ...(isLate ? [messages.say('mark.late-refunds', { day: messages.day(lateRefundsFrom) })] : []),
    ];
  },
  profit: (_, other, _beside, { store, messages }) => {
    const { value: share = null, before = null } = other('known') ?? {};
    if (share === null) return [];
    const inWords = (percent: number) => formatNumber(Number(percent.toFixed(1)), 'percent', store);
    if (before !== null && Math.abs(share - before) >= NOTABLE_POINTS)
      return [messages.say('mark.profit-of-shares', { share: inWords(share), before: inWords(before) })];
    return share > WHOLE ? [] : [messages.say('mark.profit-of-share', { share: inWords(share) })];
  },
  conversion: (_, other, { orderingVisits }, { store, messages }) => {
    const visits = other('visits')?.value ?? null;
    if (visits === null || orderingVisits === null) return [];
    const [ordering, all] = [orderingVisits, visits].map((count) => formatNumber(count, undefined, store));
    return [messages.say('mark.ordering-visits', { ordering: ordering ?? '', visits: all ?? '' })];
  },
  email: (_card, _other, _beside, { messages }) => [messages.say('mark.credited')],
};

/** A share of known costs that differs by this many points moves profit by itself. */
const NOTABLE_POINTS = 1;
/** Above this share nothing is missing that anybody would see. */
const WHOLE = 99.95;

/**
 * Whether one order makes up much of the revenue: a fiftieth of it and as much as twenty usual orders, or a
 * quarter of it and as much as two.
 */
function isLarge(largest: number | null, revenue: number, orders: number | null): largest is number {
  if (largest === null || orders === null || orders < 2 || revenue <= 0) return false;
  const [share, parts] = [largest / revenue, (largest * orders) / revenue];
  return (share >= 0.02 && parts >= 20) || (share >= 0.25 && parts >= 2);
}

/** Why there is nothing beside a number, though all others have it. */
function notBefore({ key, before: value }: Card, { before, newFrom, messages }: MarkedRange): string[] {
  if (before === null || value !== null) return [];
  const isOfNew = key === 'new' || key === 'returning';
  if (isOfNew && newFrom !== null && before.from_date < newFrom)
    return [messages.say('mark.new-from', { day: messages.day(newFrom) })];
  return [messages.say('mark.nothing-before')];
}
