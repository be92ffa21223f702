/**
 * A line of an invoice of the source; `quantity` and `amount` of a credit note are what came back, as
 * positive numbers.
 */
export interface InvoiceLine {
  readonly order_id: string;
  readonly line_no: number;
  /** The place of the row in the source file, counted from 1. */
  readonly row_no: number;
  /** Null where nobody is named. */
  readonly customer: string | null;
  readonly code: string;
  readonly line_at: string;
  readonly quantity: number;
  /** An amount in ten-thousandths, which is the precision of money here. */
  readonly amount: number;
}

/**
 * What a line of a credit note pays back: a line of an order, or, where no order is found, a product by
 * itself.
 */
export interface CreditedLine {
  readonly credit: InvoiceLine;
  readonly sold: InvoiceLine | null;
}

/**
 * Finds for each line of a credit note the line that it pays back: the same customer's latest line with this
 * product, sold before, of which as many pieces and as much money are left. Those at the same price come
 * first.
 *
 * @param sold lines of sales
 * @param credits lines of credit notes
 */
export function matchCreditNotes(
  sold: readonly InvoiceLine[],
  credits: readonly InvoiceLine[],
): CreditedLine[] {
  const left = new Map(sold.map((line) => [line, { quantity: line.quantity, amount: line.amount }]));
  const soldTo = Map.groupBy(
    sold.filter(({ customer, quantity }) => customer !== null && quantity > 0),
    buyerAndProduct,
  );
  const inOrder = [...credits].sort(byTime);
  return inOrder.map((credit) => {
    if (credit.customer === null) return { credit, sold: null };
    const candidates = (soldTo.get(buyerAndProduct(credit)) ?? []).filter((line) => {
      const rest = left.get(line);
      return (
        rest !== undefined &&
        line.line_at <= credit.line_at &&
        rest.quantity >= credit.quantity &&
        rest.amount >= credit.amount
      );
    });
    const latestFirst = candidates.sort(byTime).reverse();
    const samePrice = latestFirst.find(
      (line) => line.amount * credit.quantity === credit.amount * line.quantity,
    );
    const found = samePrice ?? latestFirst[0] ?? null;
    const rest = found && left.get(found);
    if (rest) {
      rest.quantity -= credit.quantity;
      rest.amount -= credit.amount;
    }
    return { credit, sold: found };
  });
}

function buyerAndProduct({ customer, code }: InvoiceLine): string {
  return JSON.stringify([customer, code]);
}

function byTime(a: InvoiceLine, b: InvoiceLine): number {
  if (a.line_at !== b.line_at) return a.line_at < b.line_at ? -1 : 1;
  return a.row_no - b.row_no;
}

/** A refund of one order, or of none that is known: then `order_id` is the credit note itself. */
export interface CreditRefund {
  readonly refund_id: string;
  readonly order_id: string;
  readonly refunded_at: string;
  readonly amount: number;
}

export interface CreditRefundLine {
  readonly refund_id: string;
  readonly order_id: string;
  readonly line_no: number | null;
  readonly external_product_id: string;
  readonly quantity: number;
  readonly amount: number;
}

/**
 * One refund for each order that a credit note pays back, lines of the same line or product as one.
 *
 * @param isProduct whether a code is a product, not a fee or a delivery: of these alone there are lines
 */
export function refundsOfCreditNotes(
  credited: readonly CreditedLine[],
  isProduct: (code: string) => boolean,
): { refunds: CreditRefund[]; lines: CreditRefundLine[] } {
  const orderOf = ({ credit, sold }: CreditedLine) => sold?.order_id ?? credit.order_id;
  const idOf = ({ credit, sold }: CreditedLine) =>
    sold === null ? credit.order_id : `${credit.order_id}-${sold.order_id}`;
  const total = (some: readonly CreditedLine[]) => some.reduce((sum, { credit }) => sum + credit.amount, 0);
  const refunds = [...Map.groupBy(credited, idOf)].map(([refund_id, some]) => ({
    refund_id,
    order_id: orderOf(some[0] as CreditedLine),
    refunded_at: some.map(({ credit }) => credit.line_at).sort()[0] as string,
    amount: total(some),
  }));
  const ofProducts = credited.filter(({ credit }) => isProduct(credit.code));
  const lineOf = (one: CreditedLine) =>
    JSON.stringify([idOf(one), one.sold?.line_no ?? null, one.credit.code]);
  const lines = [...Map.groupBy(ofProducts, lineOf).values()].map((some) => {
    const first = some[0] as CreditedLine;
    return {
      refund_id: idOf(first),
      order_id: orderOf(first),
      line_no: first.sold?.line_no ?? null,
      external_product_id: first.credit.code,
      quantity: some.reduce((sum, { credit }) => sum + credit.quantity, 0),
      amount: total(some),
    };
  });
  return { refunds, lines };
}
