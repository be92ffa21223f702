import { addMoney, roundedPercent } from '../../../../statistics/rounded.ts';

/**
 * The lines in their order. Costs are negative, and a sum is what the lines before it make. The last one is
 * in no sum: it tells what of the costs of goods came back.
 */
export const LINES = [
  'goods_at_list_price',
  'line_discounts',
  'goods',
  'order_discounts',
  'vat_on_top',
  'sold',
  'refunds',
  'net_sales',
  'vat',
  'net_revenue',
  'cost_of_goods',
  'margin_1',
  'shipping_charged',
  'other_charged',
  'shipping_paid',
  'payment_fees',
  'packaging',
  'margin_2',
  'advertising',
  'email_costs',
  'sms_costs',
  'contribution',
  'cost_of_returned_goods',
] as const;
type LineName = (typeof LINES)[number];

interface Line {
  readonly line: LineName;
  readonly amount: number | null;
  readonly known_share: number | null;
  readonly at_most: boolean;
}

/** What is known of a cost: in whole ten-thousandths, of so much of its base. */
export interface Cost {
  /** Null: nothing is known of it. */
  readonly amount: number | null;
  readonly known: number;
  readonly base: number;
  /** The number of orders of the base for which files tell it. Nothing is assumed for these. */
  readonly recorded?: number;
}

/** What happened in a group, in whole ten-thousandths. */
export interface Parts {
  readonly orders: number;
  /** The number of these orders with a known exchange rate. */
  readonly priced: number;
  readonly without_lines: number;
  readonly paid: number;
  readonly goods: number;
  /** Null: orders do not tell it. */
  readonly discount: number | null;
  readonly discount_told: number;
  readonly added: number;
  readonly sold: number;
  readonly sold_with_known_vat: number;
  /** Null where the VAT of one order is not known. */
  readonly net: number | null;
  /** Null where no refunds are loaded. */
  readonly refunds: number | null;
  /** Null where that of one refund is not known. */
  readonly vat_of_refunds: number | null;
  readonly is_vat_of_all_refunds_unknown: boolean;
  /** The cost of goods that came back in the range, whenever they were sold. */
  readonly cost_of_returned: Cost;
  readonly cost: Cost;
  /** Goods of known cost, less discounts and VAT, before refunds. */
  readonly net_with_known_cost: number;
  readonly shipping: number | null;
  readonly shipping_told: number;
  /** Null where the VAT of one order is not known. */
  readonly beside: number | null;
  readonly shipping_paid: Cost;
  readonly payment_fees: Cost;
  readonly packaging: Cost;
  /** Null: these are told of other groups, and not of this one. */
  readonly spent: { readonly advertising: Cost; readonly email_costs: Cost; readonly sms_costs: Cost } | null;
}

const money = (amount: number) => addMoney(amount / 10_000);

/** What a statement of a product, brand or category has: all below `margin_1` is of whole orders. */
export const LINES_OF_GOODS: readonly string[] = [
  ...LINES.slice(0, LINES.indexOf('margin_1') + 1),
  'cost_of_returned_goods',
];

/** The lines of a group. They add up as they are shown. */
export function statementOf(parts: Parts): readonly Line[] {
  const statement = new Statement();
  statement.unknown('goods_at_list_price', parts.goods);
  statement.unknown('line_discounts', parts.goods);
  statement.opens('goods', parts.goods, shareOf(parts.priced, parts.orders));
  statement.adds('order_discounts', parts.discount === null ? null : -parts.discount, {
    share: shareOf(parts.discount_told, parts.orders),
  });
  statement.adds('vat_on_top', parts.added, {});
  statement.sums('sold');
  const hasRefunds = parts.refunds !== null;
  statement.adds('refunds', parts.refunds === null ? null : -parts.refunds, {
    share: hasRefunds ? 100 : 0,
    isTooHigh: !hasRefunds,
  });
  statement.sums('net_sales');
  const vat =
    parts.net === null || parts.vat_of_refunds === null
      ? null
      : parts.vat_of_refunds - (parts.sold - parts.net + parts.added);
  statement.adds('vat', vat, { share: shareOf(parts.sold_with_known_vat, parts.sold), isNeeded: true });
  statement.sums('net_revenue');
  statement.costs('cost_of_goods', parts.cost, true);
  statement.sums('margin_1');
  statement.adds('shipping_charged', parts.beside === null ? null : parts.shipping, {
    share: shareOf(parts.shipping_told, parts.priced),
  });
  const other = parts.beside === null ? null : parts.beside - (parts.shipping ?? 0);
  statement.adds('other_charged', other, { isNeeded: true });
  statement.costs('shipping_paid', parts.shipping_paid);
  statement.costs('payment_fees', parts.payment_fees);
  statement.costs('packaging', parts.packaging);
  statement.sums('margin_2');
  const { spent } = parts;
  for (const line of ['advertising', 'email_costs', 'sms_costs'] as const) {
    if (spent === null) statement.adds(line, null, { isNeeded: true });
    else statement.costs(line, spent[line]);
  }
  statement.sums('contribution');
  statement.tells('cost_of_returned_goods', parts.cost_of_returned);
  return statement.lines;
}

interface Known {
  readonly share?: number | null;
  /** The sums below are null where this is not known. */
  readonly isNeeded?: boolean;
  /** The sums below are too high, since something of this line is not known. */
  readonly isTooHigh?: boolean;
}

/** Lines one after another, with the sum of those so far. */
class Statement {
  readonly lines: Line[] = [];
  #sum: number | null = 0;
  #atMost = false;

  opens(line: LineName, amount: number, share: number | null): void {
    this.#sum = money(amount);
    this.#push(line, this.#sum, share);
  }

  unknown(line: LineName, base: number): void {
    this.#push(line, null, base === 0 ? null : 0);
  }

  adds(line: LineName, amount: number | null, { share = null, isNeeded, isTooHigh }: Known): void {
    const shown = amount === null ? null : money(amount);
    if (shown === null && isNeeded === true) this.#sum = null;
    else if (this.#sum !== null) this.#sum = addMoney(this.#sum, shown ?? 0);
    if (isTooHigh === true) this.#atMost = true;
    this.#push(line, shown, share);
  }

  /** Adds a line that no sum contains, such as the cost of goods that came back. */
  tells(line: LineName, { amount, known, base }: Cost): void {
    this.#push(line, amount === null ? null : money(amount), shareOfCost(known, base));
  }

  costs(line: LineName, { amount, known, base }: Cost, isNeeded = false): void {
    const isPartly = known !== base;
    this.adds(line, amount === null ? null : -amount, {
      share: shareOfCost(known, base),
      isNeeded,
      isTooHigh: isPartly || amount === null,
    });
  }

  sums(line: LineName): void {
    this.lines.push({
      line,
      amount: this.#sum,
      known_share: null,
      at_most: this.#atMost && this.#sum !== null,
    });
  }

  #push(line: LineName, amount: number | null, known_share: number | null): void {
    this.lines.push({ line, amount: amount === null ? null : amount + 0, known_share, at_most: false });
  }
}

/** A share that is nearly all is not all. */
function shareOfCost(known: number, base: number): number | null {
  const share = shareOf(known, base);
  return known !== base && share === 100 ? 99.9999 : share;
}

function shareOf(known: number, base: number): number | null {
  return roundedPercent(known, base);
}
