import { type ExistingNames, isOneOf } from '../../../answers/existing-names.ts';
import { column, field, HIDDEN, NO_RATE, type ObjectOf } from '../../../answers/fields/field.ts';
import { intervalOf } from '../../../answers/fields/interval.ts';
import { count, measure, text } from '../../../answers/fields/kinds-of-fields.ts';
import { query } from '../../../answers/fields/query.ts';
import { totalCount } from '../../../answers/fields/shared-fields.ts';
import { percent, ratio } from '../../../answers/metric.ts';
import { comparableBy } from '../../../answers/ranking.ts';
import { orderProducts, orders, products } from '../../../model-table/table-names.ts';
import { type Paging, type Sorting, sortedBy } from '../../../sql/page.ts';
import { quantile, ranked } from '../../../sql/quantile.ts';
import { parameter, type Sql, sql } from '../../../sql/sql.ts';
import { liftInterval } from '../../../statistics/lift-interval.ts';
import { roundedRatio } from '../../../statistics/rounded.ts';
import { orderedIn, type Range } from '../../../time/range.ts';
import { chanceColumns, judged } from './affinity-chance.ts';
import { type Level, members } from './product-level.ts';

/**
 * The two baskets that hold a pair: one order twice, an order and the customer's next, the first and the
 * second.
 */
export const RELATIONS = ['same_order', 'next_order', 'first_to_second'] as const;
type Relation = (typeof RELATIONS)[number];

export interface AffinityQuestion extends Sorting, Paging {
  readonly range: Range;
  readonly relation: Relation;
  readonly level: Level;
  readonly filter_antecedents: readonly string[] | null;
  readonly min_orders: number;
  /** The fewest customers of a pair with a next order. */
  readonly leastFollowed: number;
}

export const basketsCount = field({
  key: 'baskets_count',
  type: 'integer',
  unit: 'baskets',
  null: HIDDEN,
  definition: 'Orders with a product of the catalogue; transitions: and with a next order.',
});

const liftBounds = intervalOf('lift', 'Koopman', { unit: 'ratio', null: 'every basket has the antecedent' });

/** The columns of a pair as a query gives them. */
const pairColumns = [
  text('antecedent', 'Id or name. Business data.'),
  text('antecedent_name', 'Of the product or master product. Business data.', 'none, or no product'),
  text('consequent', 'Id or name. Business data.'),
  text('consequent_name', 'Of the product or master product. Business data.', 'none, or no product'),
  count('baskets', 'antecedent_orders_count', 'Baskets with the antecedent.'),
  count('baskets', 'consequent_orders_count', 'Baskets (transitions: next orders) with the consequent.'),
  count('baskets', 'pair_orders_count', 'Baskets with both.'),
  measure('percent', 'support', 'pair / baskets_count.'),
  measure('percent', 'confidence', 'pair / antecedent.'),
  field({
    key: 'lift',
    type: 'number',
    unit: 'ratio',
    null: 'nothing to divide by',
    base: 'antecedent_orders_count',
    definition: '(pair x baskets_count) / (antecedent x consequent); 1: independent.',
  }),
  measure('days', 'median_days_between', 'Median between the two orders.', 'same_order'),
  field({
    key: 'pair_revenue',
    type: 'number',
    unit: 'money',
    null: NO_RATE,
    definition: 'Quantity x unit price of both in these baskets; a line of two categories counts for each.',
  }),
];
type Pair = ObjectOf<typeof pairColumns>;

/** Baskets of the pair with a single product of both items: it is in both categories. */
const ownColumns = [column('of_one_product_count', 'integer')];
type JudgedPair = Pair & ObjectOf<typeof chanceColumns> & ObjectOf<typeof ownColumns>;

/** The fields of a pair in the answer. */
export const pairFields = [...pairColumns, ...liftBounds];

const LISTED = [
  totalCount,
  column('place', 'integer'),
  column('is_on_page', 'boolean'),
  ...pairColumns,
  ...ownColumns,
  ...chanceColumns,
];

