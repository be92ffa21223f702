// A canonical store in memory: the rows as they stand in the import files, before any interpretation.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { csvRows, csvText } from './csv-text.ts';

/** Columns of each table of the canonical import format that the oracle knows. */
const tableColumns = {
  orders: [
    ...['order_id', 'number', 'ordered_at', 'profile_id', 'email', 'phone', 'external_customer_id'],
    ...['status', 'is_test', 'currency', 'fx_rate', 'total', 'subtotal', 'tax', 'shipping', 'payment_fee'],
    ...['shipping_cost', 'payment_cost'],
    'taxes_included',
    ...['discount', 'coupon_codes', 'payment_method', 'shipping_method', 'country', 'device', 'visitor_id'],
    ...['session_id', 'utm_source', 'utm_medium', 'utm_campaign', 'cancelled_at'],
  ],
  order_items: [
    ...['order_id', 'line_no', 'kind', 'external_product_id', 'name', 'quantity', 'unit_price', 'unit_cost'],
    'tax_rate',
  ],
  refunds: ['refund_id', 'order_id', 'refunded_at', 'amount'],
  refund_lines: ['refund_id', 'order_id', 'line_no', 'external_product_id', 'quantity', 'amount'],
  products: [
    ...['external_product_id', 'external_master_product_id', 'name', 'sku', 'ean', 'brand', 'categories'],
    ...['price', 'original_price', 'purchase_price', 'in_stock', 'stock_quantity', 'discontinued', 'url'],
    ...['image_url', 'description', 'attributes', 'flags', 'created_at', 'updated_at'],
  ],
  stock_readings: ['external_product_id', 'read_on', 'read_at', 'in_stock', 'stock_quantity'],
  fx_rates: ['date', 'currency', 'rate'],
  product_prices: ['external_product_id', 'valid_from', 'price', 'original_price', 'purchase_price'],
  profiles: [
    ...['profile_id', 'email', 'phone', 'external_customer_id', 'country', 'language', 'gender', 'birthday'],
    ...['attributes', 'tags', 'created_at'],
  ],
  identities: ['profile_id', 'kind', 'value'],
  product_events: [
    ...['event_id', 'visitor_id', 'session_id', 'external_product_id', 'kind', 'at', 'engagement_s'],
  ],
  consent_events: [
    ...[
      'profile_id',
      'email',
      'phone',
      'channel',
      'at',
      'state',
      'source',
      'source_detail',
      'reason',
      'send_id',
    ],
  ],
  interest_lists: ['code', 'name', 'channels'],
  interest_list_events: ['code', 'profile_id', 'email', 'at', 'kind', 'source', 'reason'],
  segments: ['segment_id', 'name', 'segment_query'],
  rfm_profiles: [
    ...['rfm_profile_id', 'name', 'is_default', 'window_days', 'scoring', 'recency_thresholds_days'],
    ...['frequency_thresholds', 'monetary_thresholds', 'rules', 'created_at'],
  ],
  sessions: [
    ...['session_id', 'visitor_id', 'profile_id', 'email', 'started_at', 'ended_at', 'source', 'medium'],
    ...['campaign', 'content', 'term', 'click_id_kind', 'referrer_host', 'landing_path', 'device', 'country'],
    ...['page_views', 'engagement_s', 'cart', 'checkout', 'suspected_bot'],
  ],
  order_visits: ['reference', 'visitor_id', 'session_id', 'at'],
  ad_costs: ['day', 'source', 'medium', 'campaign', 'cost', 'clicks', 'impressions'],
  calendar_events: ['first_date', 'last_date', 'name', 'kind'],
  campaigns: [
    ...['campaign_id', 'name', 'campaign_type', 'category', 'state', 'trigger', 'labels', 'created_at'],
    ...['updated_at', 'utm_source', 'utm_medium', 'utm_campaign', 'segment_query'],
  ],
  messages: [
    ...[
      'message_id',
      'campaign_id',
      'name',
      'position',
      'variant',
      'is_winner_send',
      'allocation',
      'channel',
    ],
    ...['subject', 'html', 'text'],
  ],
  audience_members: ['campaign_id', 'profile_id', 'email', 'entered_at', 'outcome', 'completed_at'],
  links: ['link_id', 'message_id', 'url', 'label', 'link_type', 'position'],
  sends: [
    ...['send_id', 'message_id', 'profile_id', 'email', 'phone', 'sent_at', 'outcome', 'delivered_at'],
    ...['recipient_domain', 'sending_domain', 'bounce_class', 'smtp_code', 'reason_text', 'failure_reason'],
    ...['sms_segments', 'sms_encoding', 'sms_country', 'cost'],
  ],
  message_events: [
    ...['event_id', 'send_id', 'kind', 'at', 'link_id', 'url', 'client', 'is_machine', 'is_bot', 'via'],
  ],
  popup_events: [
    ...['event_id', 'campaign_id', 'visitor_id', 'session_id', 'at', 'kind', 'device', 'profile_id', 'email'],
  ],
  sending_domains: ['domain', 'spf', 'dkim', 'dmarc', 'one_click_unsubscribe', 'external_spam_rate'],
} as const;

