import { Temporal } from 'temporal-polyfill';
import { column, nullableColumn } from '../../../../answers/fields/field.ts';
import { onlyRow, query } from '../../../../answers/fields/query.ts';
import { FollowedPeople } from '../../../../answers/small-groups.ts';
import { type Answer, plan } from '../../../../answers/tool.ts';
import type { SnapshotFacts } from '../../../../business/snapshot-facts.ts';
import type { Pieces } from '../../../../main-thread/pieces.ts';
import { adCosts } from '../../../../model-table/table-names.ts';
import { parameter, sql } from '../../../../sql/sql.ts';
import { ratioOfKnown, roundedPercent, roundedRatio } from '../../../../statistics/rounded.ts';
import { localDate } from '../../../../time/moment.ts';
import type { Range } from '../../../../time/range.ts';
import { readWholeDays } from '../../../../time/whole-days.ts';
import { overlapNotes } from '../../../orders/queries/cohorts.ts';
import {
  ordersWithoutCustomer,
  withoutCustomerNotes,
} from '../../../orders/queries/orders-without-customer.ts';
import { newFrom } from '../../../orders/queries/start-of-history.ts';
import { asOf } from '../../../rfm/queries/as-of.ts';
import { rankedCustomers, topParts } from '../../../rfm/queries/top-customers.ts';
import {
  concentrationNotes,
  concentrationRows,
  partsOf,
  rankedIn,
  revenueOf,
  topBins,
} from './concentration.ts';
import {
  customerBins,
  type GroupBin,
  groupBins,
  laterBins,
  type Observed,
  spendingBins,
} from './customer-bins.ts';
import {
  type CustomerModel,
  type Future,
  fitCustomers,
  futureOf,
  type HeldOut,
  holdOut,
  LEAST_DAYS,
  LEAST_REPEATERS,
} from './customer-model.ts';
import { type ValueGroup, valueSelection } from './value-groups.ts';
import { hiddenValues, type ValueHistory, valueHistory, valuesAfter } from './value-history.ts';
import { firstOrderShareNotes, stayingNotes, youngGroupNotes } from './value-notes.ts';

interface Asked {
  readonly business_id: string;
  readonly from_date: string;
  readonly to_date: string;
  readonly by: ValueGroup;
  readonly limit: number;
  readonly days_ahead: number;
  readonly top_customers: number | null;
}

interface Context {
  readonly args: Asked;
  readonly timezone: string;
  readonly currency: string | null;
  readonly facts: SnapshotFacts;
  readonly leastFollowed?: number | undefined;
}

export function planCustomerValue({ args, timezone, currency, facts, leastFollowed }: Context) {
  const { range } = readWholeDays(args, timezone);
  const { firstDate, lastDate } = range;
  const days = { firstDate: firstDate.toString(), lastDate: lastDate.toString() };
  const observed = observedOf(facts, timezone);
  const selection = valueSelection(args.by, days, args.limit, observed?.until ?? null);
  const middle = observed === null ? null : middleOf(observed);
  return plan({
    queries: {
      history: valueHistory(selection),
      costs: hasCosts(args.by) ? adCostsByChannel(days) : null,
      bins: observed === null ? null : customerBins(observed),
      later: observed === null || middle === null ? null : laterBins(observed, middle),
      spending: observed === null ? null : spendingBins(observed),
      groups: observed === null ? null : groupBins(observed, selection),
      withoutCustomer: ordersWithoutCustomer(days, facts),
      ranked: rankedCustomers(rankedIn(range)),
    },
    *answer({ history, costs, bins, later, spending, groups, withoutCustomer, ranked }) {
      const people = new FollowedPeople(leastFollowed);
      const heldOut =
        observed === null || middle === null
          ? null
          : yield* holdOut(later, daysBetween(middle, observed.until));
      const model = yield* fitCustomers(bins, spending);
      const refusal = whyNoModel(observed, model, heldOut);
      const binsOf = yield* byGroup(groups);
      const hidden = people.hiddenParts(
        history,
        ({ customers_count }) => customers_count,
        ({ cohort_start }) => cohort_start,
      );
      const isNewFrom = newFrom({ timezone, facts })?.toString() ?? null;
      const rows: GroupRow[] = [];
      for (const row of sorted(history, args.by)) {
        yield;
        const isHidden = hidden.has(row);
        const future =
          refusal !== null || model === null || isHidden
            ? null
            : yield* futureOf(binsOf.get(groupKey(row)) ?? [], model, args.days_ahead);
        rows.push({
          ...groupOf(row, args, { people, isHidden, future, cost: costOf(row, costs, args.by) }),
          may_contain_old_customers: isNewFrom !== null && row.cohort_start < isNewFrom,
        });
      }
      const result = {
        business_id: args.business_id,
        data_until: facts.orders_until,
        by: args.by,
        days_ahead: args.days_ahead,
        groups: rows,
        model: modelShown(model, heldOut),
      };
      const notes = [
        ...(refusal === null ? [...roughNotes(heldOut), ...stayingNotes(model, bins)] : [refusal]),
        ...firstOrderShareNotes(history),
        ...youngGroupNotes(rows),
        ...overlapNotes(selection.segmentation),
        ...withoutCustomerNotes(withoutCustomer, currency),
      ];
      const tops = partsOf(onlyRow(ranked).customers_count, args.top_customers);
      const believed = refusal === null ? model : null;
      return planConcentration(
        { range, tops, observed, model: believed, people, facts, timezone },
        (concentration) => ({
          result: { ...result, concentration },
          notes: [...notes, ...people.notes(), ...concentrationNotes(concentration)],
        }),
      );
    },
  });
}

