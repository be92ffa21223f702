import { isScientific } from '../../store/column-kinds.ts';
import { literal } from '../../store/duckdb-session.ts';
import { plural } from '../../text/plural.ts';
import { namesOf, ourStatus, statusQuestion } from '../mapped-statuses.ts';
import { filesWith, isInFileWith } from '../missing-values.ts';
import type { Finding, RawRows, Source } from '../source.ts';
import {
  amount,
  isLostCode,
  isLostPhone,
  keepDecimalSign,
  momentCell,
  momentOf,
  momentQuestions,
  moneyCell,
  settledMoneyCell,
  unclearAmount,
  wholeId,
  wholePhone,
  withoutApostrophe,
} from '../source-cells.ts';
import { storedId } from '../stored-id.ts';
import { namedProduct, refundOfAll } from './ids.ts';
import { financialStatuses } from './statuses.ts';

/**
 * The admin's order export: one row for each line of an order. The cells of the order stand in its first row
 * alone, and those that follow have its name and their line.
 */
export const shopifyOrders: Source = {
  name: 'shopify-orders-csv',
  title: 'Shopify orders, CSV export of the admin',
  signature: ['name', 'created at', 'lineitem name'],
  columns: {
    name: { header: ['name'], isRequired: true, absent: 'which rows are of one order' },
    created_at: { header: ['created at'], isRequired: true, absent: 'when orders were placed' },
    total: { header: ['total'], isRequired: true, absent: 'revenue' },
    id: {
      header: ['id'],
      absent: 'orders are known by their name and moment, not by the id that other exports have',
    },
    email: { header: ['email'], absent: 'customers by e-mail', tells: ['orders.email'] },
    phone: { header: ['phone'] },
    billing_phone: { header: ['billing phone'] },
    financial_status: { header: ['financial status'], absent: 'voided and expired orders count as paid' },
    fulfillment_status: { header: ['fulfillment status'] },
    cancelled_at: {
      header: ['cancelled at'],
      absent: 'cancelled orders count',
      tells: ['orders.cancelled_at'],
    },
    currency: { header: ['currency'] },
    subtotal: { header: ['subtotal'], absent: 'edited orders are not found', tells: ['orders.subtotal'] },
    shipping: { header: ['shipping'], absent: 'no shipping costs', tells: ['orders.shipping'] },
    taxes: { header: ['taxes'], absent: 'no tax', tells: ['orders.tax'] },
    refunded_amount: { header: ['refunded amount'], absent: 'no refunds' },
    discount_code: { header: ['discount code'], absent: 'no coupons', tells: ['orders.coupon_codes'] },
    discount_amount: {
      header: ['discount amount'],
      absent: 'prices of lines are before discounts of the whole order',
      tells: ['orders.discount'],
    },
    shipping_method: { header: ['shipping method'], tells: ['orders.shipping_method'] },
    payment_method: { header: ['payment method'], tells: ['orders.payment_method'] },
    shipping_country: { header: ['shipping country'] },
    billing_country: { header: ['billing country'] },
    vendor: { header: ['vendor'] },
    lineitem_name: { header: ['lineitem name'] },
    lineitem_sku: { header: ['lineitem sku'], absent: 'products are known by their name' },
    lineitem_quantity: { header: ['lineitem quantity'], absent: 'no product sales' },
    lineitem_price: { header: ['lineitem price'], absent: 'no product sales' },
    lineitem_discount: {
      header: ['lineitem discount'],
      absent: 'prices of lines are before their own discounts',
    },
  },
  settings: ['timezone', 'dates', 'currency', 'status', 'encoding'],
  comparesBefore: true,
  comparesBeside: true,
  assumptions: () => [
    'test orders cannot be told from others in this export: they count',
    'a refund has no date in this export: it counts on the day of its order',
    'where tax is added to prices, those of lines are without it',
  ],
  questions: (raw) => [
    ...momentQuestions('created_at'),
    ...momentQuestions('cancelled_at'),
    {
      setting: 'currency',
      condition: 'total is not null and currency is null',
      problem: 'an order without a currency',
      example: '--currency EUR',
    },
    statusQuestion(
      `lower(financial_status) not in (${namesOf(financialStatuses(raw))})`,
      'a financial status that Shopify does not document',
      'Bezahlt=paid',
      '[financial_status]',
    ),
  ],
  findings: (raw) => [...FINDINGS, ...winningFiles(raw)],
  prepare: (raw) => [
    keepDecimalSign(DECIMAL, [...OF_ORDER, ...OF_LINE], `"${raw.relation}"`),
    rowsOfOrders(raw),
    stageOrders(raw),
    stageLines(raw),
  ],
  translate: (raw) => ({
    orders: TRANSLATED_ORDERS,
    ...(hasLines(raw) ? { order_items: TRANSLATED_LINES } : {}),
    refunds: translatedRefunds(raw),
  }),
  // An order that is cancelled is so for certain; without one of these columns, another may be.
  missing: (raw) => ({
    orders: {
      status: `status <> 'cancelled' and not ${isInFileWith(raw, 'cancelled_at', 'financial_status')}`,
      phone: `phone is null and not ${isInFileWith(raw, 'phone', 'billing_phone')}`,
      country: `country is null and not ${isInFileWith(raw, 'shipping_country', 'billing_country')}`,
    },
  }),
  orderFacts: (raw) => `
    select order_id, currency, ${momentOf('ordered_at')} as ordered_at, total as gross,
      ${where(raw, 'discount_amount', 'discount')}, ${where(raw, 'shipping', 'shipping')}, ${where(raw, 'taxes', 'tax')},
      ${where(raw, 'refunded_amount', 'refunded')}, not is_last as is_duplicate, is_unpaid, edited_by, coalesce(lines_off_by, 0) as lines_off_by
    from shopify_orders`,
};

