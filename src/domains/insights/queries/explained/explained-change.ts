import type { Queries } from '../../../../answers/fields/query.ts';
import type { Answer, Plan } from '../../../../answers/tool.ts';
import type { SnapshotFacts } from '../../../../business/snapshot-facts.ts';
import { beginningOf } from '../../../../business/snapshot-facts.ts';
import { InputError } from '../../../../errors.ts';
import { addMoney, roundedPercent } from '../../../../statistics/rounded.ts';
import { shortText } from '../../../../text/business-text.ts';
import { localDate } from '../../../../time/moment.ts';
import type { Range } from '../../../../time/range.ts';
import type { DimensionName } from '../dimensions.ts';
import { metricNamed } from '../metric-layer.ts';
import { identifierNames, NAMED_IDS } from '../names.ts';
import { asideQueries, valueNotes } from '../notes.ts';
import { daysOf, type QueryArguments, type Question, readQuestion } from '../question.ts';
import { allBridges, type Both, type Compared, endsOf, keysOf, type RowsByKey } from './all-bridges.ts';
import { askAll, type Found, type Need, rowsOf, totalOf } from './asked-changes.ts';
import { type ExplainedMetric, explainedMetric } from './explained-metrics.ts';

export interface ExplainArguments {
  readonly business_id: string;
  readonly metric: string;
  readonly from_date: string;
  readonly to_date: string;
  readonly compare: 'previous_period' | 'previous_year' | 'range';
  readonly compare_from_date: string | null;
  readonly compare_to_date: string | null;
}

interface ExplainContext {
  readonly args: ExplainArguments;
  readonly timezone: string;
  readonly currency: string | null;
  readonly facts: SnapshotFacts;
}

/** The same question to `query_metrics`: its totals are what is explained. */
function questionOf(args: ExplainArguments): QueryArguments {
  const { business_id: _, metric, ...range } = args;
  return {
    ...range,
    metrics: [metric],
    group_by: [],
    filters: [],
    having: [],
    sort_by: null,
    sort_order: null,
    limit: 50,
  };
}

/** @throws InputError for a range that does not fit */
export function readExplained(args: ExplainArguments, timezone: string) {
  for (const name of ['from_date', 'to_date', 'compare_from_date', 'compare_to_date'] as const) {
    const given = args[name];
    if (given !== null && !/^\d{4}-\d\d-\d\d$/.test(given))
      throw new InputError(
        `explain_change compares whole days; ${name} has a time`,
        'Give days, as 2026-10-31.',
      );
  }
  const question = readQuestion(questionOf(args), timezone);
  const { range, compared } = question;
  if (compared === null) throw new Error('explain_change without a comparison');
  if (range.start < compared.range.end && compared.range.start < range.end)
    throw new InputError(
      `the compared range, ${compared.from_date} to ${compared.to_date}, has days of ${args.from_date} to ${args.to_date}`,
      'Give two ranges without a common day.',
    );
  return { question, compared, range };
}

/** What is asked of the store, and how it becomes an answer. */
export function planExplained(context: ExplainContext): Plan {
  const { args, timezone, facts } = context;
  const { question, compared, range } = readExplained(args, timezone);
  const metric = explainedMetric(args.metric);
  const ranges: Both<Range> = [compared.range, range];
  const needs = needsOf(metric, ranges);
  return {
    queries: { ...askAll(needs, facts), ...asideQueries(question) },
    countsFirstOrders: metric.customers.length > 0 || metric.name === 'customers_count',
    answer: (rows) => explained(context, { question, metric, ranges, needs }, rows as unknown as Found),
  };
}

interface Asked {
  readonly question: Question;
  readonly metric: ExplainedMetric;
  readonly ranges: Both<Range>;
  readonly needs: readonly Need[];
}

const TOTAL = 'total';

function needsOf(metric: ExplainedMetric, ranges: Both<Range>): Need[] {
  const cutBy = (dimension: DimensionName) =>
    metric.cuts.find(({ dimensions }) => dimensions.includes(dimension)) ?? metric.cuts[0];
  const dimensions = [...new Set([...metric.rows, ...metric.cuts.flatMap((cut) => cut.dimensions)])];
  return [
    {
      id: TOTAL,
      ranges,
      metrics: [
        metric.name,
        ...metric.chains.flatMap(({ steps }) => steps.map((step) => step.metric)),
        ...metric.cuts.flatMap((cut) => [cut.metric, cut.count]),
        ...(metric.name === 'customers_count' ? ['new_customers_count', 'returning_customers_count'] : []),
      ],
    },
    ...dimensions.map((dimension): Need => {
      const cut = cutBy(dimension);
      const isItem = ['product', 'brand', 'category'].includes(dimension);
      return {
        id: dimension,
        ranges,
        dimensions: [dimension],
        metrics: [
          cut.metric,
          cut.count,
          ...(isItem && metric.items !== null ? ['quantity', metric.items.metric] : []),
          ...(dimension === 'customer_type' ? metric.customers : []),
        ],
      };
    }),
  ];
}

