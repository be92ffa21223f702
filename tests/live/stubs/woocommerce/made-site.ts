import { anyOf, between, oneOf, type Random } from '../random.ts';
import type { VendorClock } from '../stub-access.ts';

/** Amounts are whole cents, moments milliseconds of whole seconds. */
export interface MadeOrder {
  readonly id: number;
  readonly createdAt: number;
  modifiedAt: number;
  status: string;
  readonly customer: number;
  readonly country: string;
  readonly shipping: number;
  lines: {
    readonly id: number;
    readonly product: number;
    readonly variation: number;
    quantity: number;
    total: number;
  }[];
  readonly refunds: MadeRefund[];
}

interface MadeRefund {
  readonly id: number;
  readonly createdAt: number;
  readonly amount: number;
  readonly line: number | null;
}

export interface MadeProduct {
  readonly id: number;
  readonly createdAt: number;
  /**
   * A draft has no moment of its creation in UTC, and a draft that was never saved again has no moment of its
   * change.
   */
  readonly isDraft: boolean;
  readonly wasSavedAgain: boolean;
  modifiedAt: number;
  price: number;
  readonly variations: { readonly id: number; price: number }[];
}

export interface MadeCustomer {
  readonly id: number;
  readonly createdAt: number;
  readonly email: string;
}

const DAY = 24 * 3600_000;

/** A made-up shop of ours on WordPress, which random changes happen to. */
export class MadeSite {
  readonly orders = new Map<number, MadeOrder>();
  readonly products = new Map<number, MadeProduct>();
  readonly customers = new Map<number, MadeCustomer>();
  /**
   * What is saved is seen up to this many seconds after its own moment: a slow request saves it at its end.
   */
  seenLate = 0;
  readonly #random: Random;
  readonly #clock: VendorClock;
  #ids = 10;

  constructor(random: Random, clock: VendorClock) {
    this.#random = random;
    this.#clock = clock;
  }

  fill({ orders, products, customers }: { orders: number; products: number; customers: number }): void {
    const before = () => this.#now() - Math.floor((this.#random() * 400 * DAY) / 1000) * 1000;
    for (let count = 0; count < products; count += 1) this.addProduct(before());
    for (let count = 0; count < customers; count += 1) this.addCustomer();
    for (let count = 0; count < orders; count += 1) {
      const order = this.addOrder(before());
      if (this.#random() < 0.1) this.refund(order, true);
    }
    // A plugin saved many orders in the same second.
    const at = before();
    for (const order of [...this.orders.values()].slice(0, Math.floor(orders / 3))) order.modifiedAt = at;
  }

  /** Anything that merchants, buyers and plugins do. */
  change(): void {
    const order = anyOf(this.#random, this.orders);
    const kind = between(this.#random, 0, 12);
    if (kind <= 3 || order === undefined) this.addOrder();
    else if (kind === 4) this.refund(order, true);
    else if (kind === 5) this.refund(order, false);
    else if (kind === 6)
      this.#touch(order, () => {
        order.status = 'cancelled';
      });
    else if (kind === 7)
      this.#touch(order, () => {
        order.status = 'trash';
      });
    else if (kind === 8)
      this.#touch(order, () => {
        if (order.status === 'trash') order.status = 'processing';
      });
    // Somebody looked at it.
    else if (kind === 9) this.#touch(order, () => {});
    else if (kind === 10)
      this.#touch(order, () => {
        for (const line of order.lines) line.total += 100;
      });
    else if (kind === 12 && this.#random() < 0.3) this.saveAll();
    else if (this.#random() < 0.5) this.addProduct();
    else this.addCustomer();
  }

  /** As plugins do, which change nothing that is shown. */
  saveAll(): void {
    for (const order of this.orders.values()) this.#touch(order, () => {});
  }

  /** Deletes it for good, without the trash, as plugins do; or as somebody who empties the trash. */
  deleteOrder(order: MadeOrder): void {
    this.orders.delete(order.id);
  }

  addOrder(at = this.#savedAt()): MadeOrder {
    const random = this.#random;
    const lines = Array.from({ length: between(random, 1, 4) }, () => {
      const product = anyOf(this.#random, this.products);
      const quantity = between(random, 1, 3);
      const variation =
        product === undefined || product.variations.length === 0 ? 0 : oneOf(random, product.variations).id;
      return {
        id: this.#id(),
        product: product?.id ?? 0,
        variation,
        quantity,
        total: quantity * between(random, 100, 9000),
      };
    });
    const order: MadeOrder = {
      id: this.#id(),
      createdAt: at,
      modifiedAt: at,
      status: oneOf(random, ['processing', 'completed', 'completed', 'on-hold', 'pending', 'failed']),
      customer: random() < 0.7 ? (anyOf(this.#random, this.customers)?.id ?? 0) : 0,
      country: oneOf(random, ['CZ', 'SK', 'PL']),
      shipping: oneOf(random, [0, 9900]),
      lines,
      refunds: [],
    };
    this.orders.set(order.id, order);
    return order;
  }

  /** @param isSaved whether the order is changed by it, which not every way to pay does */
  refund(order: MadeOrder, isSaved: boolean): void {
    const line = this.#random() < 0.7 ? order.lines[0] : undefined;
    const amount =
      line === undefined ? between(this.#random, 1, 500) : Math.round(line.total / line.quantity);
    order.refunds.push({
      id: this.#id(),
      createdAt: this.#savedAt(order.createdAt),
      amount,
      line: line?.id ?? null,
    });
    if (isSaved) order.modifiedAt = this.#savedAt(order.modifiedAt);
  }

  addProduct(at = this.#savedAt(), isDraft = this.#random() < 0.15): MadeProduct {
    const random = this.#random;
    const variations = Array.from({ length: random() < 0.4 ? between(random, 1, 4) : 0 }, () => ({
      id: this.#id(),
      price: between(random, 100, 9000),
    }));
    const product = {
      id: this.#id(),
      createdAt: at,
      modifiedAt: at,
      isDraft,
      wasSavedAgain: random() < 0.5,
      price: between(random, 100, 9000),
      variations,
    };
    this.products.set(product.id, product);
    return product;
  }

  addCustomer(): MadeCustomer {
    const id = this.#id();
    const customer = { id, createdAt: this.#now(), email: `customer-${id}@shop.example` };
    this.customers.set(id, customer);
    return customer;
  }

  #touch(order: MadeOrder, change: () => void): void {
    change();
    order.modifiedAt = this.#savedAt(order.modifiedAt);
  }

  #id(): number {
    this.#ids += between(this.#random, 1, 3);
    return this.#ids;
  }

  /** The moment of a change that is seen now: never one before the item's last. */
  #savedAt(last = 0): number {
    return Math.max(last, this.#now() - 1000 * between(this.#random, 0, this.seenLate));
  }

  #now(): number {
    return Math.floor(this.#clock.now().getTime() / 1000) * 1000;
  }
}

/** Before tax, which all that a shop of ours sells has 21 % of. */
export function taxOf(cents: number): number {
  return Math.round(cents * 0.21);
}

export function totalOf({ lines, shipping }: MadeOrder): number {
  return [...lines.map(({ total }) => total), shipping].reduce((sum, net) => sum + net + taxOf(net), 0);
}
