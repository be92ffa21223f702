import { momentText } from './calendar.ts';
import { type CartLine, makeCart, type Shelf } from './carts.ts';
import { type Browser, type Customer, visitorOn } from './customers.ts';
import type { ExchangeRates } from './exchange-rates.ts';
import { moneyText, percentOf, scaledText } from './money.ts';
import { drawIdentity, testIdentity } from './order-identity.ts';
import { OrderLines } from './order-lines.ts';
import { type Coupon, drawCoupon, drawPayment, drawShipping } from './order-terms.ts';
import { type PlantedCarts, plantedCarts } from './planted-carts.ts';
import { priceOn } from './prices.ts';
import type { Product } from './product.ts';
import type { Purchase } from './purchases.ts';
import type { RandomStream } from './random-stream.ts';
import type { Stock } from './stock.ts';
import type { Currency, OrderItemRow, OrderRow, OrderStatus } from './tables.ts';
import { taxRate } from './taxes.ts';
import type { World } from './world.ts';

/** An order as later concerns need it: its rows, and the numbers they were made of. */
export type Order = {
  row: OrderRow;
  items: OrderItemRow[];
  at: number;
  day: number;
  customer: Customer | null;
  /** The customer's first one in the history. */
  is_first: boolean;
  browser: Browser | null;
  /** The products sold. `unit_price` is in hundredths of the order currency. */
  sold: SoldLine[];
  /** Hundredths of the order currency. */
  total: number;
  shipping: number;
  /** CZK per unit of the order currency in thousandths; 1000 for CZK. */
  fx_rate: number;
};

type SoldLine = { product: Product; quantity: number; unit_price: number };

/** One order per purchase, in order of time; order ids rise with time. */
export function makeOrders(
  world: World,
  purchases: readonly Purchase[],
  shelf: Shelf,
  stock: Stock,
  rates: ExchangeRates,
): Order[] {
  const concerns = {
    stream: world.stream('orders'),
    refusals: world.stream('refused cookies'),
    vouchers: world.stream('vouchers that are used'),
    stock,
    planted: plantedCarts(world, purchases, shelf),
  };
  const buyersSoFar = new Set<Customer>();
  return purchases.map((purchase, index) => {
    const { customer } = purchase;
    const isFirstOrder = customer !== null && !buyersSoFar.has(customer);
    if (customer !== null) buyersSoFar.add(customer);
    return makeOrder(world, concerns, purchase, index + 1, isFirstOrder, shelf, rates);
  });
}

/** The customer whose numbers an order is drawn from. */
type Concerns = {
  stream: RandomStream;
  refusals: RandomStream;
  vouchers: RandomStream;
  stock: Stock;
  planted: PlantedCarts;
};