/** SQL: an amount; null where the file of the row does not have its column. */
function where(raw: RawRows, column: string, amount: string): string {
  return `case when ${isInFileWith(raw, column)} then ${amount} end as ${amount}`;
}

/** Amounts of the first row of an order, and of each line. */
const OF_ORDER = ['total', 'subtotal', 'taxes', 'shipping', 'discount_amount', 'refunded_amount'];
const OF_LINE = ['lineitem_price', 'lineitem_discount'];
const DECIMAL = 'shopify_orders_decimal';

const OF_LINES = ['lineitem_quantity', 'lineitem_price'];

function hasLines(raw: RawRows): boolean {
  return filesWith(raw, ...OF_LINES).length > 0;
}

/**
 * Rows with the number of the order that they belong to. A shop uses a name again after some years, so an
 * order is made of the rows of one name that follow each other. Blank rows are left out.
 */
function rowsOfOrders(raw: RawRows): string {
  const { relation } = raw;
  return `create temp table shopify_order_rows as
    with known as (
      select rowid as _row,
        * replace (${[...OF_ORDER, ...OF_LINE].map((name) => `${settledMoneyCell(DECIMAL, name, (cell) => cell)} as ${name}`).join(', ')}),
        ${unclearAmount(DECIMAL, OF_ORDER)} as unclear_order, ${unclearAmount(DECIMAL, OF_LINE)} as unclear_line,
        coalesce(total, id, financial_status, subtotal, currency) is not null as is_first,
        is_first and ${isNoOrder(raw)} as begins_no_order, ${IS_TIP} as is_tip
      from "${relation}"
      where coalesce(name, total, id, lineitem_name, lineitem_price) is not null
    ),
    -- Windows over the rows as they come stream; by a key they would be sorted.
    numbered as (
      select *, count(*) filter (where is_first) over (rows unbounded preceding) as place,
        lag(is_first) over () and lag(name) over () is not distinct from name and lag(id) over () is not distinct from id
          and lag(created_at) over () is not distinct from created_at and lag(_file) over () = _file as is_after_same
      from known
    )
    select *, is_first and coalesce(is_after_same, false) as is_repeated,
      -- With the lines below its first row.
      coalesce(last_value(case when is_first then begins_no_order end ignore nulls) over (rows unbounded preceding), false) as is_no_order
    from numbered`;
}

/**
 * SQL: whether a first row is of a checkout that nobody finished, or of a draft. Their exports have the
 * header of orders, and no status of a payment: a checkout is called by its own id, a draft `#D12`; or no row
 * of the file has a status.
 */
function isNoOrder(raw: RawRows): string {
  if (filesWith(raw, 'financial_status').length === 0) return 'false';
  const ownId = `ltrim(name, '#''') = ${wholeId(withoutApostrophe('id'))}`;
  return `(${isInFileWith(raw, 'financial_status')} and financial_status is null and cancelled_at is null and (
    coalesce(${ownId}, false) or regexp_full_match(name, '#([0-9]{11,}|D[0-9]+)')
    or _file not in (select _file from "${raw.relation}" where financial_status is not null)))`;
}