type TableName = keyof typeof tableColumns;

/** One row: a cell as in the CSV; undefined or empty is null. */
export type Row<Table extends TableName> = {
  [column in (typeof tableColumns)[Table][number]]?: string | undefined;
};
export type Business = {
  timezone: string | null;
  primary_currency: string | null;
  /** Hours by kind of touch, where they are not the usual ones. */
  /** VAT in percent, where it is set. */
  vat?: number;
  windows?: { click?: number; open?: number; delivery?: number };
};
export type Store = { business: Business } & { [Table in TableName]: Row<Table>[] };

const tableNames = Object.keys(tableColumns) as TableName[];

export function emptyStore(business: Business): Store {
  return {
    business,
    ...{ orders: [], order_items: [], refunds: [], fx_rates: [], refund_lines: [], products: [] },
    ...{ product_prices: [], stock_readings: [], profiles: [], identities: [], product_events: [] },
    ...{ interest_lists: [], interest_list_events: [], segments: [] },
    ...{ consent_events: [], rfm_profiles: [], sessions: [], order_visits: [], ad_costs: [] },
    ...{ campaigns: [], messages: [], links: [], sends: [], message_events: [], sending_domains: [] },
    ...{ popup_events: [], audience_members: [], calendar_events: [] },
  };
}

/** Writes `<table>.csv` for each table with rows, with the columns that hold a value in some row. */
export function writeCsv(store: Store, folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const table of tableNames) {
    const rows = store[table] as Record<string, string | undefined>[];
    if (rows.length === 0) continue;
    const isUsed = (column: string) => rows.some((row) => (row[column] ?? '') !== '');
    const columns = [...tableColumns[table], '_deleted'].filter(isUsed);
    const lines = rows.map((row) => columns.map((column) => row[column] ?? ''));
    writeFileSync(join(folder, `${table}.csv`), csvText([[...columns], ...lines]));
  }
}

/** Reads the `<table>.csv` files of a folder; a missing file is an empty table, an empty cell is left out. */
export function readCsv(folder: string, business: Business): Store {
  const store = emptyStore(business);
  for (const table of tableNames) {
    const file = join(folder, `${table}.csv`);
    if (!existsSync(file)) continue;
    const [header, ...lines] = csvRows(readFileSync(file, 'utf8'));
    const known: readonly string[] = tableColumns[table];
    const rows: Record<string, string>[] = [];
    for (const line of lines) {
      if (line.length !== header?.length) throw new Error(`${file}: a row has ${line.length} cells: ${line}`);
      const row: Record<string, string> = {};
      for (const [i, column] of header.entries()) {
        if (!known.includes(column)) throw new Error(`${file}: unknown column ${column}`);
        const cell = line[i];
        if (cell !== undefined && cell !== '') row[column] = cell;
      }
      rows.push(row);
    }
    (store[table] as Record<string, string>[]) = rows;
  }
  return store;
}