interface Concentrated {
  readonly range: Range;
  readonly tops: ReturnType<typeof partsOf>;
  readonly observed: Observed | null;
  readonly model: CustomerModel | null;
  readonly people: FollowedPeople;
  readonly facts: SnapshotFacts;
  readonly timezone: string;
}

type ConcentrationRows = PiecesOf<ReturnType<typeof concentrationRows>>;
type PiecesOf<Made> = Made extends Generator<unknown, infer Rows> ? Rows : never;

/** The best customers of the range are asked once it is known how many there are. */
function planConcentration<Result>(
  { range, tops, observed, model, people, facts, timezone }: Concentrated,
  answerWith: (rows: ConcentrationRows) => Answer<Result>,
) {
  const sizes = tops.flatMap(({ size }) => size ?? []);
  const isAsked = sizes.length > 0 && observed !== null;
  const moment = asOf(Temporal.Instant.from(facts.latest_at), timezone, facts);
  return plan({
    queries: {
      all: revenueOf(range),
      parts: isAsked ? topParts(rankedIn(range), sizes, moment) : null,
      topBins: isAsked ? topBins(range, sizes, observed) : null,
    },
    *answer({ all, parts, topBins: inBins }) {
      const known = { all: onlyRow(all).revenue, parts, bins: inBins, model };
      return answerWith(yield* concentrationRows(tops, known, people));
    },
  });
}

/** Null where no orders are loaded. */
function observedOf({ history_starts_at, orders_until }: SnapshotFacts, timezone: string): Observed | null {
  if (history_starts_at === null || orders_until === null) return null;
  const [from, until] = [localDate(history_starts_at, timezone), localDate(orders_until, timezone)];
  return {
    from: from.toString(),
    until: until.toString(),
    days: daysBetween(from.toString(), until.toString()),
  };
}

function daysBetween(one: string, other: string): number {
  return Temporal.PlainDate.from(one).until(other, { largestUnit: 'days' }).days;
}

/** The last day of the first half; null where a half is too short. */
function middleOf({ from, days }: Observed): string | null {
  const half = Math.floor(days / 2);
  return half < LEAST_DAYS ? null : Temporal.PlainDate.from(from).add({ days: half }).toString();
}

/** Why nothing is expected; null where the model can be believed. */
function whyNoModel(
  observed: Observed | null,
  model: CustomerModel | null,
  heldOut: HeldOut | null,
): string | null {
  if (observed === null) return 'No orders are loaded, so nothing is expected.';
  if (observed.days < 2 * LEAST_DAYS)
    return `Nothing is expected: the history has ${observed.days} days, and ${2 * LEAST_DAYS} are needed to try a model on its second half.`;
  if (model === null || heldOut === null)
    return `Nothing is expected: a model needs ${LEAST_REPEATERS} customers who came again, also in the first half of the history.`;
  const { error, error_as_before } = heldOut;
  if (error === null || error_as_before === null || error >= error_as_before)
    return 'Nothing is expected: on the second half of the history the model was no better than "as often as before" (held_out_error).';
  return null;
}

/** If a model missed by more than this, in percent, a note says so first. */
const ROUGH_ERROR = 20;

function roughNotes(heldOut: HeldOut | null): string[] {
  if (heldOut === null || heldOut.error === null || heldOut.error <= ROUGH_ERROR) return [];
  const side = heldOut.expected > heldOut.actual ? 'too much' : 'too little';
  return [
    `What is expected is rough: on the second half of the history the model missed by ${Math.round(heldOut.error)} %; all in all it expected ${side}.`,
  ];
}