/** The pairs of `affinityPairs` that are on the page. */
export function listedPairs(rows: readonly ObjectOf<typeof LISTED>[]): readonly JudgedPair[] {
  return rows
    .filter(({ is_on_page }) => is_on_page)
    .map(({ is_on_page, place, total_count, ...pair }) => pair);
}

/** @param all how many baskets there are */
export function pairsOf(pairs: readonly JudgedPair[], all: number) {
  return pairs.map(({ is_beyond_chance, possible_pairs_count, of_one_product_count, ...pair }) => {
    const interval = liftInterval({
      all,
      antecedent: pair.antecedent_orders_count,
      consequent: pair.consequent_orders_count,
      both: pair.pair_orders_count,
    });
    const shown = (bound: number | undefined) => (bound === undefined ? null : roundedRatio(bound, 1));
    return { ...pair, lift_low: shown(interval?.[0]), lift_high: shown(interval?.[1]) };
  });
}

/** `baskets_count`: what support is a share of. */
export function countBaskets(question: AffinityQuestion) {
  return query([column('baskets_count', 'integer'), column('customers_count', 'integer')], baskets(question));
}

function baskets({ range, relation }: AffinityQuestion): Sql {
  return sql`select count(*) as baskets_count, count(distinct customer_key) as customers_count from ${orders} where ${isBasket(relation)} and ${orderedIn(range)}`;
}

function isBasket(relation: Relation): Sql {
  const conditions = {
    same_order: sql`is_valid and has_catalogue_product`,
    next_order: sql`is_valid and has_catalogue_product and next_order_key is not null`,
    first_to_second: sql`is_valid and has_catalogue_product and next_order_key is not null and order_number = 1`,
  } satisfies Record<Relation, Sql>;
  return conditions[relation];
}

/**
 * One page of pairs, each row with `total_count` of all pages. The first of all pairs is always there, so
 * that a page beyond the last one knows how many there are. Each table is named as seldom as possible, since
 * ClickHouse computes it again for each name.
 * A pair cannot be in more baskets than either of its items. So items in fewer than `min_orders` are left out
 * before baskets are joined with themselves, the slow step.
 */
export function affinityPairs(question: AffinityQuestion) {
  const { relation, level, filter_antecedents } = question;
  const [offset, limit] = [parameter.integer(question.offset), parameter.integer(question.limit)];
  const days = relation === 'same_order' ? noDays : medianDays;
  return query(
    LISTED,
    sql`
    with ${items(level)},
    ${relation === 'same_order' ? pairsWithin(question) : pairsBetween(question)},
    listed as (
      select directed.antecedent_key as antecedent_key, directed.consequent_key as consequent_key,
        antecedent_orders_count, consequent_orders_count, pair_orders_count, of_one_product_count, pair_revenue
      from directed
      join antecedents on antecedents.antecedent_key = directed.antecedent_key
      join consequents on consequents.consequent_key = directed.consequent_key
      where ${isAntecedent(sql`directed.antecedent_key`, filter_antecedents)} and ${relation === 'same_order' ? standsOnce(filter_antecedents) : sql`true`}
    ),
    scored as (
      select antecedent_key, consequent_key, antecedent_orders_count, consequent_orders_count, pair_orders_count,
        of_one_product_count,
        ${percent(sql`pair_orders_count`, sql`baskets_count`)} as support,
        ${percent(sql`pair_orders_count`, sql`antecedent_orders_count`)} as confidence,
        ${ratio(sql`pair_orders_count * baskets_count`, sql`antecedent_orders_count * consequent_orders_count`)} as lift,
        pair_revenue, baskets_count
      from listed
      cross join (${baskets(question)}) as baskets
    ),
    judged as (${judged(possiblePairs(question))}),
    placed as (
      select *, count(*) over () as total_count, row_number() over (order by ${pageOrder(question)}) as place from judged
    ),
    page as (
      select *, cast(place > ${offset} as boolean) as is_on_page
      from placed
      where place = 1 or (place > ${offset} and place <= ${offset} + ${limit})
    )${days.table}
    select total_count, place, is_on_page,
      a.item as antecedent, a.name as antecedent_name, c.item as consequent, c.name as consequent_name,
      antecedent_orders_count, consequent_orders_count, pair_orders_count,
      support, confidence, lift, pair_revenue, ${days.column} as median_days_between,
      of_one_product_count, is_beyond_chance, possible_pairs_count
    from page
    ${days.join}
    join names as a on a.item_key = antecedent_key
    join names as c on c.item_key = consequent_key
    order by place`,
  );
}

