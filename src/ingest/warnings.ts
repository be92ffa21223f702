import { nameSome } from '../control/name-some.ts';
import { ImportError } from './errors.ts';
import type { Session } from './session.ts';

/**
 * What the merchant should know of the new snapshot's data although it is loaded.
 *
 * @throws ImportError when orders have several currencies and the business has none, since their sum means nothing
 */
export async function findWarnings(session: Session, currency: string | null): Promise<string[]> {
  if (currency === null) await refuseMixedCurrencies(session);
  const counts = await session.row(
    `
    select
      (select count(*) from store.orders as o where coalesce(o.currency, $currency, '') <> coalesce($currency, o.currency, '') and o.fx_rate is null) as unrated,
      (select count(*) from store.orders where cancelled_at is not null and status <> 'cancelled') as cancelled,
      (select count(*) from store.order_items anti join store.orders using (order_id)) as items,
      (select count(*) from store.refunds anti join store.orders using (order_id)) as refunds,
      (select count(*) from store.messages anti join store.campaigns using (campaign_id)) as messages,
      (select count(*) from store.sends anti join store.messages using (message_id)) as sends,
      (select count(*) from store.message_events anti join store.sends using (send_id)) as message_events`,
    { currency },
  );
  return [
    [counts.unrated, 'orders in another currency have no fx_rate: they are counted, their money is 0'],
    [counts.cancelled, 'orders have a cancelled_at and another status than cancelled: they count as valid'],
    [counts.items, 'order_items belong to orders that are not loaded; they count when the orders are'],
    [counts.refunds, 'refunds belong to orders that are not loaded; they count when the orders are'],
    [counts.messages, 'messages belong to campaigns that are not loaded; they count when the campaigns are'],
    [counts.sends, 'sends belong to messages that are not loaded; they count when the messages are'],
    [
      counts.message_events,
      'message_events belong to sends that are not loaded; they count when the sends are',
    ],
  ].flatMap(([count, text]) => (Number(count) > 0 ? [`${count} ${text}`] : []));
}

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
