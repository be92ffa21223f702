import { shownName } from '../../../answers/existing-names.ts';
import { emptyRow, type Metric } from '../../../answers/metric.ts';
import type { SnapshotFacts } from '../../../business/snapshot-facts.ts';
import { InputError } from '../../../errors.ts';
import { CLICK_FACTS } from './click-facts.ts';
import { isHabit } from './customer-habits.ts';
import { DIMENSION_NAMES, type DimensionName } from './dimensions.ts';
import { emailsFact } from './email-facts.ts';
import type { Fact } from './fact.ts';
import { orderLinesFact } from './line-facts.ts';
import { nearNames } from './near-names.ts';
import { ordersFact, refundsFact } from './order-facts.ts';
import { placedOrdersFact } from './placed-order-facts.ts';
import { adCostsFact, ordersInVisitsFact, visitsFact } from './traffic-facts.ts';

/**
 * What can be counted, and by what. Every number is one that a tool of the contract has, by the same
 * declaration.
 */
export const FACTS: readonly Fact[] = [
  ordersFact,
  orderLinesFact,
  refundsFact,
  placedOrdersFact,
  visitsFact,
  ordersInVisitsFact,
  adCostsFact,
  emailsFact,
  ...CLICK_FACTS,
];

export interface NamedMetric {
  readonly name: string;
  readonly metric: Metric;
  readonly fact: Fact;
  /** Whether its values may be added up over rows; `coupon` and `category` excepted. */
  readonly addsUp: boolean;
}

export const METRICS: readonly NamedMetric[] = FACTS.flatMap((fact) =>
  Object.entries(fact.metrics).map(([name, metric]) => ({
    name,
    metric,
    fact,
    addsUp: fact.adds.includes(name),
  })),
);

/**
 * Whether rows of these dimensions can be added up: nothing is in two of them, but for what has several
 * coupons or categories.
 */
export function addsUpBy(
  { name, fact, addsUp, metric }: NamedMetric,
  dimensions: readonly DimensionName[],
): boolean {
  if (metric.unit === 'customers' && dimensions.length > 0 && dimensions.every(isHabit)) return true;
  const areOfOrders = dimensions.every((one) => ordersFact.cuts[one] !== undefined);
  return addsUp || (areOfOrders && (fact.addsOverOrders ?? []).includes(name));
}

const BY_NAME = new Map(METRICS.map((one) => [one.name, one]));
if (BY_NAME.size < METRICS.length) throw new Error('two metrics have one name');

/** The definition of a metric, in which other metrics have the names that they have here. */
export function definitionOf({ metric, fact }: NamedMetric): string {
  const names = new Map(Object.entries(fact.metrics).map(([name, { key }]) => [key, name]));
  return metric.definition.replace(/\b[a-z]+(_[a-z]+)+\b/g, (key) => names.get(key) ?? key);
}

/** The value of a metric in a row in which nothing happened. It is null where nobody knows that. */
export function valueOfNothing({ metric, fact }: NamedMetric, facts: SnapshotFacts): number | null {
  if (fact.unknown?.(metric, facts) ?? false) return null;
  const values = emptyRow([metric]) as Readonly<Record<string, number | null>>;
  return values[metric.key] ?? null;
}

/** @throws InputError that says which names are near */
export function metricNamed(name: string): NamedMetric {
  const found = BY_NAME.get(name);
  if (found !== undefined) return found;
  throw unknownName('metric', name, [...BY_NAME.keys()]);
}

/** @throws InputError that says which names are near */
export function dimensionNamed(name: string): DimensionName {
  const found = DIMENSION_NAMES.find((one) => one === name);
  if (found !== undefined) return found;
  throw unknownName('dimension', name, DIMENSION_NAMES);
}

/**
 * @throws InputError when the dimension cuts no rows of the metric's fact: it says which ones do, and what it
 *   cuts
 */
export function checkCut({ name, fact }: NamedMetric, dimension: DimensionName): void {
  if (fact.cuts[dimension] !== undefined) return;
  const cut = METRICS.filter((one) => one.fact.cuts[dimension] !== undefined).map((one) => one.name);
  throw new InputError(
    `${name} cannot be cut by ${dimension}; it can be by ${Object.keys(fact.cuts).join(', ')}`,
    `${dimension} cuts ${cut.slice(0, 8).join(', ')}${cut.length > 8 ? ` and ${cut.length - 8} more` : ''}.`,
  );
}

/** @throws InputError when rows of the metric's fact have nothing to do with the dimension */
export function checkHas({ name, fact }: NamedMetric, dimension: DimensionName): void {
  if (fact.has?.[dimension] !== undefined) return;
  const can = Object.keys(fact.has ?? {});
  throw new InputError(
    can.length === 0
      ? `${name} has no filter with has; give in or not_in`
      : `a filter with has on ${dimension} does not fit ${name}; has takes ${can.join(', ')}`,
  );
}

function unknownName(kind: 'metric' | 'dimension', name: string, names: readonly string[]): InputError {
  const near = nearNames(name, names);
  return new InputError(
    `there is no ${kind} ${shownName(name)}${near.length === 0 ? '' : `; near are ${near.join(', ')}`}`,
    'list_metrics tells all metrics and dimensions.',
  );
}
