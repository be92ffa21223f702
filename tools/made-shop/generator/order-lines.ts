import { moneyText } from './money.ts';
import type { Currency, OrderItemRow } from './tables.ts';

/**
 * The lines of one order, numbered as they are added; prices come in CZK and are charged in the order
 * currency.
 */
export class OrderLines {
  readonly rows: OrderItemRow[] = [];
  /** Sum of quantity × unit price so far, hundredths of the order currency. */
  total = 0;
  readonly #order_id: string;
  readonly #currency: Currency;
  readonly #rate: number;
  /** What is charged at each rate of VAT in percent; a reduction has no rate of its own. */
  readonly #charged = new Map<number | null, number>();

  /** @param rate CZK per unit of the currency in thousandths */
  constructor(order_id: string, currency: Currency, rate: number) {
    this.#order_id = order_id;
    this.#currency = currency;
    this.#rate = rate;
  }

  /** Adds a line priced in CZK, with its VAT in percent; returns the unit price charged. */
  add(
    kind: OrderItemRow['kind'],
    external_product_id: string | null,
    name: string,
    quantity: number,
    price: number,
    purchase_price: number | null,
    tax_rate: number,
  ): number {
    // Prices abroad are a list of their own, as shops keep them; costs follow the rate of the day.
    const unit_price = Math.round(price / listRates[this.#currency]);
    const unit_cost = purchase_price === null ? null : Math.round((purchase_price * 1_000) / this.#rate);
    this.#push(kind, external_product_id, name, quantity, unit_price, unit_cost, tax_rate);
    return unit_price;
  }

  /** Takes an amount of the order currency off. */
  deduct(name: string, amount: number): void {
    this.#push('discount', null, name, 1, -amount, null, null);
  }

  /** The VAT in the total: what was taken off lowers that of all lines alike. */
  tax(): number {
    const off = this.#charged.get(null) ?? 0;
    const goods = this.total - off;
    if (goods === 0) return 0;
    let tax = 0;
    for (const [rate, charged] of this.#charged) {
      if (rate !== null) tax += (charged * (this.total / goods) * rate) / (100 + rate);
    }
    return Math.round(tax);
  }

  #push(
    kind: OrderItemRow['kind'],
    external_product_id: string | null,
    name: string,
    quantity: number,
    unit_price: number,
    unit_cost: number | null,
    tax_rate: number | null,
  ): void {
    this.total += quantity * unit_price;
    this.#charged.set(tax_rate, (this.#charged.get(tax_rate) ?? 0) + quantity * unit_price);
    this.rows.push({
      order_id: this.#order_id,
      line_no: this.rows.length + 1,
      kind,
      external_product_id,
      name,
      quantity,
      unit_price: moneyText(unit_price),
      unit_cost: unit_cost === null ? null : moneyText(unit_cost),
      tax_rate: tax_rate === null ? null : String(tax_rate),
    });
  }
}

/** CZK per unit by which the price lists abroad were made. */
const listRates: Readonly<Record<Currency, number>> = { CZK: 1, EUR: 25, PLN: 5.8 };
