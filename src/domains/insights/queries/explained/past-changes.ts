import type { Pieces } from '../../../../main-thread/pieces.ts';
import type { Range } from '../../../../time/range.ts';
import type { DimensionName } from '../dimensions.ts';
import { SEPARATOR } from '../fact.ts';
import { metricNamed } from '../metric-layer.ts';
import type { Both, Compared, RowsByKey } from './all-bridges.ts';
import { type Found, type Need, readRowsOf, rowsOf, type Values } from './asked-changes.ts';
import { type Candidate, type Common, type Finding, mayContain, type Past } from './change-findings.ts';
import type { Cut, ExplainedMetric } from './explained-metrics.ts';
import { type WeekGroup, weeklySums } from './weeks-before.ts';

type Groups = (fact: string) => readonly WeekGroup[];

function factOf(cut: Cut): string {
  return metricNamed(cut.metric).fact.name;
}

function pastId(dimension: DimensionName): string {
  return `past ${dimension}`;
}

/** The weeks of the candidates, by dimension. */
export function pastNeeds(candidates: readonly Candidate[], metric: ExplainedMetric, groups: Groups): Need[] {
  return [...Map.groupBy(candidates, ({ dimension }) => dimension)].flatMap(([dimension, some]) => {
    const { cut } = some[0] as Candidate;
    const ranges = groups(factOf(cut)).map(({ range }) => range);
    if (ranges.length === 0) return [];
    const isItem = some.some(({ item }) => item !== null);
    return [
      {
        id: pastId(dimension),
        ranges,
        dimensions: [dimension, 'week'] as const,
        conditions: [{ dimension, kind: 'in' as const, values: some.map(({ key }) => key) }],
        metrics: [cut.metric, ...(isItem && metric.items !== null ? ['quantity', metric.items.metric] : [])],
      },
    ];
  });
}

interface Known {
  readonly metric: ExplainedMetric;
  /** Sums of all, by day. */
  readonly days: RowsByKey;
  readonly past: Found;
  readonly groups: Groups;
  readonly compared: Compared;
}

/** @param candidates the values whose weeks are read, all of them before the first result */
export function* pastOf(
  { metric, days, past, groups, compared }: Known,
  candidates: readonly Candidate[],
): Pieces<Past> {
  const read = new Map<string, RowsByKey>();
  const idOf = (dimension: DimensionName, place: number) => `${dimension} ${place}`;
  for (const { dimension, cut } of candidates)
    for (const place of groups(factOf(cut)).keys()) {
      const id = idOf(dimension, place);
      if (!read.has(id)) read.set(id, yield* readRowsOf(past, pastId(dimension), place));
    }
  const rows = (dimension: DimensionName, place: number) => read.get(idOf(dimension, place)) ?? new Map();
  const sumsOf = weeklySumsOnce(days);
  const weeksOf = ({ dimension, key }: Candidate, { mondays }: WeekGroup, place: number): Values[] =>
    mondays.map((monday) => rows(dimension, place).get(`${key}${SEPARATOR}${monday}`) ?? {});
  return {
    lengths: [compared.days[0] / 7, compared.days[1] / 7],
    shares: (candidate) =>
      groups(factOf(candidate.cut)).map((group, place) => ({
        of: weeksOf(candidate, group, place).map((values) => values[candidate.cut.metric] ?? 0),
        all: sumsOf(candidate.cut.metric, group),
      })),
    prices: (candidate) =>
      groups(factOf(candidate.cut)).flatMap((group, place) =>
        aroundOne(
          weeksOf(candidate, group, place).map((values) => {
            const [money, pieces] = [values[metric.items?.metric ?? ''] ?? 0, values.quantity ?? 0];
            return pieces > 0 ? money / pieces : 0;
          }),
        ),
      ),
    factors: (bridge, place) => {
      const chain = metric.chains.find(({ name }) => name === bridge.name);
      if (chain === undefined) return null;
      const isPerDay = bridge.parts.length > chain.steps.length;
      const at = isPerDay ? place - 1 : place;
      const step = chain.steps[at];
      if (step === undefined) return null;
      const above = step.metric;
      const below = at === 0 ? null : (chain.steps[at - 1]?.metric ?? null);
      const isMoney = metricNamed(above).metric.unit === 'money';
      const facts = [above, ...(below === null ? [] : [below])].map((name) => metricNamed(name).fact.name);
      // The shorter time counts where one of them is known for a shorter time.
      const [shortest = []] = facts.map(groups).toSorted((one, other) => sizeOf(one) - sizeOf(other));
      const sums = shortest.map((group) => ({
        above: sumsOf(above, group),
        below: below === null ? null : sumsOf(below, group),
        counted: sumsOf(isMoney && below !== null ? below : above, group),
      }));
      const counted = sums.flatMap((one) => one.counted);
      return {
        weeks: sums.flatMap((one) =>
          aroundOne(
            one.above.map((sum, week) => {
              if (one.below === null) return sum;
              const divisor = one.below[week] ?? 0;
              return divisor === 0 ? 0 : sum / divisor;
            }),
          ),
        ),
        count: counted.reduce((sum, value) => sum + value, 0) / Math.max(1, counted.length),
      };
    },
  };
}