function isAntecedent(key: Sql, names: readonly string[] | null): Sql {
  return names?.length
    ? sql`${key} in (select item_key from items where ${isOneOf(sql`item`, names)})`
    : sql`true`;
}

/**
 * Chooses one of the two directions of a pair in one order: the one with the rarer item first, whose
 * confidence is the higher one. Where only the other item is asked for, that one is first.
 */
function standsOnce(names: readonly string[] | null): Sql {
  const isOnlyOne = names?.length
    ? sql`not (${isAntecedent(sql`directed.consequent_key`, names)})`
    : sql`false`;
  return sql`(${isOnlyOne} or antecedent_orders_count < consequent_orders_count
    or (antecedent_orders_count = consequent_orders_count and directed.antecedent_key < directed.consequent_key))`;
}

/**
 * Selects how many pairs the items asked for can make, each in enough baskets itself: of one order each two
 * items once.
 */
function possiblePairs({ relation, filter_antecedents }: AffinityQuestion): Sql {
  const asked = sql`select count(*) as asked from antecedents where ${isAntecedent(sql`antecedent_key`, filter_antecedents)}`;
  const all = sql`select count(*) as items_count from consequents`;
  const pairs =
    relation === 'same_order'
      ? sql`asked * items_count - floor(asked * (asked + 1) * 0.5)`
      : sql`asked * items_count`;
  return sql`
    select cast(${pairs} as bigint) as possible_pairs_count
    from (${asked}) as chosen cross join (${all}) as every_item`;
}

function pageOrder(question: AffinityQuestion): Sql {
  return sql`${sortedBy(question, comparableBy(question.sort_by, pairColumns))}, antecedent_key, consequent_key`;
}

/** The items that `filter_antecedents` may name. */
export function existingItems(level: Level): ExistingNames {
  return {
    filter_antecedents: sql`select name from (with ${items(level)} select item as name from items) as named`,
  };
}

/**
 * CTEs `items`, what each product of the catalogue is at the level, numbered in the order of names, by which
 * equal pairs are listed, and `names`.
 */
function items(level: Level): Sql {
  const name = { product: sql`name`, master_product: sql`master_name`, category: NO_NAME, brand: NO_NAME }[
    level
  ];
  return sql`
    items as (
      select product_key, cast(dense_rank() over (order by entity) as integer) as item_key, entity as item, ${name} as name
      from (${members(level, {})}) as members join ${products} using (product_key)
      where is_in_catalogue
    ),
    names as (select distinct item_key, item, name from items)`;
}

const NO_NAME = sql`cast(null as varchar)`;

/** CTE `directed`, each pair in both directions, with the counts of its items, for items of one order. */
function pairsWithin({ range, level, min_orders }: AffinityQuestion): Sql {
  const fewest = parameter.integer(min_orders);
  return sql`
    basket_items as (
      select order_key, item_key, ${revenue(level)} as revenue, ${onlyProduct(level)} as only_product_key
      from ${orderProducts} join items using (product_key)
      where ${orderedIn(range)}
      ${grouped(level, sql`order_key, item_key`)}
    ),
    antecedents as (
      select item_key as antecedent_key, count(*) as antecedent_orders_count
      from basket_items group by item_key having count(*) >= ${fewest}
    ),
    consequents as (
      select antecedent_key as consequent_key, antecedent_orders_count as consequent_orders_count from antecedents
    ),
    frequent_items as (
      select * from basket_items where item_key in (select antecedent_key from antecedents)
    ),
    pairs as (
      select one.item_key as one_key, other.item_key as other_key,
        count(*) as pair_orders_count, sum(one.revenue) + sum(other.revenue) as pair_revenue,
        count(*) filter (where one.only_product_key = other.only_product_key) as of_one_product_count
      from frequent_items as one join frequent_items as other using (order_key)
      where one.item_key < other.item_key
      group by one.item_key, other.item_key
      having count(*) >= ${fewest}
    ),
    directed as (
      select case when direction = 1 then one_key else other_key end as antecedent_key,
        case when direction = 1 then other_key else one_key end as consequent_key,
        pair_orders_count, of_one_product_count, pair_revenue
      from pairs cross join (select 1 as direction union all select 2 as direction) as directions
    )`;
}

