import {
  type ExistingNames,
  isOneOf,
  type KnownName,
  namesThatExist,
} from '../../../answers/existing-names.ts';
import { column, nullableColumn, type ObjectOf } from '../../../answers/fields/field.ts';
import { type Query, query } from '../../../answers/fields/query.ts';
import {
  adCosts,
  campaigns,
  orderCoupons,
  orders,
  productCategories,
  products,
  sessions,
} from '../../../model-table/table-names.ts';
import { type Sql, sql } from '../../../sql/sql.ts';
import type { DimensionName } from './dimensions.ts';
import { asText, SEPARATOR } from './fact.ts';
import type { Question } from './question.ts';

/** Dimensions whose values are ids: their names stand beside them. */
export const NAMED_IDS: readonly DimensionName[] = ['product', 'email_campaign'];

const NAMES = [column('id', 'text'), nullableColumn('name', 'text')];
export type IdentifierName = ObjectOf<typeof NAMES>;

/** One query for the names of the ids in these keys; empty if no dimension has ids. */
export function identifierNames(dimensions: readonly DimensionName[], keys: readonly string[]) {
  const selects = dimensions.flatMap((dimension, place) => {
    const ids = [...new Set(keys.map((key) => key.split(SEPARATOR)[place] ?? ''))];
    if (ids.length === 0) return [];
    if (dimension === 'product')
      return [
        sql`select distinct external_product_id as id, name from ${products} where ${isOneOf(sql`external_product_id`, ids)}`,
      ];
    if (dimension === 'email_campaign')
      return [
        sql`select distinct campaign_id as id, name from ${campaigns} where ${isOneOf(sql`campaign_id`, ids)}`,
      ];
    return [];
  });
  const [one, other] = selects;
  if (one === undefined) return {};
  return { names: query(NAMES, other === undefined ? one : sql`${one} union all ${other}`) };
}

const ofOrders = (value: Sql) => sql`select ${asText(value)} as name from ${orders}`;
const ofVisits = (value: Sql) =>
  sql`select ${asText(value)} as name from ${sessions} union all select ${asText(value)} as name from ${adCosts}`;
const ofSessions = (value: Sql) => sql`select ${asText(value)} as name from ${sessions}`;

/** All values of these dimensions in the store, so that a note can name a filter by an unknown one. */
const EXISTING: Readonly<Partial<Record<DimensionName, Sql>>> = {
  country: sql`${ofOrders(sql`country`)} union all ${ofSessions(sql`country`)}`,
  currency: ofOrders(sql`currency`),
  payment_method: ofOrders(sql`payment_method`),
  shipping_method: ofOrders(sql`shipping_method`),
  coupon: sql`select coupon as name from ${orderCoupons} union all select '(not set)' as name`,
  channel: sql`${ofVisits(sql`channel`)} union all select '(untracked)' as name`,
  first_click_channel: sql`${ofSessions(sql`channel`)} union all select '(untracked)' as name`,
  source: ofVisits(sql`source`),
  medium: ofVisits(sql`medium`),
  source_medium: ofVisits(sql`source_medium`),
  campaign: ofVisits(sql`campaign`),
  landing_page: ofSessions(sql`landing_path`),
  referrer_domain: ofSessions(sql`referrer_host`),
  device: ofSessions(sql`device`),
  product: sql`select external_product_id as name from ${products}`,
  brand: sql`select ${asText(sql`brand`)} as name from ${products}`,
  category: sql`select category as name from ${productCategories}`,
  email_campaign: sql`select campaign_id as name from ${campaigns}`,
  campaign_type: sql`select ${asText(sql`campaign_type`)} as name from ${campaigns}`,
  campaign_category: sql`select ${asText(sql`campaign_category`)} as name from ${campaigns}`,
};

/** The values of all filters, by their dimension. */
export function filteredNames({
  conditions,
}: Pick<Question, 'conditions'>): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(
    Object.entries(Object.groupBy(conditions, ({ dimension }) => dimension)).map(([dimension, all = []]) => [
      dimension,
      all.flatMap(({ values }) => values),
    ]),
  );
}

export function valuesThatExist({ conditions }: Pick<Question, 'conditions'>): ExistingNames {
  return Object.fromEntries(
    conditions.flatMap(({ dimension }) => {
      const existing = EXISTING[dimension];
      return existing === undefined ? [] : [[dimension, existing]];
    }),
  );
}

/** Finds which values of the filters exist, for `namedButUnknown`; null where all are known beforehand. */
export function knownValues(question: Pick<Question, 'conditions'>): Query<KnownName> | null {
  const known = namesThatExist(valuesThatExist(question), filteredNames(question));
  return known === null ? null : { ...known, isAside: true };
}