/** The sums of a metric by week; those of all candidates are the same, and computed once. */
function weeklySumsOnce(days: RowsByKey): (metric: string, group: WeekGroup) => readonly number[] {
  const known = new Map<string, Map<WeekGroup, readonly number[]>>();
  return (metric, group) => {
    const ofMetric = known.get(metric) ?? new Map<WeekGroup, readonly number[]>();
    known.set(metric, ofMetric);
    const sums = ofMetric.get(group) ?? weeklySums(days, metric, group);
    ofMetric.set(group, sums);
    return sums;
  };
}

function sizeOf(groups: readonly WeekGroup[]): number {
  return groups.reduce((sum, { mondays }) => sum + mondays.length, 0);
}

/** The values as parts of their mean, because the weeks of several ranges vary around the mean of each. */
function aroundOne(values: readonly number[]): number[] {
  const some = values.filter((value) => value > 0);
  const mean = some.reduce((sum, value) => sum + value, 0) / some.length;
  return some.map((value) => value / mean);
}

/** What two dimensions both cut. */
function pairCut({ cuts }: ExplainedMetric, one: DimensionName, other: DimensionName): Cut | null {
  return (
    cuts.find((cut) => {
      const { fact } = metricNamed(cut.metric);
      return fact.cuts[one] !== undefined && fact.cuts[other] !== undefined;
    }) ?? null
  );
}

/** Two dimensions in one fixed order, whichever of them is asked about. */
function pairOf(one: DimensionName, other: DimensionName): readonly [DimensionName, DimensionName] {
  return one < other ? [one, other] : [other, one];
}

function pairId(one: DimensionName, other: DimensionName): string {
  return `both ${pairOf(one, other).join(' ')}`;
}

/** The queries that tell how much the found values of two dimensions have in common. */
export function pairNeeds(
  findings: readonly Finding[],
  metric: ExplainedMetric,
  ranges: Both<Range>,
): Need[] {
  const byDimension = Map.groupBy(
    findings.flatMap(({ candidate }) => candidate ?? []),
    ({ dimension }) => dimension,
  );
  const needs = new Map<string, Need>();
  for (const [one, some] of byDimension)
    for (const [other, others] of byDimension) {
      const cut = pairCut(metric, one, other);
      const isAsked = some.some((candidate) => others.some((another) => mayContain(candidate, another)));
      if (one === other || cut === null || !isAsked) continue;
      const keys = (dimension: DimensionName) => (byDimension.get(dimension) ?? []).map(({ key }) => key);
      const dimensions = pairOf(one, other);
      needs.set(pairId(one, other), {
        id: pairId(one, other),
        ranges,
        dimensions,
        conditions: dimensions.map((dimension) => ({ dimension, kind: 'in', values: keys(dimension) })),
        metrics: [cut.metric],
      });
    }
  return [...needs.values()];
}

/** What two values have in common, in the size of the first one's dimension. */
export function commonIn({
  metric,
  pairs,
  totals,
}: {
  readonly metric: ExplainedMetric;
  readonly pairs: Found;
  readonly totals: Both<Values>;
}): Common {
  const read = new Map<string, RowsByKey>();
  const rowsIn = (id: string, place: number) => {
    const key = `${id} ${place}`;
    const rows = read.get(key) ?? rowsOf(pairs, id, place);
    read.set(key, rows);
    return rows;
  };
  return (one, other) => {
    const cut = pairCut(metric, one.dimension, other.dimension);
    if (cut === null || !mayContain(one, other)) return null;
    const keys = pairOf(one.dimension, other.dimension).map((dimension) =>
      dimension === one.dimension ? one.key : other.key,
    );
    const [from, to] = totals.map((values, place) => {
      const rows = rowsIn(pairId(one.dimension, other.dimension), place);
      const value = rows.get(keys.join(SEPARATOR))?.[cut.metric] ?? 0;
      const whole = values[cut.metric] ?? 0;
      return whole === 0 ? 0 : (value * one.whole[place === 0 ? 'from' : 'to']) / whole;
    }) as [number, number];
    return { from, to };
  };
}