/** What guests give on top, which no discount reduces; as the languages of the admin call it. */
const TIPS = [
  ...['Tip', 'Tips', 'Trinkgeld', 'Pourboire', 'Propina', 'Mancia', 'Gorjeta', 'Gratificação', 'Fooi'],
  ...[
    'Drikkepenge',
    'Driks',
    'Dricks',
    'Tippi',
    'Spropitné',
    'Napiwek',
    'Bahşiş',
    'チップ',
    '팁',
    '小费',
    '小費',
  ],
];
const IS_TIP = `coalesce(lineitem_name in (${TIPS.map(literal).join(', ')}) and lineitem_sku is null and vendor is null, false)`;

/**
 * What the first rows say, each amount as a number, and the last place of an order that stands there more
 * than once.
 */
function stageOrders(raw: RawRows): string {
  const currency = raw.settings.currency === undefined ? 'null' : literal(raw.settings.currency);
  return `create temp table shopify_orders as
    with first_rows as (
      select *, ${momentCell('created_at', raw.settings)} as ordered_at, ${wholeId(withoutApostrophe('id'))} as shopify_id
      from shopify_order_rows
      where is_first and not is_no_order
    ),
    known as (
      select *,
        coalesce(shopify_id, name || '_' || strftime(${momentOf('ordered_at')}, '%Y%m%dT%H%M%SZ')) as order_id,
        case
          when ${isScientific('shopify_id')} then 'has its "Id" in scientific notation, by which a spreadsheet lost its digits: export it again'
          when is_repeated then 'begins an order that the row before begins too: cells of an order belong into its first row alone. Export it again'
          else unclear_order
        end as _malformed
      from first_rows
    ),
    line_sums as (
      select place,
        coalesce(sum(${amount('lineitem_price')} * ${amount('lineitem_quantity')}) filter (where not is_tip), 0) as lines,
        coalesce(sum(${amount('lineitem_price')} * ${amount('lineitem_quantity')}) filter (where is_tip), 0) as tips,
        coalesce(sum(coalesce(${amount('lineitem_discount')}, 0)) filter (where not is_tip), 0) as line_discounts
      from shopify_order_rows group by place
    ),
    counted as (
      select known.*, lines, tips, line_discounts,
        ${amount('known.total')} as total_amount, ${amount('known.subtotal')} as subtotal_amount,
        coalesce(${amount('known.shipping')}, 0) as shipping_amount, coalesce(${amount('known.taxes')}, 0) as tax_amount,
        coalesce(${amount('known.discount_amount')}, 0) as order_discount,
        ${told(raw, 'cancelled_at', 'cast(known.cancelled_at is not null as integer)')} as cancellations,
        ${told(raw, 'refunded_amount', `coalesce(${amount('known.refunded_amount')}, 0)`)} as refunded_until_then
      from known join line_sums using (place)
    ),
    -- What can only grow tells which of two states is the later one. A file that tells nothing of it is no older for that.
    grown as (
      select counted.*, coalesce(cancellations, max(cancellations) over same) as cancelled_then,
        coalesce(refunded_until_then, max(refunded_until_then) over same) as refunded_then
      from counted window same as (partition by order_id)
    ),
    older_files as (
      select distinct _file from (
        select _file, cancelled_then < max(cancelled_then) over same or refunded_then < max(refunded_then) over same as is_behind
        from grown window same as (partition by order_id)
      ) where is_behind
    ),
    placed as (
      select grown.*, row_number() over (
        partition by order_id
        order by cancelled_then desc, refunded_then desc, _file in (from older_files), ${writtenAt(raw)} desc, _row desc) - 1 as newer
      from grown
    )
    select _row, _file, place, _malformed, order_id, name as number, ordered_at, email, ${wholePhone('phone', 'billing_phone')} as phone, phone as own_phone, billing_phone,
      case
        when cancelled_at is not null then 'cancelled'
        else ${ourStatus("lower(coalesce(financial_status, 'paid'))", financialStatuses(raw))}
      end as own_status,
      case when own_status = 'paid' and lower(fulfillment_status) = 'fulfilled' then 'fulfilled' else own_status end as status,
      own_status = 'pending' as is_unpaid,
      upper(coalesce(currency, ${currency})) as currency, total as total_cell, subtotal as subtotal_cell, taxes as tax_cell,
      shipping as shipping_cell, discount_amount as discount_cell, refunded_amount as refunded_cell,
      total_amount as total, tax_amount as tax, shipping_amount as shipping, order_discount as discount,
      coalesce(${amount('refunded_amount')}, 0) as refunded,
      -- Tax is added to prices or part of them, whichever adds up; an order that was edited does neither.
      case
        when subtotal_amount is null or total_amount - subtotal_amount - shipping_amount in (0, tax_amount, tips, tax_amount + tips) then 0
        else total_amount - subtotal_amount - shipping_amount - tips
      end as edited_by,
      lines - line_discounts as lines_net,
      -- Lines that are lost, or that an edit removed and the file still has.
      case when lines - line_discounts - subtotal_amount not between -0.01 and greatest(order_discount - line_discounts, 0) + 0.01
        then lines - line_discounts - subtotal_amount else 0 end as lines_off_by,
      -- The discount of the whole order includes those of its lines; a discount of shipping reduces no product.
      greatest(least(order_discount - line_discounts, coalesce(lines - line_discounts - subtotal_amount, order_discount)), 0)
        as rest_of_discount,
      discount_code, payment_method, shipping_method, coalesce(shipping_country, billing_country) as country,
      ${momentCell('cancelled_at', raw.settings)} as cancelled_at, newer,
      coalesce(cancellations = 0 and stored_cancelled or refunded_until_then < stored_refunds, false) as is_outdated,
      newer = 0 and not is_outdated as is_last
    from placed left join (${STORED_STATES}) on stored_id = ${storedId('recordId', 'order_id')}`;
}

