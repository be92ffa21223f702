import { column, type ObjectOf } from '../../../answers/fields/field.ts';
import { type Query, query } from '../../../answers/fields/query.ts';
import type { SnapshotFacts } from '../../../business/snapshot-facts.ts';
import {
  adCosts,
  customers,
  orderAttribution,
  orderProducts,
  orderRefunds,
  orders,
  orderTraffic,
  popupEvents,
  productRefunds,
  rfmStates,
  sends,
  sessions,
  unpricedMoney,
} from '../../../model-table/table-names.ts';
import { parameter, type Sql, sql, type Table } from '../../../sql/sql.ts';
import { readMoment } from '../../../time/moment.ts';
import { listUnpriced, type UnpricedKind } from '../definitions/unpriced.ts';

/** The kinds of money of which a rate may be missing, by the tables whose amounts then lack it. */
const KINDS = {
  orders: [
    ...[orders, orderProducts, orderTraffic, orderAttribution, customers, rfmStates, sends, popupEvents],
    // The tables of visits and of what came back.
    ...[sessions, orderRefunds, productRefunds],
  ],
  refunds: [orders, orderRefunds, productRefunds],
  ad_costs: [adCosts],
  message_costs: [sends],
} as const satisfies Readonly<Record<UnpricedKind, readonly Table[]>>;

const COLUMNS = [
  column('kind', 'text'),
  column('currency', 'text'),
  column('pieces_count', 'integer'),
  column('amount', 'number'),
];

/** An order is credited to what happened at most this many days before it. */
const CREDITED_DAYS = 7;

/**
 * Asks how much money of an answer's range is in other currencies without a rate.
 *
 * @param read the tables that the answer is made of
 * @returns null where there is no such money, or the answer has none
 */
export function unpricedQuery(
  read: ReadonlySet<Table>,
  args: Readonly<Record<string, unknown>>,
  timezone: string,
  { has_unpriced_money }: SnapshotFacts,
): Query<ObjectOf<typeof COLUMNS>> | null {
  const kinds = (Object.keys(KINDS) as UnpricedKind[]).filter((kind) =>
    // Lists of products, which have no range, take pieces sold from it and no money.
    KINDS[kind].some((table) => read.has(table) && (table !== orderProducts || args.from_date !== undefined)),
  );
  if (has_unpriced_money !== true || kinds.length === 0) return null;
  const isKind = kinds.map((kind) => sql`kind = ${parameter.text(kind)}`);
  const isMeant = isKind.reduce((one, other) => sql`${one} or ${other}`);
  return query(
    COLUMNS,
    sql`
    select kind, currency, sum(pieces_count) as pieces_count, sum(amount) as amount
    from ${unpricedMoney} where (${isMeant}) and ${inRange(read, args, timezone)}
    group by kind, currency order by kind, currency`,
  );
}

function inRange(read: ReadonlySet<Table>, args: Readonly<Record<string, unknown>>, timezone: string): Sql {
  const { from_date, to_date } = args;
  if (typeof from_date !== 'string' || typeof to_date !== 'string') return sql`true`;
  const dayOf = (name: string, text: string, side: 'from' | 'to') =>
    readMoment(name, text, timezone, side).instant.toZonedDateTimeISO(timezone).toPlainDate();
  const isCredited = read.has(sends) || read.has(popupEvents);
  const last = dayOf('to_date', to_date, 'to').add({ days: isCredited ? CREDITED_DAYS : 0 });
  return sql`happened_date between ${parameter.date(dayOf('from_date', from_date, 'from').toString())} and ${parameter.date(last.toString())}`;
}

/** @param currency of the business */
export function unpricedNotes(rows: readonly ObjectOf<typeof COLUMNS>[], currency: string | null): string[] {
  if (rows.length === 0) return [];
  return [
    `Without an exchange rate to ${currency}: ${listUnpriced(rows)} in this range, whatever the filters. They are counted, their money is in no amount: what they alone would make is null, not 0, averages per order are of the others, and all else that money is divided by includes them. ` +
      'Do not read it as a fall; give their rates in a table fx_rates.',
  ];
}