/** The bins of each group. */
function* byGroup(bins: readonly GroupBin[]): Pieces<ReadonlyMap<string, readonly GroupBin[]>> {
  const groups = new Map<string, GroupBin[]>();
  for (const [index, bin] of bins.entries()) {
    if (index % BINS_OF_PIECE === 0) yield;
    const key = groupKey(bin);
    const known = groups.get(key);
    if (known === undefined) groups.set(key, [bin]);
    else known.push(bin);
  }
  return groups;
}

const BINS_OF_PIECE = 1000;

function groupKey(row: Pick<ValueHistory, 'cohort_start' | 'segment'>): string {
  return JSON.stringify([row.cohort_start, row.segment]);
}

function sorted(history: readonly ValueHistory[], by: ValueGroup): readonly ValueHistory[] {
  const isRest = ({ segment }: ValueHistory) => (segment === '(other)' ? 1 : 0);
  return history.toSorted((one, other) =>
    by === 'cohort'
      ? one.cohort_start.localeCompare(other.cohort_start)
      : isRest(one) - isRest(other) ||
        other.customers_count - one.customers_count ||
        (one.segment ?? '').localeCompare(other.segment ?? ''),
  );
}

const COST = [column('channel', 'text'), nullableColumn('cost', 'number'), column('unpriced', 'integer')];
type Cost = { readonly channel: string; readonly cost: number | null; readonly unpriced: number };

function adCostsByChannel({
  firstDate,
  lastDate,
}: {
  readonly firstDate: string;
  readonly lastDate: string;
}) {
  return query(
    COST,
    sql`
    select channel, sum(cost) as cost, count(*) filter (where cost is null) as unpriced
    from ${adCosts}
    where spent_date between ${parameter.date(firstDate)} and ${parameter.date(lastDate)}
    group by channel`,
  );
}

function hasCosts(by: ValueGroup): boolean {
  return by === 'none' || by === 'last_click_channel';
}

/** What advertising for a group cost; null where that is not known, or costs cannot be told apart by it. */
function costOf({ segment }: ValueHistory, costs: readonly Cost[], by: ValueGroup): number | null {
  if (!hasCosts(by)) return null;
  const own = by === 'none' ? costs : costs.filter(({ channel }) => channel === segment);
  if (own.length === 0 || own.some(({ unpriced }) => unpriced > 0)) return null;
  return own.reduce((sum, { cost }) => sum + (cost ?? 0), 0);
}

type GroupRow = ReturnType<typeof groupOf> & { readonly may_contain_old_customers: boolean };

interface Known {
  readonly people: FollowedPeople;
  readonly isHidden: boolean;
  readonly future: Future | null;
  readonly cost: number | null;
}

function groupOf(row: ValueHistory, { by }: Asked, { people, isHidden, future, cost }: Known) {
  const size = row.customers_count;
  const told = <Value>(value: Value) => (isHidden ? people.hidden() : value);
  const after = valuesAfter(row, people).map((values) => (isHidden ? hiddenValues(values) : values));
  const costOfOne = told(ratioOfKnown(cost, size));
  return {
    group: by === 'cohort' ? row.cohort_start.slice(0, 7) : row.segment,
    customers_count: told(size),
    ad_cost_per_new_customer: costOfOne,
    paid_back_within_days:
      costOfOne === null
        ? null
        : (after.find(({ gross_profit_per_customer: profit }) => profit !== null && profit >= costOfOne)
            ?.days ?? null),
    after,
    expected_orders: rounded(future?.orders),
    expected_revenue: rounded(future?.revenue),
    expected_revenue_per_customer:
      future === null || future.revenue === null ? null : roundedRatio(future.revenue, size),
    expected_active_share:
      future === null || future.alive === null ? null : roundedPercent(future.alive, size),
  };
}

function rounded(value: number | null | undefined): number | null {
  return value === null || value === undefined ? null : roundedRatio(value, 1);
}

function modelShown(model: CustomerModel | null, heldOut: HeldOut | null) {
  return {
    r: rounded(model?.often.r),
    alpha: rounded(model?.often.alpha),
    a: rounded(model?.often.a),
    b: rounded(model?.often.b),
    p: rounded(model?.worth?.p),
    q: rounded(model?.worth?.q),
    gamma: rounded(model?.worth?.gamma),
    log_likelihood: rounded(model?.often.log_likelihood),
    held_out_customers_count: heldOut?.customers_count ?? null,
    held_out_actual: heldOut?.actual ?? null,
    held_out_expected: rounded(heldOut?.expected),
    held_out_error: heldOut?.error ?? null,
    held_out_error_as_before: heldOut?.error_as_before ?? null,
  };
}