function explained(context: ExplainContext, asked: Asked, found: Found): Answer | Plan {
  const { metric, needs, ranges } = asked;
  const names = identifierNamesOf(needs, found);
  if (Object.keys(names).length === 0) return answerOf(context, asked, found, {});
  return {
    queries: names,
    answer: (rows) => answerOf(context, asked, found, rows as unknown as Found),
  };

  function identifierNamesOf(all: readonly Need[], rows: Found): Queries {
    const [dimension] = all.flatMap(({ id }) => NAMED_IDS.filter((one) => one === id));
    if (dimension === undefined) return {};
    const both = ranges.map((_, place) => rowsOf(rows, dimension, place)) as unknown as Both<RowsByKey>;
    const { metric: value } = metric.cuts.find((cut) =>
      (cut.dimensions as readonly string[]).includes(dimension),
    ) ?? { metric: metric.name };
    const moved = keysOf(both)
      .map((key) => ({
        key,
        change: Math.abs((both[1].get(key)?.[value] ?? 0) - (both[0].get(key)?.[value] ?? 0)),
      }))
      .toSorted((one, other) => other.change - one.change)
      .slice(0, MOST_NAMED)
      .map(({ key }) => key);
    return identifierNames([dimension], moved);
  }
}

/** More are named in no answer. */
const MOST_NAMED = 50;

function answerOf(context: ExplainContext, asked: Asked, found: Found, named: Found): Answer {
  const { args, currency, facts, timezone } = context;
  const { question, metric, needs, ranges } = asked;
  const total = needs[0] as Need;
  const totals: Both<ReturnType<typeof totalOf>> = [
    totalOf(found, total, 0, facts),
    totalOf(found, total, 1, facts),
  ];
  const nameOf = new Map((named.names ?? []).map((row) => [String(row.id), row.name as string | null]));
  const compared: Compared = {
    metric,
    totals,
    days: [daysOf(ranges[0]), daysOf(ranges[1])],
    hasVisits: areVisitsKnown(ranges, timezone, facts),
    rows: (dimension) => [rowsOf(found, dimension, 0), rowsOf(found, dimension, 1)],
    nameOf: (_, key) => {
      const name = nameOf.get(key) ?? null;
      return shortText(name === null ? key : `${key} ${name}`, MOST_CHARACTERS);
    },
  };
  const ends = endsOf(compared);
  const { bridges, notes } = allBridges(compared);
  const [from, to] = ends ?? totals.map((values) => values[metric.name] ?? null);
  const change = ends === null ? null : addMoney(ends[1], -ends[0]);
  return {
    result: {
      business_id: args.business_id,
      metric: metric.name,
      unit: metricNamed(metric.name).metric.unit ?? '',
      currency,
      compared_range: question.compared && {
        from_date: question.compared.from_date,
        to_date: question.compared.to_date,
      },
      from,
      to,
      change,
      change_percent: ends === null || change === null ? null : roundedPercent(change, Math.abs(ends[0])),
      bridges,
    },
    notes: [
      ...(ends === null
        ? [`${metric.name} is not known in one of the ranges, so nothing is explained.`]
        : []),
      ...valueNotes(question, questionOf(args), {
        rows: totals,
        asked: found,
        facts,
        currency,
        timezone,
      }),
      ...notes,
    ],
  };
}

const MOST_CHARACTERS = 60;

/** Whether visits are loaded from the first day to the last one of both ranges. */
function areVisitsKnown(ranges: Both<Range>, timezone: string, facts: SnapshotFacts): boolean {
  const [start, end] = [beginningOf('sessions', facts), facts.sessions_until];
  if (start === null || end === null) return false;
  const [first, last] = [localDate(start, timezone).toString(), localDate(end, timezone).toString()];
  return ranges.every(
    ({ firstDate, lastDate }) => first <= firstDate.toString() && lastDate.toString() <= last,
  );
}
