import { dateText, dayOf, localDay, momentOf, momentText } from './calendar.ts';
import type { Order } from './orders.ts';
import { planted } from './planted-products.ts';
import type { Product } from './product.ts';
import { at } from './random-stream.ts';
import { median, mustBe, Tally } from './tally.ts';
import type { World } from './world.ts';

/** How customers buy, over valid orders of the whole history. */
export type BuyingTruth = {
  busiest_hour: { hour: number; orders_count: number };
  most_used_payment_method: { payment_method: string; orders_count: number };
  /** Customers' first and second orders; days between local dates. */
  first_repurchase: {
    eligible_customers_count: number;
    returned_customers_count: number;
    median_days: number;
  };
  /** The two products (by id; neither has a master) in one order more often than any two master products. */
  bought_together: {
    external_product_ids: [string, string];
    baskets_count: number;
    orders_counts: [number, number];
    pair_orders_count: number;
  };
  /** Orders with the product whose customer's next order has it too; days between local dates. */
  replenished_product: { external_product_id: string; rebuying_orders_count: number; median_days: number };
  /** The month of the first order of a product of the category. */
  new_category: { category: string; first_month: string; orders_count: number };
  /**
   * Champions (last order within 30 days, 5 orders or more within 365) at `from_date` whose last order lies
   * more than 180, at most 365 days back at `to_date`: `at_risk`, `cant_lose` and `hibernating`. Days are
   * full days.
   */
  lapsed_champions: {
    from_date: string;
    to_date: string;
    champions_count: number;
    lapsed_count: number;
  };
  /**
   * The month in which these cross the 180 days: of the loyal (5 orders or more, the last 31 to 180 days
   * back) at its start some are at risk (the last more than 180 days back, 3 to 7 orders) at its end.
   */
  loyal_at_risk: { from_date: string; to_date: string; loyal_count: number; at_risk_count: number };
  /**
   * The month with the highest share of new customers who ordered again within 90 days. It is chosen among
   * the months whose new customers were all seen for 90 days, and that lie 90 days after the start of the
   * history.
   */
  best_cohort: { cohort: string; customers_count: number; returned_customers_count: number };
};

/** @param valid in order of time */
export function countBuyingTruth(world: World, valid: readonly Order[]): BuyingTruth {
  const hours = new Tally<number>();
  const methods = new Tally();
  for (const { row } of valid) {
    hours.add(Number(row.ordered_at.slice(11, 13)), 1);
    methods.add(row.payment_method, 1);
  }
  const hour = hours.largest();
  const method = methods.largest();
  const byCustomer = ordersByCustomer(valid);
  return {
    busiest_hour: { hour: hour.key, orders_count: hour.count },
    most_used_payment_method: { payment_method: method.key, orders_count: method.count },
    first_repurchase: firstRepurchase(byCustomer),
    bought_together: boughtTogether(valid),
    replenished_product: replenishedProduct(byCustomer),
    new_category: newCategory(valid),
    lapsed_champions: lapsedChampions(world, byCustomer),
    loyal_at_risk: loyalAtRisk(byCustomer),
    best_cohort: bestCohort(world, byCustomer),
  };
}

/** The orders of each customer, without those that name nobody. */
function ordersByCustomer(valid: readonly Order[]): Order[][] {
  const known = valid.filter(({ customer }) => customer !== null);
  return [...Map.groupBy(known, ({ customer }) => customer).values()];
}

function firstRepurchase(byCustomer: readonly Order[][]) {
  const returned = byCustomer.filter((orders) => orders.length > 1);
  return {
    eligible_customers_count: byCustomer.length,
    returned_customers_count: returned.length,
    median_days: median(returned.map((orders) => at(orders, 1).day - at(orders, 0).day)),
  };
}

function boughtTogether(valid: readonly Order[]) {
  const pairs = new Tally();
  const singles = new Tally();
  for (const { sold } of valid) {
    const masters = [...new Set(sold.map(({ product }) => masterOf(product)))].sort();
    for (const [index, first] of masters.entries()) {
      singles.add(first, 1);
      for (const second of masters.slice(index + 1)) pairs.add(`${first} + ${second}`, 1);
    }
  }
  const [first, second] = planted.pair.external_product_ids;
  const best = pairs.largest();
  mustBe('pair', best.key, [first, second].sort().join(' + '));
  return {
    external_product_ids: [first, second] as [string, string],
    baskets_count: valid.length,
    orders_counts: [singles.of(first), singles.of(second)] as [number, number],
    pair_orders_count: best.count,
  };
}

