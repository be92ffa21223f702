import { isScientific } from '../../store/column-kinds.ts';
import { literal } from '../../store/duckdb-session.ts';
import { namesOf, ourStatus, type Statuses, statusQuestion, withMappedStatuses } from '../mapped-statuses.ts';
import { isInFileWith } from '../missing-values.ts';
import type { RawRows, Source } from '../source.ts';
import {
  decimalComma,
  isAmbiguous,
  isLostCode,
  keepDecimalSign,
  momentCell,
  momentOf,
  momentQuestions,
} from '../source-cells.ts';
import { taxRate } from '../tax-rate.ts';

/**
 * The statuses that every shop begins with, in Czech and Slovak; a merchant may rename them, and add others.
 */
const STATUSES: Statuses = {
  nevyřízená: 'pending',
  nevyřízena: 'pending',
  'vyřizuje se': 'paid',
  vyřízená: 'fulfilled',
  vyřízena: 'fulfilled',
  stornovaná: 'cancelled',
  stornována: 'cancelled',
  nevybavená: 'pending',
  'vybavuje sa': 'paid',
  vybavená: 'fulfilled',
};

/** Names of which some must stand beside `code` and `date`, which any table may have. */
const OWN_NAMES = [
  ...['statusname', 'totalpricewithvat', 'totalpricewithoutvat', 'itemname', 'itemamount', 'itemcode'],
  ...['itemvariantname', 'itemsupplier', 'itemtotalpricewithvat', 'billfullname', 'shopremark'],
];
const FEWEST_OWN = 3;

/** Exports that a merchant put together call the columns of items `orderItemName` or `itemName`. */
const ofItem = (...names: readonly string[]) => names.flatMap((name) => [name, `order${name}`]);

/**
 * The orders of a shop on Shoptet: one row for each item, with the cells of its order in every one of them.
 * Which columns there are, the delimiter and the encoding are what the merchant chose for the export.
 */
export const shoptetOrders: Source = {
  name: 'shoptet-orders-csv',
  title: 'Shoptet orders, CSV export',
  recognises: (header) =>
    header.includes('code') &&
    header.includes('date') &&
    OWN_NAMES.filter((name) => header.includes(name) || header.includes(`order${name}`)).length >= FEWEST_OWN,
  columns: {
    code: { header: ['code'], isRequired: true, absent: 'which rows are of one order' },
    date: { header: ['date'], isRequired: true, absent: 'when orders were placed' },
    total: { header: ['totalpricewithvat'], isRequired: true, absent: 'revenue' },
    without_vat: { header: ['totalpricewithoutvat'], absent: 'the tax is not known', tells: ['orders.tax'] },
    rounding: { header: ['totalpricerounding', 'rounding'] },
    status: { header: ['statusname'], absent: 'cancelled orders count', tells: ['orders.status'] },
    currency: { header: ['currency', 'currencycode'] },
    email: { header: ['email'], absent: 'customers by e-mail', tells: ['orders.email'] },
    phone: { header: ['phone'], tells: ['orders.phone'] },
    delivery_country: { header: ['deliverycountryname'] },
    bill_country: { header: ['billcountryname'] },
    payment_method: { header: ['paymentform'] },
    item_type: {
      header: ofItem('itemtype'),
      absent:
        'what is shipping, payment or a discount is told by its code and sign; sets and what is in them both count',
    },
    item_code: { header: ofItem('itemcode'), absent: 'products are known by their name' },
    item_name: { header: ofItem('itemname') },
    variant: { header: ofItem('itemvariantname') },
    amount: { header: ofItem('itemamount'), absent: 'no product sales' },
    item_price: {
      header: ofItem('itemtotalpricewithvat', 'itemunitpricewithvat'),
      absent: 'no product sales, shipping costs and discounts',
      tells: ['orders.shipping', 'orders.payment_fee', 'orders.discount'],
    },
    item_total: { header: ofItem('itemtotalpricewithvat') },
    item_unit_price: { header: ofItem('itemunitpricewithvat') },
    item_total_without_vat: { header: ofItem('itemtotalpricewithoutvat') },
    item_unit_price_without_vat: { header: ofItem('itemunitpricewithoutvat') },
  },
  settings: ['timezone', 'dates', 'currency', 'status', 'encoding'],
  assumptions: () => [
    'orders in another currency have no rate here: exchangeRate is not read',
    'credit notes are not in this export: there are no refunds',
  ],
  questions: (raw) => [
    ...momentQuestions('date'),
    {
      setting: 'currency',
      condition: 'total is not null and currency is null',
      problem: 'an order without a currency',
      example: '--currency CZK',
    },
    statusQuestion(
      `lower(status) not in (${namesOf(withMappedStatuses(STATUSES, raw))})`,
      "a status of the shop's own",
      'Zaplaceno=paid',
      '[status]',
    ),
  ],
  prepare: (raw) => [keepDecimalSign(DECIMAL, AMOUNTS, `"${raw.relation}"`), rowsOfOrders(raw), orders(raw)],
  translate: (raw) => ({
    orders: translatedOrders(raw),
    ...(hasLines(raw) ? { order_items: TRANSLATED_LINES } : {}),
  }),
  missing: (raw) => ({
    orders: {
      country: `country is null and not ${isInFileWith(raw, 'delivery_country', 'bill_country')}`,
      payment_method: `payment_method is null and not ${isInFileWith(raw, 'payment_method')}`,
    },
  }),
  orderFacts: () => `
    select order_id, currency, ${momentOf('ordered_at')} as ordered_at, total, total as gross, discount, shipping, coalesce(tax, 0) as tax,
      cast(0 as decimal(18,4)) as refunded, not is_last as is_duplicate, status = 'pending' as is_unpaid, cast(0 as decimal(18,4)) as edited_by,
      coalesce(case when abs(lines + rounding - total) > 0.05 then lines + rounding - total end, 0) as lines_off_by
    from shoptet_orders`,
};

