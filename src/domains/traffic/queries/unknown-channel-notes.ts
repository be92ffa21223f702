import { fieldNames, type HasFields } from '../../../answers/field-names.ts';
import { column, type ObjectOf } from '../../../answers/fields/field.ts';
import { type Query, query } from '../../../answers/fields/query.ts';
import { worded } from '../../../answers/sentences.ts';
import { LEAST_SHARING } from '../../../answers/shared-values.ts';
import { isTelling } from '../../../answers/telling-share.ts';
import type { Arguments } from '../../../answers/tool.ts';
import type { SnapshotFacts } from '../../../business/snapshot-facts.ts';
import { adCosts, orders, orderTraffic, sessions, touches } from '../../../model-table/table-names.ts';
import { parameter, sql, type Table } from '../../../sql/sql.ts';
import { plural } from '../../../text/plural.ts';
import { askedDays } from '../../orders/queries/first-order-notes.ts';

const COLUMNS = [column('customers_count', 'integer'), column('unknown_count', 'integer')];
type NewCustomers = ObjectOf<typeof COLUMNS>;

/** The channel of the first order, as arguments name it. */
const CHANNEL = /^(?:first|last)_click_channel$|^first_channel$|^first_order_(?:first|last)_click_channel$/;

/**
 * How many of the new customers of the range have no known channel, since no visit of theirs before the first
 * order is known.
 *
 * @param read the tables that the answer is made of
 * @returns null where the answer has no customers by channel, and no cost of one
 */
export function unknownChannelQuery(
  read: ReadonlySet<Table>,
  tool: HasFields,
  args: Arguments,
  timezone: string,
  facts: SnapshotFacts,
): Query<NewCustomers> | null {
  const isMeant = isByChannel(tool, args) || hasCostOfCustomer(read, tool, args);
  if (!isMeant || facts.sessions_until === null || typeof args.from_date !== 'string') return null;
  const days = askedDays(args, timezone, facts);
  if (days === null) return null;
  const day = (date: { toString(): string }) => parameter.date(date.toString());
  return {
    ...query(
      COLUMNS,
      sql`
      select count(*) as customers_count, count(*) filter (where visited is null) as unknown_count
      from (
        select order_key from ${orders}
        where order_number = 1 and customer_key is not null
          and ordered_date between ${day(days.firstDate)} and ${day(days.lastDate)}
      ) as first_orders
      left join (select order_key, order_key as visited from ${orderTraffic}) as tracked using (order_key)`,
    ),
    isAside: true,
  };
}

/** @param rows of `unknownChannelQuery` */
export function unknownChannelNotes(
  [row]: readonly NewCustomers[],
  read: ReadonlySet<Table>,
  tool: HasFields,
  args: Arguments,
  facts: SnapshotFacts,
): string[] {
  // Where visits themselves are read, the notes on the data tell that there are none.
  const isTold = [sessions, touches, orderTraffic].some((table) => read.has(table));
  if (facts.sessions_until === null && isByChannel(tool, args) && !isTold)
    return ['No sessions are loaded, so the channel of no customer is known.'];
  if (row === undefined) return [];
  const { customers_count: all, unknown_count: unknown } = row;
  if (unknown < LEAST_SHARING || !isTelling({ part: unknown, whole: all })) return [];
  return [
    worded(
      `${unknown} of ${plural(all, 'new customer', 'new customers')} of the range have no known visit, and so no channel: customers by channel are too few, and costs per new customer look too high.`,
      'note.unknown-channels',
      { unknown: { number: unknown }, all: { number: all } },
    ),
  ];
}

function isByChannel(tool: HasFields, { by, segment_by, group_by, ...args }: Arguments): boolean {
  if ([by, segment_by].some((one) => typeof one === 'string' && CHANNEL.test(one))) return true;
  const isGrouped = Array.isArray(group_by) && group_by.includes('channel');
  return isGrouped && [...fieldNames(tool, args)].some((name) => /customers_count/.test(name));
}

function hasCostOfCustomer(read: ReadonlySet<Table>, tool: HasFields, args: Arguments): boolean {
  return (
    read.has(adCosts) &&
    [...fieldNames(tool, args)].some((name) => /^(?:first_click_)?cost_per_new_customer$/.test(name))
  );
}
