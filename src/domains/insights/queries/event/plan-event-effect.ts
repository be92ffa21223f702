import { type KnownName, namedButUnknown } from '../../../../answers/existing-names.ts';
import { column, type ObjectOf } from '../../../../answers/fields/field.ts';
import { type Query, query } from '../../../../answers/fields/query.ts';
import { type Answer, type Plan, plan } from '../../../../answers/tool.ts';
import type { SnapshotFacts } from '../../../../business/snapshot-facts.ts';
import type { Pieces } from '../../../../main-thread/pieces.ts';
import { products, stockReadings } from '../../../../model-table/table-names.ts';
import { parameter, sql } from '../../../../sql/sql.ts';
import {
  type EffectSeries,
  type PlaceboEffect,
  placeboEffect,
} from '../../../../statistics/placebo-effect.ts';
import { roundedPercent, roundedRatio } from '../../../../statistics/rounded.ts';
import type { Range } from '../../../../time/range.ts';
import { type Noted, notedDays } from '../../../calendar/queries/noted-days.ts';
import { type ProductFilters, productCondition } from '../../../products/queries/product-filters.ts';
import { askAll, type Found, type Need, readRowsOf } from '../explained/asked-changes.ts';
import { filteredNames, knownValues, valuesThatExist } from '../filtered-names.ts';
import { daysWithout } from '../usual-weekdays.ts';
import { eventNotes, summaryOf } from './event-notes.ts';
import {
  datesOf,
  EFFECT_METRICS,
  type EventArguments,
  type EventQuestion,
  lengthOf,
  readEvent,
} from './event-question.ts';
import type { EventContext, KnownEvent } from './known-event.ts';
import { mayHaveLength, nearestTellable } from './tellable-days.ts';

const MOST_NOTED = 20;

/** The affected part and the whole, by day: what is not affected is the difference. */
export function planEventEffect(context: EventContext) {
  const { args, timezone, facts } = context;
  const question = readEvent(args, timezone, facts);
  const { history, condition, from, to } = question;
  const event = [{ firstDate: from, lastDate: to }];
  return plan({
    queries: {
      ...askDays(args, question, history, facts),
      known: knownValues({ conditions: [condition] }),
      noted: history === null ? null : notedDays(event, facts, MOST_NOTED),
      missing: history === null ? null : withoutStock(question, facts),
    },
    answer: (found) => answerOf(context, question, found),
  });
}

function askDays(
  { metric }: EventArguments,
  { condition }: EventQuestion,
  range: Range | null,
  facts: SnapshotFacts,
): ReturnType<typeof askAll> {
  if (range === null) return {};
  const asked: Omit<Need, 'id'> = {
    metrics: [metric, EFFECT_METRICS[metric]],
    dimensions: ['day'],
    ranges: [range],
  };
  return askAll(
    [
      { id: 'whole', ...asked },
      { id: 'affected', ...asked, conditions: [condition] },
    ],
    facts,
  );
}

const MISSING = [column('products_count', 'integer')];

/**
 * How many of the affected products were read without stock in these days; null where it is not of products.
 */
function withoutStock(
  { condition, from, to }: EventQuestion,
  facts: SnapshotFacts,
): Query<{ products_count: number }> | null {
  const { dimension, values } = condition;
  const filters: Partial<Record<string, ProductFilters>> = {
    product: { filter_external_product_ids: values },
    brand: { filter_brands: values },
    category: { filter_categories: values },
  };
  const filter = filters[dimension];
  if (filter === undefined || !facts.loaded_tables.includes('stock_readings')) return null;
  return {
    ...query(
      MISSING,
      sql`
      select count(distinct product_key) as products_count
      from ${stockReadings}
      where not in_stock and read_date between ${parameter.date(from.toString())} and ${parameter.date(to.toString())}
        and product_key in (select product_key from ${products} where ${productCondition(filter)})`,
    ),
    isAside: true,
  };
}

/** The rows by day, beside those that notes are made of. */
interface FoundEvent extends Found {
  readonly known: readonly KnownName[];
  readonly noted: readonly Noted[];
  readonly missing: readonly ObjectOf<typeof MISSING>[];
}

