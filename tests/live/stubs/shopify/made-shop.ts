import { anyOf, between, oneOf, type Random } from '../random.ts';
import type { VendorClock } from '../stub-access.ts';

/** Amounts are whole cents. */
interface MadeLine {
  readonly id: number;
  readonly sku: string | null;
  readonly title: string;
  quantity: number;
  readonly price: number;
  discount: number;
}

interface MadeRefund {
  readonly id: number;
  readonly createdAt: number;
  readonly amount: number;
  readonly lines: readonly { readonly line: number; readonly quantity: number; readonly subtotal: number }[];
}

/** What a shop has of anything: when it was changed, and when its index knows of it. */
interface Made {
  readonly id: number;
  readonly createdAt: number;
  updatedAt: number;
  /** What the index says of the last change, and from when on it knows a newer one. */
  index: { updatedAt: number | null; knownFrom: number };
}

export interface MadeOrder extends Made {
  cancelledAt: number | null;
  financialStatus: 'PAID' | 'PENDING' | 'REFUNDED' | 'PARTIALLY_REFUNDED' | 'VOIDED';
  fulfillmentStatus: 'FULFILLED' | 'UNFULFILLED';
  readonly test: boolean;
  readonly customer: number | null;
  readonly email: string | null;
  readonly country: string;
  readonly shipping: number;
  readonly code: string | null;
  readonly source: string | null;
  lines: MadeLine[];
  readonly refunds: MadeRefund[];
}

interface MadeVariant {
  readonly id: number;
  readonly sku: string;
  readonly title: string;
  price: number;
  stock: number;
  readonly cost: number;
}

export interface MadeProduct extends Made {
  title: string;
  status: 'ACTIVE' | 'ARCHIVED';
  variants: MadeVariant[];
}

export interface MadeCustomer extends Made {
  readonly email: string;
  state: 'SUBSCRIBED' | 'UNSUBSCRIBED' | 'NOT_SUBSCRIBED';
  stateAt: number | null;
  tags: string[];
}

const DAY = 24 * 3600_000;

const GIFT_WRAP = { sku: null, title: 'Gift wrap', price: 500 };

/** A made-up shop of ours, which random changes happen to. */
export class MadeShop {
  readonly orders = new Map<number, MadeOrder>();
  readonly products = new Map<number, MadeProduct>();
  readonly customers = new Map<number, MadeCustomer>();
  readonly #random: Random;
  readonly #clock: VendorClock;
  #ids = 1000;

  constructor(random: Random, clock: VendorClock) {
    this.#random = random;
    this.#clock = clock;
  }

