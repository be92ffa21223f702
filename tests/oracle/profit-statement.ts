// What is left of sales, from the rows of the import files: sums over orders, one after the other.
import type { Assumption } from '../../src/business/assumptions.ts';
import { type Charges, chargesOf, doTellDiscounts } from './charges.ts';
import { decimal, type Money, money, product } from './decimals.ts';
import { cell } from './loaded-rows.ts';
import { type Line, nearest, withoutVat } from './order-lines.ts';
import type { Order } from './orders.ts';
import { type Shop, shopOf } from './shop.ts';
import type { Store } from './store.ts';

type Timed = { moment: bigint | number; localDate: string };

/** An order told apart, in ten-thousandths; null where the VAT of its goods is not known. */
interface Parts {
  readonly paid: Money;
  readonly goods: Money;
  readonly discount: Money;
  readonly added: Money;
  readonly sold: Money;
  readonly net: Money | null;
  readonly besideNet: Money | null;
  readonly vat: Money | null;
  readonly cost: Money;
  readonly goodsWithCost: Money;
}

const size = (value: Money) => (value < 0n ? -value : value);
const sign = (value: Money) => (value < 0n ? -1 : value > 0n ? 1 : 0);
const share = (value: Money, part: Money, whole: Money) =>
  whole === 0n ? null : nearest(value * part, whole);
const ROUNDING = 500n;

function taxOf({ tax, revenue }: Order, store: Store): Money | null {
  if (tax === 0n) return 0n;
  if (tax !== null && sign(tax) === sign(revenue) && size(tax) < size(revenue)) return tax;
  const net = withoutVat(revenue, store.business);
  return net === null ? null : revenue - net;
}

function partsOf(order: Order, lines: readonly Line[], shipping: Money | null, store: Store): Parts {
  const paid = order.revenue;
  const tax = taxOf(order, store);
  const total = (value: (line: Line) => Money) => lines.reduce((all, line) => all + value(line), 0n);
  const hasLines = lines.length > 0;
  const discount = total((line) => line.discount);
  const goods = hasLines ? total(({ revenue }) => revenue) : paid - (shipping ?? 0n);
  const sold = goods - discount;
  let net: Money | null;
  if (hasLines)
    net = lines.some(({ netRevenue }) => netRevenue === null) ? null : total((line) => line.netRevenue ?? 0n);
  else if (sold === 0n) net = 0n;
  else net = tax === null ? null : share(sold, paid - tax, paid);
  const known = lines.filter(({ profit }) => profit !== null);
  const base = {
    ...{ paid, goods, discount, sold, net },
    cost: known.reduce((all, line) => all + ((line.netRevenue ?? 0n) - (line.profit ?? 0n)), 0n),
    goodsWithCost: known.reduce((all, { revenue }) => all + revenue, 0n),
  };
  if (net === null) return { ...base, added: 0n, besideNet: null, vat: null };
  const isAdded =
    hasLines && tax !== null && tax !== 0n && net === sold && paid - tax - net >= (shipping ?? 0n) - ROUNDING;
  const added = isAdded ? (share(tax, net, paid - tax) ?? 0n) : 0n;
  const beside = paid - sold - added;
  const told = tax === null ? null : tax - (sold - net) - added;
  let ofBeside: Money | null;
  if (told !== null && size(told) <= ROUNDING) ofBeside = told;
  else if (told !== null && sign(told) === sign(beside) && 2n * size(told) <= size(beside)) ofBeside = told;
  else ofBeside = beside === 0n ? 0n : share(beside, sold - net + added, sold + added);
  const vat = ofBeside === null ? null : sold - net + added + ofBeside;
  return { ...base, added, besideNet: ofBeside === null ? null : beside - ofBeside, vat };
}

/** What holds for an order: the most that is said of it, and of that the last before its day. */
function rateOf(assumptions: readonly Assumption[], { row, order }: Charges): Assumption | null {
  const said = {
    payment_method: cell(row.payment_method),
    shipping_method: cell(row.shipping_method),
    country: order.country,
  };
  const names = ['payment_method', 'shipping_method', 'country'] as const;
  const fits = assumptions.filter(
    (one) =>
      one.from_day <= order.localDate &&
      names.every((name) => one[name] === null || one[name] === said[name]),
  );
  const rank = (one: Assumption) =>
    names.map((name) => (one[name] === null ? '0' : '1')).join('') + one.from_day;
  return fits.toSorted((one, other) => (rank(one) < rank(other) ? -1 : 1)).at(-1) ?? null;
}

export interface ExpectedStatement {
  /** The amounts are in money; null means not known. */
  readonly amounts: Readonly<Record<string, number | null>>;
  readonly paid: number;
  readonly atMost: Readonly<Record<'margin_1' | 'margin_2', boolean>>;
}

const amount = (value: Money) => Number(value) / 10_000;

