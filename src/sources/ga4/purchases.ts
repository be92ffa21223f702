import { literal } from '../../store/duckdb-session.ts';
import { orderIdOf } from '../order-owner.ts';
import type { RawRows } from '../source.ts';
import { amount } from '../source-cells.ts';
import { storedId } from '../stored-id.ts';
import { knownText, momentOfMicros, SESSION_ID } from './fields.ts';

/** The id of a transaction. Words of JavaScript, which a broken tag sends, count as none. */
const transactionIn = (text: string) =>
  `case when lower(trim(${text})) not in ('undefined', 'null', 'nan') then ${knownText(`trim(${text})`)} end`;

/**
 * Statements that make `ga4_purchases`, `ga4_lines` and `ga4_refund_events`. A page of thanks that is loaded
 * again sends its purchase again, on a later day too: of one transaction the earliest counts, also where an
 * earlier import had it.
 */
export function purchases({ settings, makesOrders }: RawRows): string[] {
  const currency = settings.currency === undefined ? 'null' : literal(settings.currency);
  const transactions = (name: string, value: string) => `
    select _row, at_us, ${knownText('user_pseudo_id')} as visitor_id, ${SESSION_ID} as session_id, ${knownText('user_id')} as user_id, ${knownText('country')} as country, ${knownText('device')} as device, items,
      coalesce(${transactionIn('transaction_id')}, ${transactionIn('param_transaction_id')}) as transaction,
      coalesce(${amount(value)}, ${amount('param_value')}) as amount,
      coalesce(${amount('shipping_value')}, ${amount('param_shipping')}) as shipping, coalesce(${amount('tax_value')}, ${amount('param_tax')}) as tax,
      upper(coalesce(${knownText('param_currency')}, ${currency})) as currency, ${knownText('param_coupon')} as coupon, ${knownText('payment_type')} as payment_method,
      ${knownText('shipping_tier')} as shipping_method
    from ga4_events where event_name = '${name}' and at_us is not null`;
  const withOrder = (name: string, value: string) => `
    select *, ${orderIdOf('ga4', 'transaction')} as order_id, ${storedId('recordId', 'order_id')} as stored_id from (${transactions(name, value)})`;
  return [
    `create temp table ga4_purchases as
      select p.*,
        row_number() over (partition by coalesce(transaction, 'row ' || _row) order by at_us, _row) = 1
          and coalesce(make_timestamp(at_us) <= known.ordered_at, true) as is_first
      from (${withOrder('purchase', 'purchase_revenue')}) as p
      left join before_orders as known on ${makesOrders} and known.order_id = stored_id`,
    `create temp table ga4_lines as
      select _row, order_id, generate_subscripts(items, 1) as line_no, unnest(items) as item
      from ga4_purchases where is_first and transaction is not null`,
    `create temp table ga4_refund_events as
      select *, order_id || ' ' || at_us as refund_id from (${withOrder('refund', 'refund_value')})
      qualify row_number() over (partition by coalesce(refund_id, 'row ' || _row) order by _row) = 1`,
  ];
}

const product = `coalesce(${knownText('item.id')}, 'name:' || ${knownText('item.name')})`;
const quantity = `coalesce(nullif(${amount('item.quantity')}, 0), 1)`;
const lineTotal = `coalesce(${amount('item.revenue')}, ${amount('item.price')} * ${quantity}, 0)`;

export const TRANSLATED_ORDERS = {
  orders: `
    select _row, order_id, transaction as number, ${momentOfMicros('at_us')} as ordered_at, case when not contains(user_id, '@') then user_id end as external_customer_id,
      case when contains(user_id, '@') then user_id end as email, currency, coalesce(amount, 0) as total, tax, shipping, coupon as coupon_codes,
      payment_method, shipping_method, coalesce(code, country) as country, device, visitor_id, session_id
    from ga4_purchases left join ga4_countries using (country)
    where is_first and transaction is not null order by _row`,
  order_items: `
    select _row, order_id, line_no, ${product} as external_product_id, ${knownText('item.name')} as name, ${quantity} as quantity,
      cast(round(cast(${lineTotal} as double) / ${quantity}, 6) as decimal(18,6)) as unit_price
    from ga4_lines where ${product} is not null order by _row, line_no`,
  refunds: `
    select _row, refund_id, order_id, ${momentOfMicros('at_us')} as refunded_at, amount from ga4_refunds where total is not null and amount > 0 order by _row`,
};

/**
 * The visit of each order of the shop, by its id or number: that of the earliest purchase whose visitor is
 * known.
 */
export const TRANSLATED_VISITS = `
  select _row, transaction as reference, visitor_id, session_id, ${momentOfMicros('at_us')} as "at"
  from (
    select * from ga4_purchases where transaction is not null and visitor_id is not null
    qualify row_number() over (partition by transaction order by at_us, _row) = 1
  )
  anti join before_order_visits as known
    on known.reference = ${storedId('recordId', 'transaction')} and known."at" < make_timestamp(at_us)
  order by _row`;

/** What lines come to is the value, or it has tax and shipping beside them. */
export const ORDER_FACTS = `
  select case when transaction is not null then order_id end as order_id, currency, make_timestamp(at_us) as ordered_at, coalesce(amount, 0) as gross,
    cast(0 as decimal(18,4)) as discount, coalesce(shipping, 0) as shipping, coalesce(tax, 0) as tax, coalesce(case when is_first then refunded end, 0) as refunded,
    not is_first as is_duplicate, false as is_unpaid, cast(0 as decimal(18,4)) as edited_by,
    coalesce(case when is_first and abs(lines - amount) > 0.01 and abs(lines + coalesce(shipping, 0) - amount) > 0.01
      and abs(lines + coalesce(tax, 0) - amount) > 0.01 and abs(lines + coalesce(shipping, 0) + coalesce(tax, 0) - amount) > 0.01
      then lines - amount end, 0) as lines_off_by
  from ga4_purchases
  left join (select order_id, sum(${lineTotal}) as lines from ga4_lines group by order_id) using (order_id)
  left join (select order_id, sum(amount) as refunded from ga4_refunds group by order_id) using (order_id)`;