function* answerOf(
  context: EventContext,
  question: EventQuestion,
  found: FoundEvent,
): Pieces<Answer<Told> | Plan<Told>> {
  const { args, facts } = context;
  const { history, condition, reach } = question;
  const conditions = { conditions: [condition] };
  const told = {
    noted: found.noted,
    missingProducts: found.missing[0]?.products_count ?? 0,
    unknown: namedButUnknown(valuesThatExist(conditions), filteredNames(conditions), found.known),
  };
  const days = history === null ? null : yield* seriesOf(args, question, history, found);
  const effect = days === null ? null : placeboEffect(days.series, question.days);
  const known = { ...context, question, effect, tellableDays: null, without: days?.without ?? [], ...told };
  if (reach === null || !mayHaveLength(effect)) return shown(known);
  return plan({
    queries: askDays(args, question, reach, facts),
    *answer(more): Pieces<Answer<Told>> {
      const { series } = yield* seriesOf(args, question, reach, more as Found);
      const start = lengthOf(reach.firstDate, question.from) - 1;
      return shown({ ...known, tellableDays: nearestTellable(series, start, question.days) });
    },
  });
}

type Told = ReturnType<typeof resultOf>;

function shown(known: KnownEvent): Answer<Told> {
  return { result: resultOf(known), notes: eventNotes(known) };
}

function resultOf(known: KnownEvent) {
  const { args, facts, question, effect } = known;
  const isTold = effect !== null && 'p' in effect;
  return {
    business_id: args.business_id,
    data_until: args.metric === 'sessions_count' ? facts.sessions_until : facts.orders_until,
    metric: args.metric,
    from_date: question.from.toString(),
    to_date: question.days > 0 ? question.to.toString() : null,
    summary: summaryOf(known),
    ...(isTold ? shownEffect(effect) : NOTHING_SHOWN),
  };
}

function* seriesOf(
  { metric }: EventArguments,
  { days }: EventQuestion,
  range: Range,
  found: Found,
): Pieces<{ readonly series: EffectSeries; readonly without: readonly string[] }> {
  const dates = datesOf(range);
  const whole = yield* readRowsOf(found, 'whole', 0);
  const affected = yield* readRowsOf(found, 'affected', 0);
  const pieces = EFFECT_METRICS[metric];
  const column = (rows: typeof whole, name: string) => dates.map((date) => rows.get(date)?.[name] ?? 0);
  const own = column(affected, metric);
  const without = new Set(daysWithout(dates, dates, (date) => whole.get(date)?.[pieces] ?? 0));
  const unknown = dates.map(
    (date) =>
      without.has(date) || whole.get(date)?.[metric] === null || affected.get(date)?.[metric] === null,
  );
  return {
    series: {
      affected: own,
      rest: column(whole, metric).map((value, place) => Math.max(0, value - (own[place] as number))),
      pieces: column(affected, pieces),
      unknown,
    },
    without: dates.slice(-days - 28).filter((_, place, some) => unknown[dates.length - some.length + place]),
  };
}

const rounded = (value: number) => roundedRatio(value, 1);

function shownEffect({ actual, expected, expectedLow, expectedHigh, ...effect }: PlaceboEffect) {
  return {
    actual: rounded(actual),
    expected: rounded(expected),
    effect: rounded(actual - expected),
    effect_low: rounded(actual - expectedHigh),
    effect_high: rounded(actual - expectedLow),
    effect_percent: roundedPercent(actual - expected, expected),
    p_value: Number(effect.p.toPrecision(3)),
    placebos_count: effect.placebos,
    as_far_count: effect.asFar,
    detectable_percent: rounded(effect.detectable),
    rest_change_percent: roundedPercent(effect.restRatio - 1, 1),
    moves_with_rest: rounded(effect.shared),
  };
}

const NOTHING_SHOWN = {
  actual: null,
  expected: null,
  effect: null,
  effect_low: null,
  effect_high: null,
  effect_percent: null,
  p_value: null,
  placebos_count: null,
  as_far_count: null,
  detectable_percent: null,
  rest_change_percent: null,
  moves_with_rest: null,
};
