import type { Range } from '../../../../time/range.ts';
import type { DimensionName } from '../dimensions.ts';
import { SEPARATOR } from '../fact.ts';
import { metricNamed } from '../metric-layer.ts';
import type { Both, Compared, RowsByKey } from './all-bridges.ts';
import { type Found, type Need, rowsOf, type Values } from './asked-changes.ts';
import type { Cut, ExplainedMetric } from './explained-metrics.ts';
import type { Candidate, Common, Finding, Past } from './findings.ts';
import { type WeekGroup, weeklySums } from './history.ts';

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

export function pastOf({ metric, days, past, groups, compared }: Known): Past {
  const weekOf = (dimension: DimensionName, place: number) => rowsOf(past, pastId(dimension), place);
  const read = new Map<string, RowsByKey>();
  const rows = (dimension: DimensionName, place: number): RowsByKey => {
    const id = `${dimension} ${place}`;
    const known = read.get(id) ?? weekOf(dimension, place);
    read.set(id, known);
    return known;
  };
  const weeksOf = ({ dimension, key }: Candidate, { mondays }: WeekGroup, place: number): Values[] =>
    mondays.map((monday) => rows(dimension, place).get(`${key}${SEPARATOR}${monday}`) ?? {});
  return {
    lengths: [compared.days[0] / 7, compared.days[1] / 7],
    shares: (candidate) =>
      groups(factOf(candidate.cut)).map((group, place) => ({
        of: weeksOf(candidate, group, place).map((values) => values[candidate.cut.metric] ?? 0),
        all: weeklySums(days, candidate.cut.metric, group),
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
      // Where one is known for a shorter time, that counts.
      const [shortest = []] = facts.map(groups).toSorted((one, other) => sizeOf(one) - sizeOf(other));
      const sums = shortest.map((group) => ({
        above: weeklySums(days, above, group),
        below: below === null ? null : weeklySums(days, below, group),
        counted: weeklySums(days, isMoney && below !== null ? below : above, group),
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

function sizeOf(groups: readonly WeekGroup[]): number {
  return groups.reduce((sum, { mondays }) => sum + mondays.length, 0);
}

/** As parts of their mean: weeks of several ranges vary around each one's own. */
function aroundOne(values: readonly number[]): number[] {
  const some = values.filter((value) => value > 0);
  const mean = some.reduce((sum, value) => sum + value, 0) / some.length;
  return some.map((value) => value / mean);
}

function pairId({ dimension, key }: Candidate, other: DimensionName): string {
  return `both ${dimension} ${key} ${other}`;
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

/** Of each found value, how much of it is in the values of other dimensions. */
export function pairNeeds(
  findings: readonly Finding[],
  metric: ExplainedMetric,
  ranges: Both<Range>,
): Need[] {
  const candidates = findings.flatMap(({ candidate }) => candidate ?? []);
  return candidates.flatMap((candidate) => {
    const { dimension, key } = candidate;
    const others = new Set(candidates.map((one) => one.dimension));
    return [...others].flatMap((other) => {
      if (other === dimension) return [];
      const cut = pairCut(metric, dimension, other);
      if (cut === null) return [];
      return [
        {
          id: pairId(candidate, other),
          ranges,
          dimensions: [other],
          conditions: [{ dimension, kind: 'in' as const, values: [key] }],
          metrics: [cut.metric],
        },
      ];
    });
  });
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
  return (one, other) => {
    const cut = pairCut(metric, one.dimension, other.dimension);
    if (cut === null) return null;
    const [from, to] = totals.map((values, place) => {
      const value = rowsOf(pairs, pairId(one, other.dimension), place).get(other.key)?.[cut.metric] ?? 0;
      const whole = values[cut.metric] ?? 0;
      return whole === 0 ? 0 : (value * one.whole[place === 0 ? 'from' : 'to']) / whole;
    }) as [number, number];
    return { from, to };
  };
}