  /** Fills an empty shop with what happened in the days before now. */
  fill(
    { orders, products, customers }: { orders: number; products: number; customers: number },
    days = 400,
  ): void {
    const now = this.#now();
    const before = () => Math.floor((now - this.#random() * days * DAY) / 1000) * 1000;
    for (let count = 0; count < products; count += 1) this.#settle(this.addProduct(), before());
    for (let count = 0; count < customers; count += 1) this.#settle(this.addCustomer(), before());
    for (let count = 0; count < orders; count += 1) {
      const order = this.addOrder(before());
      if (this.#random() < 0.1) this.refund(order);
      this.#settle(order, null);
    }
  }

  /** Anything that merchants and buyers do. */
  change(): void {
    const order = anyOf(this.#random, this.orders);
    const product = anyOf(this.#random, this.products);
    const customer = anyOf(this.#random, this.customers);
    const kind = between(this.#random, 0, 12);
    if (kind <= 3 || order === undefined) this.addOrder();
    else if (kind <= 5) this.refund(order);
    else if (kind === 6)
      this.#touch(order, () => Object.assign(order, { cancelledAt: this.#now(), financialStatus: 'VOIDED' }));
    else if (kind === 7) this.#touch(order, () => Object.assign(order, { fulfillmentStatus: 'FULFILLED' }));
    else if (kind === 8) this.#touch(order, () => order.lines.splice(0, order.lines.length > 1 ? 1 : 0));
    else if (kind === 9) this.orders.delete(order.id);
    else if (kind === 10 && product !== undefined)
      this.#touch(product, () => {
        for (const variant of product.variants) variant.price += between(this.#random, 1, 300);
      });
    else if (kind === 11 && customer !== undefined)
      this.#touch(customer, () => {
        customer.state = customer.state === 'SUBSCRIBED' ? 'UNSUBSCRIBED' : 'SUBSCRIBED';
        customer.stateAt = this.#now();
      });
    else if (this.#random() < 0.5) this.addCustomer();
    else this.addProduct();
  }

  addOrder(at = this.#now()): MadeOrder {
    const random = this.#random;
    const customer = anyOf(this.#random, this.customers);
    const product = () => anyOf(this.#random, this.products)?.variants;
    const lines = Array.from(
      { length: random() < 0.05 ? between(random, 11, 30) : between(random, 1, 4) },
      () => {
        const variant = oneOf<Pick<MadeLine, 'sku' | 'title' | 'price'>>(random, product() ?? [GIFT_WRAP]);
        const quantity = between(random, 1, 3);
        const discount = random() < 0.3 ? between(random, 1, 100) : 0;
        return {
          id: this.#id(),
          sku: variant.sku,
          title: variant.title,
          quantity,
          price: variant.price,
          discount,
        };
      },
    );
    const order: MadeOrder = {
      ...this.#made(at),
      cancelledAt: null,
      financialStatus: random() < 0.1 ? 'PENDING' : 'PAID',
      fulfillmentStatus: 'UNFULFILLED',
      test: random() < 0.03,
      customer: random() < 0.8 ? (customer?.id ?? null) : null,
      email: random() < 0.9 ? (customer?.email ?? null) : null,
      country: oneOf(random, ['CZ', 'DE', 'US']),
      shipping: oneOf(random, [0, 490, 990]),
      code: random() < 0.2 ? 'SPRING' : null,
      source: oneOf(random, [null, 'google', 'newsletter']),
      lines,
      refunds: [],
    };
    this.orders.set(order.id, order);
    return order;
  }

  refund(order: MadeOrder): void {
    this.#touch(order, () => {
      const lines = order.lines
        .filter(() => this.#random() < 0.6)
        .map(({ id, price, discount, quantity }) => ({
          line: id,
          quantity: 1,
          subtotal: Math.max(0, price - Math.round(discount / quantity)),
        }));
      const amount = lines.reduce((sum, { subtotal }) => sum + subtotal, 0) + between(this.#random, 0, 200);
      order.refunds.push({ id: this.#id(), createdAt: this.#now(), amount, lines });
      order.financialStatus = 'PARTIALLY_REFUNDED';
    });
  }

  addProduct(): MadeProduct {
    const random = this.#random;
    const id = this.#id();
    const product: MadeProduct = {
      ...this.#made(this.#now()),
      id,
      title: `Product ${id}`,
      status: 'ACTIVE',
      variants: Array.from(
        { length: random() < 0.1 ? between(random, 11, 25) : between(random, 1, 4) },
        (_, index) => ({
          id: this.#id(),
          sku: `SKU-${id}-${index}`,
          title: `Size ${index}`,
          price: between(random, 500, 20_000),
          stock: between(random, 0, 50),
          cost: between(random, 100, 400),
        }),
      ),
    };
    this.products.set(product.id, product);
    return product;
  }

  addCustomer(): MadeCustomer {
    const made = this.#made(this.#now());
    const isSubscribed = this.#random() < 0.5;
    const customer: MadeCustomer = {
      ...made,
      email: `customer-${made.id}@shop.example`,
      state: isSubscribed ? 'SUBSCRIBED' : 'NOT_SUBSCRIBED',
      stateAt: isSubscribed ? made.createdAt : null,
      tags: this.#random() < 0.2 ? ['vip', 'blog'] : [],
    };
    this.customers.set(customer.id, customer);
    return customer;
  }

  #made(at: number): Made {
    const knownFrom = this.#now() + between(this.#random, 0, 40_000);
    return { id: this.#id(), createdAt: at, updatedAt: at, index: { updatedAt: null, knownFrom } };
  }

  #touch(made: Made, change: () => void): void {
    change();
    const now = this.#now();
    const known = made.index.knownFrom <= now ? made.updatedAt : made.index.updatedAt;
    made.updatedAt = now;
    made.index = { updatedAt: known, knownFrom: now + between(this.#random, 0, 40_000) };
  }

  /** Something of long ago, which the index knows of. */
  #settle(made: Made, at: number | null): void {
    if (at !== null) Object.assign(made, { createdAt: at, updatedAt: at });
    made.index = { updatedAt: made.updatedAt, knownFrom: 0 };
  }

  #id(): number {
    this.#ids += between(this.#random, 1, 3);
    return this.#ids;
  }

  /** Shopify's moments have whole seconds. */
  #now(): number {
    return Math.floor(this.#clock.now().getTime() / 1000) * 1000;
  }
}

export function totalOf(order: MadeOrder): number {
  return linesOf(order) + order.shipping;
}

/** Prices include the tax. */
export function linesOf({ lines }: MadeOrder): number {
  return lines.reduce((sum, { price, quantity, discount }) => sum + price * quantity - discount, 0);
}
