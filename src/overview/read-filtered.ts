import type { DrawnStore } from '../charts/drawn-store.ts';
import type { Messages } from '../messages/messages.ts';
import { CARDS, type CardPart, FEW, LISTS, type ListPart, type Measure } from './cards-and-lists.ts';
import { changeOf } from './change.ts';
import { canFilterBy, type Filter, type FilterName } from './filters.ts';
import { isLoaded } from './is-loaded.ts';
import type { Card, List } from './overview.ts';
import type { Days } from './page-periods.ts';
import { type Answers, type Data, numberAt } from './tool-answers.ts';

const TOOL = 'query_metrics';
/** The tool takes eight at once. */
const METRICS_AT_ONCE = 6;

/** The metric that a conversion rate divides. */
const ORDERING_VISITS = 'converting_sessions_count';

interface FilteredRange {
  readonly filters: readonly Filter[];
  readonly days: Days;
  readonly before: Days | null;
  readonly store: DrawnStore;
  readonly newFrom: string | null;
  readonly messages: Messages;
}

/** The page about a part of the store: the same cards and lists, asked of the one tool whose numbers can be cut by anything. */
export async function readFiltered(answers: Answers, range: FilteredRange) {
  const measures = CARDS.map((part) => ({ part, measure: measureOf(part, range.filters) }));
  const isOfVisits = measures.some(({ measure }) => measure?.metric === 'conversion_rate');
  const names = [
    ...measures.flatMap(({ measure }) => measure?.metric ?? []),
    ...(isOfVisits ? [ORDERING_VISITS] : []),
  ];
  const chunks = Array.from({ length: Math.ceil(names.length / METRICS_AT_ONCE) }, (_, index) =>
    names.slice(index * METRICS_AT_ONCE, (index + 1) * METRICS_AT_ONCE),
  );
  const [tables, lists] = await Promise.all([
    Promise.all(chunks.map((metrics) => askTotals(answers, metrics, range))),
    Promise.all(LISTS.map((part) => readList(answers, part, range))),
  ]);
  const values = new Map(tables.flat().map((value) => [value.name, value]));
  return {
    cards: measures.flatMap(({ part, measure }) => cardOf(part, measure, values, range.messages)),
    lists: lists.filter((list) => list !== null),
    // Which order is the largest of a part is known to no tool.
    beside: { orderingVisits: values.get(ORDERING_VISITS)?.value ?? null, largestOrder: null },
  };
}

/** It is null when not every filter cuts it. */
function measureOf({ filtered }: CardPart, filters: readonly Filter[]): Measure | null {
  const isBy = ({ by }: Measure) => filters.every(({ dimension }) => by.includes(dimension));
  return filtered.find(isBy) ?? null;
}

interface Total {
  readonly name: string;
  readonly unit: string | undefined;
  readonly definition: string;
  readonly value: number | null;
  readonly before: number | null;
}

function cardOf(
  part: CardPart,
  measure: Measure | null,
  totals: ReadonlyMap<string, Total>,
  { say }: Messages,
): Card[] {
  const shared = { key: part.key, trend: null, list: null, marks: [] };
  if (measure === null)
    return [
      {
        ...shared,
        name: say(part.name),
        unit: undefined,
        definition: say('value.not-of-part'),
        value: null,
        before: null,
        change: null,
        isUnfiltered: true,
      },
    ];
  const total = totals.get(measure.metric);
  if (total === undefined) return [];
  const { unit, definition, value, before } = total;
  return [
    {
      ...shared,
      name: say(measure.name ?? part.name),
      unit,
      definition,
      value,
      before,
      change: changeOf(value, before, unit),
      isUnfiltered: false,
    },
  ];
}

async function askTotals(
  answers: Answers,
  metrics: readonly string[],
  { filters, store, days, before, newFrom, messages }: FilteredRange,
): Promise<readonly Total[]> {
  const compared =
    before === null
      ? {}
      : { compare: 'range', compare_from_date: before.from_date, compare_to_date: before.to_date };
  const args = { metrics, filters: filters.map(asked), ...compared };
  const table = await answers.of(messages.say('overview.these-numbers'), { tool: TOOL, args }, days);
  if (table === null) return [];
  const { columns, units, definitions, rows } = tableOf(table);
  const total = rows.at(-1) ?? [];
  const [isNow, isBefore] = [days, before].map((those) => those !== null && isLoaded(table, those, store));
  const isNewKnown = newFrom === null || before === null || before.from_date >= newFrom;
  return metrics.flatMap((name) => {
    const place = columns.indexOf(name);
    if (place === -1) return [];
    const compared = columns.indexOf(`${name}.compared`);
    const at = (index: number) => numberAt({ cell: total[index] }, 'cell');
    const isKnown = isBefore && (isNewKnown || !/(new|returning)_customers_count$/.test(name));
    return [
      {
        name,
        unit: units[name],
        definition: definitions[name] ?? '',
        value: isNow ? at(place) : null,
        before: isKnown ? at(compared) : null,
      },
    ];
  });
}

const ORDERED = [
  { metric: 'revenue', name: 'number.revenue' },
  { metric: 'orders_count', name: 'number.orders' },
] as const;
const SOLD = [
  { metric: 'product_revenue', name: 'number.product-revenue' },
  { metric: 'product_orders_count', name: 'number.product-orders' },
] as const;
const OF_PRODUCTS: readonly FilterName[] = ['product', 'category'];

async function readList(
  answers: Answers,
  part: ListPart,
  { filters, days, messages: { say } }: FilteredRange,
): Promise<List | null> {
  const { filter: cut, key } = part;
  const title = say(part.title);
  if (cut === undefined) return { key, title, columns: [], rows: [], isUnfiltered: true };
  const { dimension } = cut;
  const isOfProducts = [dimension, ...filters.map((one) => one.dimension)].some((one) =>
    OF_PRODUCTS.includes(one),
  );
  const measures = isOfProducts ? SOLD : ORDERED;
  const args = {
    metrics: measures.map(({ metric }) => metric),
    group_by: [dimension],
    filters: filters.map(asked),
    limit: FEW,
  };
  const table = await answers.of(title, { tool: TOOL, args }, days);
  if (table === null) return null;
  const { columns, units, rows } = tableOf(table);
  const place = (name: string) => columns.indexOf(name);
  const [own, named] = [place(dimension), place(`${dimension}_name`)];
  // The rest and the total come after the groups.
  const shown = rows.slice(0, Math.min(FEW, numberAt(table, 'groups_count') ?? 0));
  return {
    key,
    title,
    isUnfiltered: false,
    columns: measures.map(({ metric, name }) => ({
      name: say(name),
      unit: units[metric],
    })),
    rows: shown.map((cells) => {
      const value = String(cells[own] ?? '');
      return {
        label: String(cells[named] ?? value),
        filter: canFilterBy(value) ? { dimension, value } : null,
        values: measures.map(({ metric }) => numberAt({ cell: cells[place(metric)] }, 'cell')),
      };
    }),
  };
}

function asked({ dimension, value }: Filter) {
  return { dimension, in: [value] };
}

/** The answer of the tool, whose fields are checked against its declaration already. */
function tableOf(answer: Data) {
  return answer as {
    readonly columns: readonly string[];
    readonly units: Readonly<Record<string, string>>;
    readonly definitions: Readonly<Record<string, string>>;
    readonly rows: readonly (readonly (string | number | null)[])[];
  };
}
