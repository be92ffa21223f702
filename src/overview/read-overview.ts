import type { ToolEnvironment } from '../asking/run-tool.ts';
import type { Business } from '../business/business.ts';
import type { Caller } from '../control/people/callers.ts';
import type { Messages } from '../messages/messages.ts';
import { readAlarms } from './alarms.ts';
import type { AskedOverview } from './asked-overview.ts';
import { CARDS, type CardPart, FEW, PRODUCTS, VISITS } from './cards-and-lists.ts';
import { changeOf } from './change.ts';
import { isLoaded } from './is-loaded.ts';
import { withoutEmptyShare } from './known-costs.ts';
import { type NumbersForMarks, withMarks } from './marks.ts';
import { openPage } from './open-page.ts';
import { type Card, hasNumbers, type List, type Overview } from './overview.ts';
import type { Days } from './page-periods.ts';
import type { PageRange } from './page-range.ts';
import { pageNotes } from './page-sentences.ts';
import { readFiltered } from './read-filtered.ts';
import { readLists } from './read-lists.ts';
import { type Answers, type Data, fieldOf, numberAt, rowsAt } from './tool-answers.ts';
import { readTrend } from './trends.ts';

/**
 * @param messages in the reader's language; names of numbers come from it
 * @returns null where no orders are loaded
 * @throws InputError what all tools refuse, such as a caller who may not read the store
 */
export async function readOverview(
  environment: ToolEnvironment,
  caller: Caller,
  business: Business,
  asked: AskedOverview,
  messages: Messages,
  signal?: AbortSignal,
): Promise<Overview | null> {
  const page = await openPage(environment, caller, business, asked, messages, signal);
  if (page === null) return null;
  const { range, answers } = page;
  const { store, days, before, notCompared } = range;
  const [{ cards, lists, beside }, alarms] = await Promise.all([
    asked.filters.length === 0 ? readAll(answers, range, asked) : readFiltered(answers, { ...range, asked }),
    asked.period === 'own' ? [] : readAlarms(answers, range),
  ]);
  const productNames = namesOfProducts(lists);
  const shown = {
    cards: withMarks(cards.map(withoutEmptyShare), beside, range),
    lists: lists.filter(({ rows, isUnfiltered }) => rows.length > 0 || isUnfiltered),
  };
  const notes = pageNotes(answers.notes(days), {
    sentences: answers.sentences(),
    messages,
    store,
    nameOf: (name) => productNames.get(name) ?? name,
  });
  return {
    store,
    asked,
    days,
    before,
    notCompared,
    alarms,
    ...shown,
    notes: hasNumbers(shown) ? notes : notes.filter(({ kind }) => NOTES_WITHOUT_NUMBERS.includes(kind)),
    missing: answers.missing(),
  };
}

/** Where no number is shown, only what is not loaded can be told: all other notes are on numbers. */
const NOTES_WITHOUT_NUMBERS: readonly string[] = [
  ...['note.loaded-from-on', 'note.no-visits', 'note.no-messages', 'note.no-opens', 'note.no-lines'],
  ...['note.no-views', 'note.ads-none'],
];

/** The names of the listed products by their ids, which notes have. */
function namesOfProducts(lists: readonly List[]): ReadonlyMap<string, string> {
  const rows = lists.filter(({ key }) => key === 'products').flatMap((list) => list.rows);
  return new Map(
    rows.flatMap(({ filter, label }) => (filter === null ? [] : [[filter.value, label] as const])),
  );
}

async function readAll(answers: Answers, range: PageRange, asked: AskedOverview) {
  const [cards, lists, beside] = await Promise.all([
    Promise.all(CARDS.map((part) => readCard(answers, part, range, asked))),
    readLists(answers, { ...range, asked }),
    readForMarks(answers, range),
  ]);
  return {
    beside,
    cards: cards.filter((card) => card !== null),
    lists,
  };
}

/** The one tool that tells how large the largest order is. Its rows are of no use here. */
const ORDER_VALUES = {
  tool: 'order_distribution_statistics',
  args: { dimension: 'country', limit: FEW },
} as const;

/** Reads the numbers that no card has. The visits and the products are those of cards, and are asked once. */
async function readForMarks(
  answers: Answers,
  { days, messages: { say } }: PageRange,
): Promise<NumbersForMarks> {
  const [visits, orders, products] = await Promise.all([
    answers.of(say('number.visits'), VISITS, days),
    answers.of(say('list.countries'), ORDER_VALUES, days),
    answers.of(say('number.profit'), PRODUCTS, days),
  ]);
  const largestOrder = orders && numberAt(orders, 'order_value.max');
  return {
    orderingVisits: visits && numberAt(visits, 'totals.converting_sessions_count'),
    largestOrder,
    ...paidBack(products, largestOrder),
  };
}

/**
 * Whether the largest order was paid back. It is known of an order of one product that nobody else bought in
 * these days: what the product brought is then the order, and what was paid back for the product is that of
 * the order. Of every other order the page does not know it.
 */
function paidBack(products: Data | null, largestOrder: number | null) {
  const isLargest = (amount: number | null) =>
    amount !== null && largestOrder !== null && Math.abs(amount - largestOrder) < CENT;
  const row = rowsAt(products, 'products').find(
    (one) => numberAt(one, 'unique_orders_count') === 1 && isLargest(numberAt(one, 'estimated_revenue')),
  );
  const isWhole = (field: string) => row !== undefined && isLargest(numberAt(row, field));
  const isLargestPaidBack = isWhole('refunded_revenue');
  return {
    isLargestPaidBack,
    isPaidBackInDays: isLargestPaidBack && isWhole('refunded_revenue_by_refund_date'),
  };
}

/** Amounts that differ by less are one. */
const CENT = 0.01;

async function readCard(
  answers: Answers,
  part: CardPart,
  range: PageRange,
  { show, by, compare }: AskedOverview,
): Promise<Card | null> {
  const { days, before, messages } = range;
  const name = messages.say(part.name);
  const [now, earlier, trend] = await Promise.all([
    answers.of(name, part, days),
    before === null ? null : answers.of(name, part, before),
    readTrend(answers, part, { ...range, compare, by: part.key === show ? by : null }),
  ]);
  if (now === null) return null;
  const { unit } = fieldOf(part.tool, part.field);
  const value = isKnown(now, days, part, range) ? numberAt(now, part.field) : null;
  const valueBefore = isKnownBefore(earlier, part, range) ? numberAt(earlier, part.field) : null;
  return {
    key: part.key,
    name,
    unit,
    definition: messages.say(part.meaning),
    value,
    before: valueBefore,
    change: changeOf(value, valueBefore, unit),
    trend,
    list: 'list' in part.more ? part.more.list : null,
    marks: [],
    isUnfiltered: false,
  };
}

/** An answer about the store's revenue does not say until when messages are loaded. */
function isKnown(answer: Data, days: Days, { key }: CardPart, { store, hasMessages }: PageRange): boolean {
  return isLoaded(answer, days, store) && (key !== 'email' || hasMessages);
}

/**
 * Nobody knows who is new in the first months that are loaded: their customers may have bought before. A
 * store would seem to have lost most of its new customers since, and to have had none who came back.
 */
function isKnownBefore(earlier: Data | null, part: CardPart, range: PageRange): earlier is Data {
  const { before, newFrom } = range;
  if (earlier === null || before === null || !isKnown(earlier, before, part, range)) return false;
  return !SINCE_FIRST.includes(part.key) || newFrom === null || before.from_date >= newFrom;
}

/** Cards that depend on which order was a customer's first. */
const SINCE_FIRST: readonly string[] = ['new', 'returning'];