function masterOf({ external_master_product_id, external_product_id }: Product): string {
  return external_master_product_id ?? external_product_id;
}

function replenishedProduct(byCustomer: readonly Order[][]) {
  const { external_product_id } = planted.replenished;
  const has = ({ sold }: Order) =>
    sold.some(({ product }) => product.external_product_id === external_product_id);
  const days: number[] = [];
  for (const orders of byCustomer) {
    for (const [index, next] of orders.slice(1).entries()) {
      const order = at(orders, index);
      if (has(order) && has(next)) days.push(next.day - order.day);
    }
  }
  const median_days = median(days);
  mustBe('rhythm of replenishment', median_days >= 40 && median_days <= 50 ? '45 days' : 'other', '45 days');
  return { external_product_id, rebuying_orders_count: days.length, median_days };
}

function newCategory(valid: readonly Order[]) {
  const { category, month } = planted.newCategory;
  const orders = valid.filter(({ sold }) =>
    sold.some(({ product }) => product.categories.includes(category)),
  );
  const first_month = dateText(at(orders, 0).day).slice(0, 7);
  mustBe('first month of a category', first_month, month);
  return { category, first_month, orders_count: orders.length };
}

function lapsedChampions(world: World, byCustomer: readonly Order[][]) {
  const from = momentOf(dayOf('2026-02-28'), 86_399);
  const champions = byCustomer.filter((orders) => {
    const { recency, orders_count } = standing(orders, from);
    return recency !== null && recency <= 30 && orders_count >= 5;
  });
  const lapsed = champions.filter((orders) => {
    const { recency } = standing(orders, world.end);
    return recency !== null && recency > 180;
  });
  const isSome = lapsed.length * 12 > champions.length;
  mustBe('lapse of the best customers', isSome ? 'some' : 'few', 'some');
  return {
    from_date: momentText(from),
    to_date: momentText(world.end),
    champions_count: champions.length,
    lapsed_count: lapsed.length,
  };
}

/** Orders in the 365 days before a moment, and full days, or days of the calendar, since the last of them. */
function standing(orders: readonly Order[], moment: number) {
  const inWindow = orders.filter((order) => order.at <= moment && order.at >= moment - 365 * 86_400);
  const last = inWindow.at(-1);
  return {
    recency: last === undefined ? null : Math.floor((moment - last.at) / 86_400),
    days: last === undefined ? null : localDay(moment) - last.day,
    orders_count: inWindow.length,
  };
}

function loyalAtRisk(byCustomer: readonly Order[][]) {
  const [from_date, to_date] = ['2026-08-01', '2026-08-31'];
  const before = momentOf(dayOf(from_date) - 1, 86_399);
  const loyal = byCustomer.filter((orders) => {
    const { days, orders_count } = standing(orders, before);
    return days !== null && days > 30 && days <= 180 && orders_count >= 5;
  });
  const atRisk = loyal.filter((orders) => {
    const { days, orders_count } = standing(orders, momentOf(dayOf(to_date), 86_399));
    return days !== null && days > 180 && orders_count >= 3 && orders_count <= 7;
  });
  // There may be nobody among few.
  const isSome = atRisk.length > 0 || loyal.length < 200;
  mustBe('loyal customers at risk', isSome ? 'some' : 'none', 'some');
  return { from_date, to_date, loyal_count: loyal.length, at_risk_count: atRisk.length };
}

function bestCohort(world: World, byCustomer: readonly Order[][]) {
  const cohorts = Map.groupBy(byCustomer, (orders) => dateText(at(orders, 0).day).slice(0, 7));
  const counted = [...cohorts].flatMap(([cohort, customers]) => {
    const isWhole = cohort >= '2025-01' && dayOf(`${cohort}-01`) + 31 + 90 <= world.lastDay;
    const returned = customers.filter(
      ([first, second]) => first !== undefined && second !== undefined && second.day - first.day <= 90,
    );
    return isWhole
      ? [{ cohort, customers_count: customers.length, returned_customers_count: returned.length }]
      : [];
  });
  const share = (row: (typeof counted)[number]) => row.returned_customers_count / row.customers_count;
  return at(
    counted.sort((a, b) => share(b) - share(a)),
    0,
  );
}