function hasLines({ present }: RawRows): boolean {
  return present.has('amount') && present.has('item_price');
}

/**
 * The rows, each with what it is. A set is sold as one: what is in it stands in rows of its own, with prices
 * that the set has already.
 */
function rowsOfOrders({ relation }: RawRows): string {
  const total = `coalesce(${decimalComma('item_total')}, ${decimalComma('item_unit_price')} * ${decimalComma('amount')})`;
  const withoutVat = `coalesce(${decimalComma('item_total_without_vat')}, ${decimalComma('item_unit_price_without_vat')} * ${decimalComma('amount')})`;
  return `create temp table shoptet_rows as
    select rowid as _row, *, lower(item_type) as type, ${total} as line_total, ${taxRate(withoutVat, `(${total} - ${withoutVat})`)} as tax_rate, ${decimalComma('amount')} as pieces,
      case
        when type = 'shipping' or type is null and regexp_full_match(item_code, 'SHIPPING[0-9]+') then 'shipping'
        when type in ('billing', 'deposit') or type is null and regexp_full_match(item_code, 'BILLING[0-9]+') then 'payment'
        when type in ('discount-coupon', 'volume-discount') then 'discount'
        when type = 'gift' then 'gift'
        when type = 'product-set-item' then null
        when line_total < 0 and (type is not null and type not in ('product', 'bazar', 'service', 'product-set') or type is null and item_code is null) then 'discount'
        else 'product' end as kind
    from "${relation}" where code is not null`;
}

const AMOUNTS = [
  ...['total', 'without_vat', 'rounding', 'item_total', 'item_unit_price', 'amount'],
  ...['item_total_without_vat', 'item_unit_price_without_vat'],
];
const DECIMAL = 'shoptet_decimal';

/**
 * SQL: whether an amount may be a thousand times another one. Decimals stand behind a comma, so that `1,000`
 * is not a thousand, unless other amounts contradict.
 */
function isUnclear(cell: string): string {
  return `coalesce(contains(${cell}, '.') and ${isAmbiguous(cell)} and getvariable('${DECIMAL}') is distinct from 'point', false)`;
}

