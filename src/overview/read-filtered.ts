import type { Messages } from '../messages/messages.ts';
import type { AskedOverview } from './asked-overview.ts';
import { CARDS, type CardPart, type Measure } from './cards-and-lists.ts';
import { changeOf } from './change.ts';
import type { Filter } from './filters.ts';
import { isLoaded } from './is-loaded.ts';
import { metricTable } from './metric-table.ts';
import type { Card } from './overview.ts';
import type { PageRange } from './page-range.ts';
import { readLists } from './read-lists.ts';
import type { Answers } from './tool-answers.ts';

/** The tool takes eight at once. */
const METRICS_AT_ONCE = 6;

/** The metric that a conversion rate divides. */
const ORDERING_VISITS = 'converting_sessions_count';

interface FilteredRange extends PageRange {
  readonly asked: AskedOverview;
}

/**
 * The page about a part of the store: the same cards and lists, asked of the one tool whose numbers can be
 * cut by anything.
 */
export async function readFiltered(answers: Answers, range: FilteredRange) {
  const measures = CARDS.map((part) => ({ part, measure: measureOf(part, range.asked.filters) }));
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
    readLists(answers, range),
  ]);
  const values = new Map(tables.flat().map((value) => [value.name, value]));
  return {
    cards: measures.flatMap(({ part, measure }) => cardOf(part, measure, values, range.messages)),
    lists,
    // Which order is the largest of a part is known to no tool.
    beside: {
      orderingVisits: values.get(ORDERING_VISITS)?.value ?? null,
      largestOrder: null,
      isLargestPaidBack: false,
      isPaidBackInDays: false,
    },
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
  const { unit, value, before } = total;
  const { name, meaning } = measure.other ?? part;
  return [
    {
      ...shared,
      name: say(name),
      unit,
      definition: say(meaning),
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
  { asked, store, days, before, newFrom, messages }: FilteredRange,
): Promise<readonly Total[]> {
  const question = { metrics, filters: asked.filters };
  const table = await metricTable(answers, messages.say('overview.these-numbers'), question, {
    days,
    before,
  });
  if (table === null) return [];
  const { answer, units, total } = table;
  const [isNow, isBefore] = [days, before].map((those) => those !== null && isLoaded(answer, those, store));
  const isNewKnown = newFrom === null || before === null || before.from_date >= newFrom;
  return metrics.map((name) => {
    const isKnown = isBefore && (isNewKnown || !/(new|returning)_customers_count$/.test(name));
    return {
      name,
      unit: units[name],
      value: isNow ? total.number(name) : null,
      before: isKnown ? total.number(`${name}.compared`) : null,
    };
  });
}