/** @param isIn whether something is of the range, by its own day */
export function profitStatement(
  store: Store,
  assumptions: readonly Assumption[],
  isIn: (timed: Timed) => boolean,
): ExpectedStatement {
  const shop = shopOf(store);
  const parts = ordersParts(store, shop);
  const charges = chargesOf(store, shop.orders).filter(({ order }) => order.isValid && isIn(order));
  const own = charges.map(({ order }) => parts.get(order) as Parts);
  const total = (value: (part: Parts) => Money) => own.reduce((all, part) => all + value(part), 0n);
  const refunds = shop.refunds.all.filter((refund) => !refund.order.isCancelled && isIn(refund));
  const back = refunds.reduce((all, { revenue }) => all + revenue, 0n);
  const vatBack = refunds.map(({ revenue, order }) => {
    const of = parts.get(order);
    if (of?.vat != null && of.paid !== 0n) return share(revenue, of.vat, of.paid);
    const net = withoutVat(revenue, store.business);
    return net === null ? null : revenue - net;
  });
  const hasRefunds = shop.refunds.areLoaded;
  const returned = costOfReturned(shop, isIn);
  const isVatKnown = own.every(({ net }) => net !== null) && vatBack.every((one) => one !== null);
  const sold = total((one) => one.sold + one.added);
  const netBack = back - vatBack.reduce((all: Money, one) => all + (one ?? 0n), 0n);
  const netRevenue = isVatKnown ? total(({ net }) => net ?? 0n) - netBack : null;
  const [goods, withCost] = [total((one) => one.goods), total((one) => one.goodsWithCost)];
  const cost = withCost === 0n && goods !== 0n ? null : total((one) => one.cost);
  const margin1 = netRevenue === null || cost === null ? null : netRevenue - cost;
  const isBesideKnown = own.every(({ besideNet }) => besideNet !== null);
  const beside = isBesideKnown ? total(({ besideNet }) => besideNet ?? 0n) : null;
  const costs = (['shipping_cost', 'payment_fee', 'packaging'] as const).map((kind) =>
    costOf(
      assumptions.filter((one) => one.kind === kind),
      charges,
      RECORDED[kind],
    ),
  );
  const taken = costs.reduce((all, one) => all + (one.amount ?? 0), 0);
  const isPartly = goods !== withCost || !hasRefunds;
  return {
    paid: amount(total((one) => one.paid)),
    amounts: {
      goods: amount(goods),
      order_discounts:
        doTellDiscounts(charges) || charges.length === 0 ? amount(-total((one) => one.discount)) : null,
      vat_on_top: amount(total((one) => one.added)),
      sold: amount(sold),
      refunds: hasRefunds ? amount(-back) : null,
      net_sales: amount(sold - back),
      vat: netRevenue === null ? null : amount(netRevenue - (sold - back)),
      net_revenue: netRevenue === null ? null : amount(netRevenue),
      cost_of_goods: cost === null ? null : amount(-cost),
      margin_1: margin1 === null ? null : amount(margin1),
      charged: beside === null ? null : amount(beside),
      ...Object.fromEntries(
        ['shipping_paid', 'payment_fees', 'packaging'].map((line, place) => [
          line,
          costs[place]?.amount == null ? null : -(costs[place]?.amount ?? 0),
        ]),
      ),
      cost_of_returned_goods: returned === null ? null : amount(returned),
      margin_2: margin1 === null || beside === null ? null : amount(margin1 + beside) - taken,
    },
    atMost: {
      margin_1: margin1 !== null && isPartly,
      margin_2: margin1 !== null && beside !== null && (isPartly || costs.some(({ isAll }) => !isAll)),
    },
  };
}

/**
 * Each line of a refund has its pieces' part of what the product cost in its order; null when no such cost is
 * known.
 */
function costOfReturned({ refunds, lines, products }: Shop, isIn: (timed: Timed) => boolean): Money | null {
  if (!refunds.areLinesLoaded) return null;
  let [cost, isKnown, paidBack] = [0n, false, 0n];
  for (const back of refunds.lines) {
    // A product that only this file names is not known.
    if (back.order.isCancelled || !isIn(back) || !products.has(back.productId)) continue;
    paidBack += back.revenue;
    const bought = lines.filter(
      ({ order, productId }) => order === back.order && productId === back.productId,
    );
    const known = bought.filter(({ profit }) => profit !== null);
    const pieces = bought.reduce((all, { quantity }) => all + money(quantity), 0n);
    if (known.length === 0 || pieces === 0n) continue;
    const whole = known.reduce((all, line) => all + (line.netRevenue ?? 0n) - (line.profit ?? 0n), 0n);
    const own = money(back.quantity);
    // More than were sold did not come back.
    const isAll = own > pieces;
    cost += nearest(whole * (isAll ? pieces : own), pieces);
    isKnown ||= back.revenue !== 0n;
  }
  return isKnown || paidBack === 0n ? cost : null;
}

function ordersParts(store: Store, shop: Shop): Map<Order, Parts> {
  const lines = Map.groupBy(shop.lines, ({ order }) => order);
  const shipping = new Map(chargesOf(store, shop.orders).map((one) => [one.order, one.shipping]));
  return new Map(
    shop.orders.map((order) => [
      order,
      partsOf(order, lines.get(order) ?? [], shipping.get(order) ?? null, store),
    ]),
  );
}

/** The column of an order that tells a cost. */
const RECORDED = { shipping_cost: 'shipping_cost', payment_fee: 'payment_cost', packaging: null } as const;

function costOf(
  assumptions: readonly Assumption[],
  all: readonly Charges[],
  column: 'shipping_cost' | 'payment_cost' | null,
) {
  const recordedOf = ({ row, order }: Charges): Money | null => {
    const given = column === null ? null : cell(row[column]);
    return given === null || order.rate === null ? null : money(product(decimal(given), order.rate));
  };
  const recorded = all.flatMap((one) => recordedOf(one) ?? []);
  const charges = all.filter((one) => recordedOf(one) === null);
  const rates = charges.map((charge) => ({ charge, rate: rateOf(assumptions, charge) }));
  const known = rates.filter(({ rate }) => rate !== null);
  const sum = known.reduce(
    (all, { charge, rate }) =>
      all + (amount(charge.order.revenue) * (rate?.percent ?? 0)) / 100 + (rate?.amount ?? 0),
    0,
  );
  const isAll = known.length === charges.length;
  const isUnknown = all.length > 0 && known.length + recorded.length === 0;
  const told = amount(recorded.reduce((one, other) => one + other, 0n));
  return { amount: isUnknown ? null : sum + told, isAll };
}
