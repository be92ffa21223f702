import { nameSome } from '../control/name-some.ts';
import type { Session } from '../store/session.ts';
import { ImportError } from './errors.ts';

/**
 * What the merchant should know of the new snapshot's data although it is loaded.
 *
 * @throws ImportError when orders have several currencies and the business has none, since their sum means nothing
 */
export async function findWarnings(
  session: Session,
  currency: string | null,
  loadedTables: readonly string[],
): Promise<string[]> {
  if (currency === null) await refuseMixedCurrencies(session);
  const doubts = DOUBTS.filter(({ table }) => loadedTables.includes(table));
  if (doubts.length === 0) return [];
  // Rows, not columns of one: DuckDB looks for the best order to join so many columns, longer than it counts.
  const counts = await session.rows(
    doubts
      .map(
        ({ table, rows }, index) => `select ${index} as doubt, count(*) as count from store.${table} ${rows}`,
      )
      .join(' union all '),
    loadedTables.includes('orders') ? { currency } : undefined,
  );
  return doubts.flatMap(({ text }, index) => {
    const count = Number(counts.find(({ doubt }) => doubt === index)?.count);
    return count > 0 ? [`${count} ${text}`] : [];
  });
}

/** Rows of a canonical table that may not be what the merchant meant. */
const DOUBTS: readonly { readonly table: string; readonly rows: string; readonly text: string }[] = [
  {
    table: 'orders',
    rows: `where coalesce(orders.currency, $currency, '') <> coalesce($currency, orders.currency, '') and fx_rate is null`,
    text: 'orders in another currency have no fx_rate: they are counted, their money is 0',
  },
  {
    table: 'orders',
    rows: `where cancelled_at is not null and status <> 'cancelled'`,
    text: 'orders have a cancelled_at and another status than cancelled: they count as valid',
  },
  {
    table: 'order_items',
    rows: 'anti join store.orders using (order_id)',
    text: 'order_items belong to orders that are not loaded; they count when the orders are',
  },
  {
    table: 'refunds',
    rows: 'anti join store.orders using (order_id)',
    text: 'refunds belong to orders that are not loaded; they count when the orders are',
  },
  {
    table: 'refund_lines',
    rows: 'anti join store.refunds using (refund_id, order_id)',
    text: 'refund_lines belong to refunds of their order that are not loaded; they count when the refunds are',
  },
  {
    table: 'messages',
    rows: 'anti join store.campaigns using (campaign_id)',
    text: 'messages belong to campaigns that are not loaded; they count when the campaigns are',
  },
  {
    table: 'sends',
    rows: 'anti join store.messages using (message_id)',
    text: 'sends belong to messages that are not loaded; they count when the messages are',
  },
  {
    table: 'message_events',
    rows: 'anti join store.sends using (send_id)',
    text: 'message_events belong to sends that are not loaded; they count when the sends are',
  },
];

async function refuseMixedCurrencies(session: Session): Promise<void> {
  const rows = await session.rows(
    'select distinct currency from store.orders where currency is not null order by 1',
  );
  if (rows.length < 2) return;
  throw new ImportError(
    `the orders have several currencies (${rows.map((row) => row.currency).join(', ')}) and the business has no primary ` +
      'currency, so they cannot be added up. Create the business with --currency and give the orders their fx_rate',
  );
}

/** Of snapshots that lie in the data folder and that nobody serves. */
export function warnOfUnknown(unknown: readonly string[], businessId: string): string[] {
  if (unknown.length === 0) return [];
  return [
    `the control database does not know ${unknown.length} of the snapshots in the data folder: ${nameSome(unknown)}; ` +
      `\`snapshot list ${businessId}\` shows them, \`snapshot adopt\` takes one up, \`snapshot remove\` removes one`,
  ];
}

/** Of personal data whose hashes do not meet. */
export function warnOfSecrets(secrets: readonly string[]): string[] {
  if (secrets.length < 2) return [];
  return [
    `e-mails and phones were hashed with ${secrets.length} different secrets, so a customer who is in files of before and ` +
      'after the change counts as two; import all files into a new business to mend that',
  ];
}