const MINUTE = 60_000;

/**
 * SQL: when the file of a row was written, in minutes: of files that were copied or unpacked together, their
 * order tells.
 */
function writtenAt({ written }: RawRows): string {
  const minutes = written.map((moment) => Math.floor(moment.getTime() / MINUTE));
  if (new Set(minutes).size <= 1) return '0';
  return `case _file ${minutes.map((minute, file) => `when ${file} then ${minute}`).join(' ')} end`;
}

/** SQL: what the file of a row tells; null where it does not have the column. */
function told(raw: RawRows, column: string, value: string): string {
  return `case when ${isInFileWith(raw, column)} then ${value} end`;
}

/**
 * What is stored of each order, for the kinds that can only grow. For refunds it is the least that they can
 * be: one that came alone with its date, after the export, may be part of what the export had, so it does not
 * count unless it is more than all of that.
 */
const STORED_STATES = `
  select order_id as stored_id, bool_or(is_cancelled) as stored_cancelled,
    case when bool_or(is_of_all) then greatest(
      sum(amount) filter (where is_of_all or amount > of_all),
      coalesce(sum(amount) filter (where not is_of_all), 0)
    ) end as stored_refunds
  from (
    select order_id, true as is_cancelled, false as is_of_all, null as amount, null as of_all from before_orders where cancelled_at is not null
    union all
    select *, max(amount) filter (where is_of_all) over (partition by order_id)
    from (select order_id, false, refund_id = ${refundOfAll('order_id')} as is_of_all, amount from before_refunds)
  ) group by order_id`;

const FINDINGS: readonly Finding[] = [
  {
    count: 'select count(*) from shopify_order_rows where is_first and is_no_order',
    says: (count) =>
      `${plural(count, 'abandoned checkout or draft is', 'abandoned checkouts or drafts are')} left out: they have the columns of orders, and no Financial Status`,
  },
  {
    count: `select count(*) from shopify_orders where ${isLostPhone('own_phone')} or phone is null and ${isLostPhone('billing_phone')}`,
    says: (count) =>
      `of ${plural(count, 'phone number', 'phone numbers')} a spreadsheet left the first digits alone (9.23E+11): a whole number beside it counts, else that order has none. Export the orders again`,
  },
  {
    count: 'select count(*) from shopify_orders where newer = 0 and is_outdated',
    says: (count) =>
      `${plural(count, 'order stays', 'orders stay')} as an earlier import left ${count === 1 ? 'it' : 'them'}: it knows of a cancellation or of more refunds, which can only grow, so that the files are older`,
  },
];

/** This many files are named that have the newest state of orders. An import may have thousands. */
const MOST_WINNERS = 20;

/** Finds the file that counts for each order that stands in several files with other states. */
function winningFiles({ origins }: RawRows): Finding[] {
  if (origins.length < 2) return [];
  return origins.slice(0, MOST_WINNERS).map(({ file }, index) => ({
    count: `
      select count(distinct n.order_id) from shopify_orders as n join shopify_orders as o using (order_id)
      where n.newer = 0 and n._file = ${index} and o.newer > 0 and o._file <> n._file and ${STATE.map((name) => `n.${name}`).join(" || ' ' || ")} <> ${STATE.map((name) => `o.${name}`).join(" || ' ' || ")}`,
    says: (count) =>
      `${plural(count, 'order says', 'orders say')} something else in another file than in ${file.name}: that one counts, since it knows of more refunds or cancellations or, where none tell, was written later or comes later`,
  }));
}

const STATE = ['status', 'total', 'refunded'];