/**
 * What the first row of each order says, which its other rows repeat. An order may stand in several files:
 * the last one counts.
 */
function orders(raw: RawRows): string {
  const currency = raw.settings.currency === undefined ? 'null' : literal(raw.settings.currency);
  const first = (column: string) => `arg_min(${column}, _row)`;
  const sumOf = (kind: string) => `coalesce(sum(line_total) filter (where kind = '${kind}'), 0)`;
  return `create temp table shoptet_orders as
    with grouped as (
      select _file, code as order_id, min(_row) as _row, ${first('date')} as date, ${first('email')} as email, ${first('phone')} as phone,
        ${first('status')} as theirs, upper(coalesce(${first('currency')}, ${currency})) as currency, ${first('total')} as total_cell,
        ${decimalComma(first('total'))} as total, ${decimalComma(first('without_vat'))} as without_vat, coalesce(${decimalComma(first('rounding'))}, 0) as rounding,
        coalesce(${first('delivery_country')}, ${first('bill_country')}) as country,
        coalesce(${first('payment_method')}, any_value(item_name) filter (where kind = 'payment')) as payment_method,
        any_value(item_name) filter (where kind = 'shipping') as shipping_method,
        ${sumOf('shipping')} as shipping, ${sumOf('payment')} as payment_fee, -${sumOf('discount')} as discount,
        sum(line_total) filter (where kind is not null) as lines,
        bool_or(${AMOUNTS.map(isUnclear).join(' or ')}) as is_unclear,
        count(distinct total) > 1 or count(distinct date) > 1 as is_mixed
      from shoptet_rows group by _file, code
    )
    select *, ${momentCell('date', raw.settings)} as ordered_at, total - without_vat as tax,
      coalesce(${ourStatus('lower(theirs)', withMappedStatuses(STATUSES, raw))}, case when theirs is null then 'paid' end) as status,
      case
        when ${isScientific('order_id')} then 'has its "code" in scientific notation, by which a spreadsheet lost its digits: export it again'
        when is_unclear then 'has an amount such as 1.299, which may be in thousands or in thousandths: was the file edited? Export it again'
        when is_mixed then 'has rows with different totals or dates: was the file edited? Export it again'
      end as _malformed,
      row_number() over (partition by order_id order by _file desc) - 1 as newer, newer = 0 as is_last
    from grouped`;
}

/**
 * The orders, with rows of which nobody knows the order. These are for the report: an item that is left out
 * would be missing in silence.
 */
function translatedOrders({ relation }: RawRows): string {
  return `
  select _row, _file, newer as _newer, _malformed, order_id, order_id as number, ordered_at, email, phone, status, currency,
    coalesce(cast(total as varchar), total_cell) as total, tax, shipping, payment_fee, discount, payment_method, shipping_method, country
  from shoptet_orders
  union all by name
  select rowid as _row, _file, 0 as _newer, 'has no "code", so nobody knows which order it is of: was the file edited? Export it again' as _malformed
  from "${relation}"
  where code is null and coalesce(date, total, item_code, item_name, amount, item_price) is not null
  order by _row`;
}

const TRANSLATED_LINES = `
  select r._row,
    case when ${isLostCode('item_code')} then 'has its "itemCode" in scientific notation, by which a spreadsheet lost its digits and makes one product of several: export it again' end as _malformed,
    order_id, row_number() over (partition by order_id order by r._row) as line_no, kind,
    coalesce(item_code, 'name:' || item_name) as external_product_id, concat_ws(' - ', item_name, variant) as name,
    coalesce(cast(pieces as varchar), amount) as quantity,
    coalesce(cast(case when pieces <> 0 then cast(round(cast(line_total as double) / pieces, 6) as decimal(18,6)) else line_total end as varchar), item_price)
      as unit_price, tax_rate
  from shoptet_rows as r join shoptet_orders as o on o.order_id = r.code and o._file = r._file
  where is_last and o._malformed is null and kind is not null order by r._row`;