function makeOrder(
  world: World,
  { stream, refusals, vouchers, stock, planted }: Concerns,
  purchase: Purchase,
  number: number,
  isFirstOrder: boolean,
  shelf: Shelf,
  rates: ExchangeRates,
): Order {
  const { customer, day } = purchase;
  const order_id = String(10_000_000 + number);
  const country = customer?.country ?? 'CZ';
  const currency = drawCurrency(stream, country);
  const rate = rates(currency, day);
  const fate = drawFate(world, stream, purchase.at);
  const wanted = [
    ...makeCart(stream, shelf, stock, day, customer?.isCompany === true, world.emphasis),
    ...planted(purchase).filter(({ product, quantity }) => stock.available(product, day) >= quantity),
  ];
  const cart = wanted.length > 0 ? wanted : [anything(stream, shelf, stock, day)];
  if (!purchase.is_test && fate.status !== 'cancelled') {
    for (const { product, quantity } of cart) stock.take(product, quantity, day);
  }
  const goods = cart.reduce((sum, line) => sum + line.quantity * priceOn(line.product.prices, day).price, 0);
  const coupon = drawCoupon(stream, day, isFirstOrder);
  const shipping = drawShipping(stream, goods);
  const payment = drawPayment(stream, country);
  const standard = taxRate(country, day, null);
  const hasGift = goods >= 300_000 && stream.chance(0.5);

  const lines = new OrderLines(order_id, currency, rate);
  const sold = cart.map(({ product, quantity }) => {
    const { external_product_id, name, prices } = product;
    const { price, purchase_price } = priceOn(prices, day);
    const unit_price = lines.add(
      'product',
      external_product_id,
      name,
      quantity,
      price,
      purchase_price,
      taxRate(country, day, product),
    );
    return { product, quantity, unit_price };
  });
  if (hasGift) lines.add('gift', null, 'Sample of proofing spray', 1, 0, null, standard);
  const subtotal = lines.total;
  const discount = addCoupon(lines, coupon) + addVoucher(vouchers, lines, currency);
  const shippingPaid = lines.add('shipping', null, shipping.name, 1, shipping.fee, null, standard);
  const payment_fee =
    payment.fee > 0 ? lines.add('payment', null, payment.name, 1, payment.fee, null, standard) : 0;

  const ownBrowser = customer !== null && stream.chance(0.95) ? stream.pick(customer.browsers) : null;
  const browser = refusals.chance(0.27) ? null : ownBrowser;
  const identity = purchase.is_test ? testIdentity : drawIdentity(stream, customer);
  const row: OrderRow = {
    order_id,
    number: `KO-${String(number).padStart(7, '0')}`,
    ordered_at: momentText(purchase.at),
    ...identity,
    status: fate.status,
    is_test: purchase.is_test,
    currency,
    fx_rate: currency === 'CZK' ? null : scaledText(BigInt(rate), 3),
    total: moneyText(lines.total),
    subtotal: moneyText(subtotal),
    tax: moneyText(lines.tax()),
    shipping: moneyText(shippingPaid),
    payment_fee: moneyText(payment_fee),
    discount: moneyText(discount),
    coupon_codes: coupon === null ? [] : [coupon.code],
    payment_method: payment.method,
    shipping_method: shipping.method,
    country,
    device: browser?.device ?? null,
    visitor_id: browser === null ? null : visitorOn(browser, day),
    session_id: null,
    cancelled_at: fate.cancelled_at === null ? null : momentText(fate.cancelled_at),
  };
  return {
    row,
    items: lines.rows,
    at: purchase.at,
    day,
    customer,
    is_first: isFirstOrder,
    browser,
    sold,
    total: lines.total,
    shipping: shippingPaid,
    fx_rate: rate,
  };
}

/** The orders that count. */
export function isValid({ row }: Order): boolean {
  return !row.is_test && row.status !== 'cancelled';
}

/** Poles pay in their own currency; Slovak, German and Austrian customers mostly in euro. */
function drawCurrency(stream: RandomStream, country: string): Currency {
  if (country === 'PL') return 'PLN';
  const hasEuro = country === 'SK' || country === 'DE' || country === 'AT';
  return hasEuro && stream.chance(0.8) ? 'EUR' : 'CZK';
}

function addCoupon(lines: OrderLines, coupon: Coupon | null): number {
  if (coupon === null) return 0;
  const discount = percentOf(lines.total, coupon.percent);
  lines.deduct(`Coupon ${coupon.code}`, discount);
  return discount;
}

/** Somebody who wanted what is gone takes something else. */
function anything(stream: RandomStream, shelf: Shelf, stock: Stock, day: number): CartLine {
  for (;;) {
    const product = shelf.draw(stream, day);
    if (stock.available(product, day) > 0) return { product, quantity: 1 };
  }
}

/** Some pay with a gift voucher; the format has no place for it but what is taken off. */
function addVoucher(stream: RandomStream, lines: OrderLines, currency: Currency): number {
  if (!stream.chance(0.006) || currency !== 'CZK') return 0;
  const amount = Math.min(100_000, lines.total);
  lines.deduct('Gift voucher', amount);
  return amount;
}

/** What became of the order by the end of the history. */
function drawFate(
  world: World,
  stream: RandomStream,
  at: number,
): { status: OrderStatus; cancelled_at: number | null } {
  const fate = stream.next();
  const cancelled_at = at + stream.int(600, 3 * 86_400);
  const age_days = (world.end - at) / 86_400;
  if (fate < 0.04 && cancelled_at <= world.end) return { status: 'cancelled', cancelled_at };
  if (fate < 0.065 && age_days > 25) return { status: 'returned', cancelled_at: null };
  if (age_days > 4) return { status: 'fulfilled', cancelled_at: null };
  return { status: stream.chance(0.25) ? 'pending' : 'paid', cancelled_at: null };
}