/** CTE `directed` for an order and the customer's next one; `before` and `after` are the items of the two. */
function pairsBetween({ range, relation, level, min_orders, leastFollowed }: AffinityQuestion): Sql {
  const fewest = parameter.integer(Math.max(min_orders, leastFollowed));
  return sql`
    transitions as (
      select order_key, next_order_key, customer_key, days_to_next_order as days
      from ${orders} where ${isBasket(relation)} and ${orderedIn(range)}
    ),
    before as (
      select next_order_key, item_key as antecedent_key, transitions.customer_key as customer_key, days, ${revenue(level)} as revenue
      from ${orderProducts} join items using (product_key) join transitions using (order_key)
      ${grouped(level, sql`next_order_key, item_key, transitions.customer_key, days`)}
    ),
    after as (
      select order_key as next_order_key, item_key as consequent_key, ${revenue(level)} as revenue
      from ${orderProducts} join items using (product_key)
      where order_key in (select next_order_key from transitions)
      ${grouped(level, sql`order_key, item_key`)}
    ),
    antecedents as (
      select antecedent_key, count(*) as antecedent_orders_count
      from before group by antecedent_key having count(*) >= ${fewest}
    ),
    consequents as (
      select consequent_key, count(*) as consequent_orders_count
      from after group by consequent_key having count(*) >= ${fewest}
    ),
    directed as (
      select antecedent_key, consequent_key,
        count(*) as pair_orders_count, 0 as of_one_product_count, sum(before.revenue) + sum(after.revenue) as pair_revenue
      from before join after using (next_order_key)
      where antecedent_key in (select antecedent_key from antecedents)
        and consequent_key in (select consequent_key from consequents)
      group by antecedent_key, consequent_key
      having count(*) >= ${fewest} and count(distinct before.customer_key) >= ${parameter.integer(leastFollowed)}
    )`;
}

/**
 * An item's revenue in a basket. `order_products` has one row per order and product, which needs no grouping.
 */
function revenue(level: Level): Sql {
  return level === 'product' ? sql`revenue` : sql`cast(sum(revenue) as decimal(18,4))`;
}

/** The product by which a category is in a basket, where it is one alone; no brand shares its products. */
function onlyProduct(level: Level): Sql {
  return level === 'category'
    ? sql`case when min(product_key) = max(product_key) then min(product_key) end`
    : sql`cast(null as integer)`;
}

function grouped(level: Level, columns: Sql): Sql {
  return level === 'product' ? sql`` : sql`group by ${columns}`;
}

/** The median of days, for the pairs of the page alone. */
const medianDays = {
  table: sql`,
    days_of_pairs as (
      select antecedent_key, consequent_key, days, count(*) as transitions_count
      from before join after using (next_order_key) join page using (antecedent_key, consequent_key)
      group by antecedent_key, consequent_key, days
    ),
    days_between as (
      select antecedent_key, consequent_key, ${quantile(sql`days`, 50)} as median_days
      from (
        select *, ${ranked(sql`days`, { group: sql`antecedent_key, consequent_key`, count: sql`transitions_count` })}
        from days_of_pairs
      ) as ranked_days
      group by antecedent_key, consequent_key
    )`,
  join: sql`join days_between using (antecedent_key, consequent_key)`,
  column: sql`median_days`,
};

/** The column where the two items are in one order. */
const noDays = { table: sql``, join: sql``, column: sql`cast(null as double)` };
