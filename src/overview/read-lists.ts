import type { DrawnStore } from '../charts/drawn-store.ts';
import type { Messages } from '../messages/messages.ts';
import type { AskedOverview } from './asked-overview.ts';
import {
  DIMENSION_LISTS,
  type DimensionList,
  FEW,
  LIST_KEYS,
  type ListKey,
  MOST,
  PRODUCTS,
  TOOL_LISTS,
  type ToolList,
  VISITS,
} from './cards-and-lists.ts';
import { changeOf } from './change.ts';
import { canFilterBy, type Filter, type FilterName } from './filters.ts';
import { isLoaded } from './is-loaded.ts';
import { metricTable } from './metric-table.ts';
import { numberInWords } from './number-in-words.ts';
import type { List } from './overview.ts';
import type { PageRange } from './page-range.ts';
import { type Answers, fieldOf, numberAt, rowsAt } from './tool-answers.ts';

type ListedRange = Pick<PageRange, 'store' | 'days' | 'before' | 'messages'> & {
  readonly asked: Pick<AskedOverview, 'filters' | 'all'>;
};

/** The lists of the page, each in the order of its first column. */
export async function readLists(answers: Answers, range: ListedRange): Promise<readonly List[]> {
  const isWhole = range.asked.filters.length === 0;
  const lists = await Promise.all([
    ...DIMENSION_LISTS.map((part) => readDimension(answers, part, range)),
    ...TOOL_LISTS.map((part) =>
      isWhole ? readRows(answers, part, range) : unfiltered(part, range.messages),
    ),
  ]);
  return LIST_KEYS.flatMap((key) => lists.find((list) => list?.key === key) ?? []);
}

function unfiltered({ key, title }: ToolList, { say }: Messages): List {
  return { key, title: say(title), columns: [], rows: [], rowsCount: 0, isUnfiltered: true };
}

function lengthOf(key: ListKey, { asked }: ListedRange): number {
  return asked.all === key ? MOST : FEW;
}

const OF_PRODUCTS: readonly FilterName[] = ['product', 'category'];

/** What a list counts. An order with a product is of its country, but brings it more than that product. */
function measuresOf({ isOfProducts }: DimensionList, filters: readonly Filter[]) {
  const isOfThem = filters.some(({ dimension }) => OF_PRODUCTS.includes(dimension));
  const ofLines = isOfProducts || isOfThem;
  return [
    {
      metric: ofLines ? 'product_revenue' : 'revenue',
      name: ofLines && !isOfProducts ? 'number.product-revenue' : 'number.revenue',
    },
    {
      metric: ofLines ? 'product_orders_count' : 'orders_count',
      name: ofLines && !isOfProducts ? 'number.product-orders' : 'number.orders',
    },
  ] as const;
}