/** The lines of the orders, with their number and their part of what the whole order was reduced by. */
function stageLines(raw: RawRows): string {
  const quantity = amount('lineitem_quantity');
  const own = `(${amount('lineitem_price')} * ${quantity} - coalesce(${amount('lineitem_discount')}, 0))`;
  return `create temp table shopify_order_lines as
    with line as (
      select *
      from shopify_order_rows
      where not is_no_order and coalesce(lineitem_name, lineitem_quantity, lineitem_price) is not null and ${isInFileWith(raw, ...OF_LINES)}
    ),
    known as (
      select line.*, o.order_id, lines_net, rest_of_discount, ${isNewestWith(raw, ...OF_LINES)} and o._malformed is null and not o.is_outdated as is_kept,
        o.number is distinct from line.name or o._file is distinct from line._file as is_orphan
      from line left join shopify_orders as o using (place)
    )
    select _row, order_id, row_number() over (partition by place, is_orphan order by _row) as line_no,
      lineitem_name as name, lineitem_sku as sku, is_tip, ${moneyCell('lineitem_quantity')} as quantity,
      case when ${quantity} <> 0 then
        cast(round((cast(${own} as double) - case when lines_net <> 0 and not is_tip then cast(rest_of_discount as double) * ${own} / lines_net else 0 end)
          / ${quantity}, 6) as decimal(18,6))
      else ${amount('lineitem_price')} end as unit_price,
      lineitem_price as price_cell,
      case when is_orphan
        then 'is a line of an order whose first row, with its "Total", does not stand before it: was the file sorted or cut? Export it again'
        when ${isLostCode('lineitem_sku')} then 'has its "Lineitem sku" in scientific notation, by which a spreadsheet lost its digits and makes one product of several: export it again'
        else unclear_line
      end as _malformed
    from known where is_orphan or is_kept`;
}

const TRANSLATED_ORDERS = `
  select _row, _file, newer as _newer, _malformed, order_id, number, ordered_at, email, phone, status, currency,
    ${moneyCell('total_cell')} as total, ${moneyCell('subtotal_cell')} as subtotal, ${moneyCell('tax_cell')} as tax,
    ${moneyCell('shipping_cell')} as shipping, ${moneyCell('discount_cell')} as discount,
    replace(discount_code, ', ', '|') as coupon_codes, payment_method, shipping_method, country, cancelled_at
  from shopify_orders where not is_outdated order by _row`;

const TRANSLATED_LINES = `
  select _row, _malformed, order_id, line_no,
    case when is_tip then 'payment' else 'product' end as kind,
    coalesce(${withoutApostrophe('sku')}, ${namedProduct('name')}) as external_product_id, name, quantity,
    coalesce(cast(unit_price as varchar), price_cell) as unit_price
  from shopify_order_lines order by _row`;

/**
 * One for an order, of what it was refunded in all but for the refunds that came with their date, before or
 * in this import. Where these are all of it, the one that is stored goes. An amount that is no number is
 * rejected as one.
 */
function translatedRefunds(raw: RawRows): string {
  const order = storedId('recordId', 'order_id');
  return `
    with every as (
      select order_id, refund_id, amount from refunds_beside
      union all
      select order_id, refund_id, amount from before_refunds where refund_id not in (select refund_id from refunds_beside)
    ),
    dated as (
      select order_id as stored_id, sum(amount) as dated from every where refund_id <> ${refundOfAll('order_id')} group by order_id
    ),
    known as (
      select *, refunded > coalesce(dated, 0) or refunded < 0 or refunded_cell is not null and ${amount('refunded_cell')} is null as is_more
      from shopify_orders left join dated on stored_id = ${order}
      where ${isNewestWith(raw, 'refunded_amount')} and _malformed is null and not is_outdated
    )
    select _row, ${refundOfAll('order_id')} as refund_id, order_id, ordered_at as refunded_at,
      case when dated is null then ${moneyCell('refunded_cell')} else cast(refunded - dated as varchar) end as amount,
      not is_more as _deleted
    from known
    where is_more or dated is not null and ${storedId('recordId', refundOfAll('order_id'))} in (select refund_id from before_refunds)
    order by _row`;
}

/** SQL: whether an order is the last of its id in the files that have some columns. */
function isNewestWith(raw: RawRows, ...columns: readonly string[]): string {
  if (filesWith(raw, ...columns).length === raw.presentIn.length) return '(newer = 0)';
  return `(order_id, newer) in (select (order_id, min(newer)) from shopify_orders where ${isInFileWith(raw, ...columns)} group by order_id)`;
}
