import { z } from 'zod';
import type { Field } from './fields/field.ts';

/** The rows of an answer: a list of objects, and what names each, which no choice of fields leaves out. */
export interface Rows {
  readonly list: string;
  readonly identity: readonly string[];
}

const period = ['period', 'period_start'];
const campaign = ['campaign_id'];

/** By tool. Answers about one thing, or with a few lists of a few rows each, have none. */
export const ROWS: Readonly<Record<string, Rows>> = {
  order_statistics_trend: { list: 'periods', identity: period },
  product_statistics: { list: 'products', identity: ['external_product_id'] },
  product_statistics_trend: { list: 'periods', identity: [...period, 'external_product_id'] },
  category_statistics: { list: 'categories', identity: ['category'] },
  category_statistics_trend: { list: 'periods', identity: [...period, 'category'] },
  brand_statistics: { list: 'brands', identity: ['brand'] },
  brand_statistics_trend: { list: 'periods', identity: [...period, 'brand'] },
  master_product_statistics: { list: 'master_products', identity: ['external_master_product_id'] },
  master_product_statistics_trend: { list: 'periods', identity: [...period, 'external_master_product_id'] },
  repeat_purchase_cycle: { list: 'by_order_number', identity: ['order_number'] },
  first_purchase_cohorts: { list: 'cohorts', identity: ['cohort', 'cohort_start', 'segment'] },
  order_distribution_statistics: { list: 'rows', identity: ['key'] },
  product_affinity_statistics: { list: 'pairs', identity: ['antecedent', 'consequent'] },
  session_statistics: { list: 'sessions', identity: ['key'] },
  session_statistics_trend: { list: 'periods', identity: period },
  journey_statistics: { list: 'journeys', identity: ['path'] },
  channel_transition_matrix: { list: 'transitions', identity: ['from', 'to'] },
  email_revenue_statistics: { list: 'periods', identity: period },
  email_channel_statistics: { list: 'periods', identity: period },
  email_campaign_type_statistics: { list: 'types', identity: ['campaign_type', 'campaign_category'] },
  email_campaign_statistics: { list: 'campaigns', identity: campaign },
  email_link_statistics: { list: 'links', identity: ['key'] },
  email_deliverability_statistics: { list: 'rows', identity: ['key'] },
  sms_revenue_statistics: { list: 'periods', identity: period },
  sms_channel_statistics: { list: 'periods', identity: period },
  sms_campaign_type_statistics: { list: 'types', identity: ['campaign_type', 'campaign_category'] },
  sms_campaign_statistics: { list: 'campaigns', identity: campaign },
  subscriber_statistics: { list: 'rows', identity: ['key'] },
  subscriber_statistics_trend: { list: 'periods', identity: period },
  list_rfm_profiles: { list: 'rfm_profiles', identity: ['rfm_profile_id'] },
  rfm_segment_statistics: { list: 'segments', identity: ['segment'] },
  rfm_segment_statistics_trend: { list: 'periods', identity: [...period, 'segment'] },
  rfm_segment_transitions: { list: 'transitions', identity: ['from_segment', 'to_segment'] },
  campaign_statistics_trend: { list: 'periods', identity: [...period, 'campaign_id'] },
  targeted_campaign_statistics: { list: 'campaigns', identity: campaign },
  incremental_campaign_statistics: { list: 'campaigns', identity: campaign },
  popup_campaign_statistics: { list: 'campaigns', identity: campaign },
  campaign_variant_statistics: { list: 'variants', identity: ['variant', 'message_id'] },
  list_interest_lists: { list: 'interest_lists', identity: ['code'] },
  interest_list_statistics: { list: 'interest_lists', identity: ['code'] },
  list_product_categories: { list: 'categories', identity: ['category'] },
  list_product_brands: { list: 'brands', identity: ['brand'] },
  list_products: { list: 'products', identity: ['external_product_id'] },
  list_campaigns: { list: 'campaigns', identity: campaign },
  list_segments: { list: 'segments', identity: ['segment_id'] },
};

/** Every name that a row can have, in the order of the answer. */
export function rowKeys({ list }: Rows, fields: readonly Field[]): readonly string[] {
  const rows = fields.find(({ key }) => key === list);
  return [...new Set((rows?.either?.flat() ?? rows?.fields ?? []).map(({ key }) => key))];
}

const FORMATS = ['objects', 'table'] as const;

/** By which every tool that answers with rows makes them shorter. */
export function rowArguments(rows: Rows, fields: readonly Field[]) {
  const keys = rowKeys(rows, fields) as [string, ...string[]];
  const isKey = z.enum(keys, `must be one of ${keys.join(', ')}`);
  return {
    fields: z
      .array(z.string().pipe(isKey), 'must be a list of names of fields')
      .max(keys.length, `at most ${keys.length} elements are allowed`)
      .default([])
      .describe(
        `Only these fields of \`${rows.list}\`, beside ${rows.identity.map((key) => `\`${key}\``).join(', ')}.`,
      ),
    format: z
      .enum(FORMATS, `format must be one of ${FORMATS.join(', ')}`)
      .default('objects')
      .describe(`table: \`columns\` and \`rows\`, arrays in their order, instead of \`${rows.list}\`.`),
  };
}

/** The answer with the rows as they were asked for. Nothing but their shape changes. */
export function shapeRows(
  { name, fields }: { readonly name: string; readonly fields: readonly Field[] },
  args: Readonly<Record<string, unknown>>,
  result: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const rows = ROWS[name];
  if (rows === undefined) return result;
  const given = result[rows.list] as readonly Readonly<Record<string, unknown>>[] | null;
  const chosen = (args.fields ?? []) as readonly string[];
  if (given === null || (chosen.length === 0 && args.format !== 'table')) return result;
  const isKept = (key: string) => chosen.length === 0 || chosen.includes(key) || rows.identity.includes(key);
  const kept = rowKeys(rows, fields).filter(isKept);
  const shaped =
    args.format === 'table' ? asTable(kept, given) : { [rows.list]: given.map((row) => only(kept, row)) };
  return Object.fromEntries(
    Object.entries(result).flatMap(([key, value]) =>
      key === rows.list ? Object.entries(shaped) : [[key, value]],
    ),
  );
}

function only(kept: readonly string[], row: Readonly<Record<string, unknown>>) {
  return Object.fromEntries(kept.flatMap((key) => (key in row ? [[key, row[key]]] : [])));
}

/** Where rows are of either of two kinds, the columns are those that these have. */
function asTable(kept: readonly string[], rows: readonly Readonly<Record<string, unknown>>[]) {
  const columns = rows.length === 0 ? kept : kept.filter((key) => rows.some((row) => key in row));
  return { columns, rows: rows.map((row) => columns.map((key) => row[key] ?? null)) };
}
