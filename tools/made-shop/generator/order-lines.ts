import { moneyText } from './money.ts';
import type { Currency, OrderItemRow } from './tables.ts';

/** The lines of one order, numbered as they are added; prices come in CZK and are charged in the order currency. */
export class OrderLines {
  readonly rows: OrderItemRow[] = [];
  /** Sum of quantity × unit price so far, hundredths of the order currency. */
  total = 0;
  readonly #order_id: string;
  readonly #currency: Currency;
  readonly #euroRate: number;

  constructor(order_id: string, currency: Currency, euroRate: number) {
    this.#order_id = order_id;
    this.#currency = currency;
    this.#euroRate = euroRate;
  }

  /** Adds a line priced in CZK; returns the unit price charged. */
  add(
    kind: OrderItemRow['kind'],
    external_product_id: string | null,
    name: string,
    quantity: number,
    price: number,
    purchase_price: number | null,
  ): number {
    // Euro prices are a list of their own at 25 CZK, as shops keep them; costs follow the rate of the day.
    const unit_price = this.#currency === 'CZK' ? price : Math.round(price / 25);
    const unit_cost = purchase_price === null ? null : this.#charged(purchase_price);
    this.#push(kind, external_product_id, name, quantity, unit_price, unit_cost);
    return unit_price;
  }

  /** Takes an amount of the order currency off. */
  deduct(name: string, amount: number): void {
    this.#push('discount', null, name, 1, -amount, null);
  }

  #charged(hundredthsOfCzk: number): number {
    return this.#currency === 'CZK'
      ? hundredthsOfCzk
      : Math.round((hundredthsOfCzk * 1_000) / this.#euroRate);
  }

  #push(
    kind: OrderItemRow['kind'],
    external_product_id: string | null,
    name: string,
    quantity: number,
    unit_price: number,
    unit_cost: number | null,
  ): void {
    this.total += quantity * unit_price;
    this.rows.push({
      order_id: this.#order_id,
      line_no: this.rows.length + 1,
      kind,
      external_product_id,
      name,
      quantity,
      unit_price: moneyText(unit_price),
      unit_cost: unit_cost === null ? null : moneyText(unit_cost),
    });
  }
}