async function readDimension(
  answers: Answers,
  part: DimensionList,
  range: ListedRange,
): Promise<List | null> {
  const { asked, days, before, store, messages } = range;
  const { key, dimension } = part;
  const isWhole = asked.filters.length === 0;
  const title = messages.say(part.title);
  const measures = measuresOf(part, asked.filters);
  const metrics = measures.map(({ metric }) => metric);
  const question = { metrics, group_by: [dimension], limit: lengthOf(key, range) };
  const [table, visits, products] = await Promise.all([
    metricTable(answers, title, { ...question, filters: asked.filters }, { days, before }),
    isWhole && key === 'channels' ? answers.of(messages.say('number.visits'), VISITS, days) : null,
    isWhole && key === 'products' ? answers.of(messages.say('number.profit'), PRODUCTS, days) : null,
  ]);
  if (table === null || !isLoaded(table.answer, days, store)) return null;
  // Where no visits are loaded, every order would seem to come of none.
  if (visits !== null && !isLoaded(visits, days, store)) return null;
  const isBefore = before !== null && isLoaded(table.answer, before, store);
  const [revenue, orders] = metrics as [string, string];
  const [whole, allOrders] = [table.total.number(revenue), table.total.number(orders)];
  const visitsOf = visits && new Map(rowsAt(visits, 'sessions').map((row) => [row.key, row]));
  const paidBack = new Map(rowsAt(products, 'products').map((row) => [row.external_product_id, row]));
  return {
    key,
    title,
    isUnfiltered: false,
    rowsCount: table.groupsCount,
    columns: [
      ...measures.map(({ metric, name }) => ({ name: messages.say(name), unit: table.units[metric] })),
      ...(visitsOf === null ? [] : [{ name: messages.say('number.visits'), unit: undefined }]),
    ],
    rows: table.groups.map((row) => {
      const id = row.text(dimension);
      const [value, count] = [row.number(revenue), row.number(orders)];
      const was = isBefore ? row.number(`${revenue}.compared`) : null;
      const refunded = numberAt(paidBack.get(id) ?? {}, 'refunded_revenue');
      return {
        label: row.text(`${dimension}_name`) ?? id ?? '',
        filter: id !== null && canFilterBy(id) ? { dimension, value: id } : null,
        values: [
          ...[value, count],
          ...(visitsOf === null ? [] : [numberAt(visitsOf.get(id) ?? {}, 'sessions_count')]),
        ],
        share: value === null || !whole ? null : (100 * value) / whole,
        before: was,
        change: changeOf(value, was, 'money'),
        marks: rowMarks({ value, count, allOrders, refunded }, store, messages),
      };
    }),
  };
}

/** Orders of which one tells something of the whole list. */
const MANY_ORDERS = 20;

/** What makes a row look better than it is: all of it is one order, or most of it was paid back. */
function rowMarks(
  row: {
    readonly value: number | null;
    readonly count: number | null;
    readonly allOrders: number | null;
    readonly refunded: number | null;
  },
  store: DrawnStore,
  messages: Messages,
): string[] {
  const { value, count, allOrders, refunded } = row;
  const isOne = count === 1 && (allOrders ?? 0) >= MANY_ORDERS;
  const isPaidBack = value !== null && refunded !== null && value > 0 && refunded >= value / 2;
  return [
    ...(isOne ? [messages.say('mark.one-order')] : []),
    ...(isPaidBack
      ? [messages.say('mark.paid-back', { amount: numberInWords(refunded, 'money', store, messages) })]
      : []),
  ];
}

async function readRows(answers: Answers, part: ToolList, range: ListedRange): Promise<List | null> {
  const { days, store, messages } = range;
  const { key, columns } = part;
  const title = messages.say(part.title);
  const args = { limit: lengthOf(key, range), ...part.args };
  const answer = await answers.of(title, { tool: part.tool, args }, days);
  if (answer === null || !isLoaded(answer, days, store)) return null;
  const [first = ''] = columns.map(({ field }) => field);
  const rows = rowsAt(answer, part.rows)
    .filter((row) => numberAt(row, first) !== null)
    .sort((one, other) => (numberAt(other, first) ?? 0) - (numberAt(one, first) ?? 0));
  return {
    key,
    title,
    isUnfiltered: false,
    rowsCount: Math.max(rows.length, numberAt(answer, 'total_count') ?? 0),
    columns: columns.map(({ name, field }) => ({
      name: messages.say(name),
      unit: fieldOf(part.tool, `${part.rows}.${field}`).unit,
    })),
    rows: rows.slice(0, lengthOf(key, range)).map((row) => ({
      label: String(row[part.label] ?? ''),
      filter: filterOf(part, String(row[part.label] ?? '')),
      values: columns.map(({ field }) => numberAt(row, field)),
      share: null,
      before: null,
      change: null,
      marks: [],
    })),
  };
}

function filterOf({ dimension }: ToolList, value: string): Filter | null {
  return dimension !== undefined && canFilterBy(value) ? { dimension, value } : null;
}
