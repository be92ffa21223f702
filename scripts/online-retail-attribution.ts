/** Invoices and order lines of the source that became no order, by reason. */
export type LeftOut = { reason: string; invoices: number; lines: number };

/** Rows of the tables written. */
export interface Written {
  readonly orders: number;
  readonly credit_notes: number;
  readonly order_items: number;
  readonly products: number;
  readonly refunds: number;
  readonly refund_lines: number;
}

/** The text of ATTRIBUTION.md: whose data this is, under which licence, and everything that was changed. */
export function onlineRetailAttribution(written: Written, leftOut: LeftOut[]): string {
  const leftOutRows = leftOut.map((row) => `| ${row.reason} | ${row.invoices} | ${row.lines} |`).join('\n');
  return `# Online Retail: source, licence, changes

The Parquet files in this folder are a converted copy of

> Chen, D. (2015). *Online Retail* [Dataset]. UCI Machine Learning Repository. https://doi.org/10.24432/C5BW33

used under the [Creative Commons Attribution 4.0 International](https://creativecommons.org/licenses/by/4.0/)
licence (CC BY 4.0). The data are not covered by the licence of this software. Neither the author nor UCI
endorses this software.

They hold the sales of one UK online retailer of gifts, 2010-12-01 to 2011-12-09, in GBP.
\`scripts/convert-online-retail.ts\` wrote them, and this file with its counts.

## What was changed

The order lines were split into five tables of the canonical import format:

| File | Rows |
|---|---|
| \`orders.parquet\` | ${written.orders} (${written.credit_notes} of them \`credit_note\`) |
| \`order_items.parquet\` | ${written.order_items} |
| \`products.parquet\` | ${written.products} |
| \`refunds.parquet\` | ${written.refunds} |
| \`refund_lines.parquet\` | ${written.refund_lines} |

- An invoice with at least one line of positive quantity and positive unit price is an order with status \`paid\`.
- An invoice whose number begins with \`C\` (cancellation or credit note) is a refund. The source does not say of which order:
  each of its lines is taken for the latest one of the same customer with the same stock code, sold before, of which as
  many pieces and as much money are left, at the same unit price first. What no such line is found for is a refund of
  an order of its own, with the number of the credit note, status \`credit_note\` and a total of 0.
- The time of an order is the earliest time on its lines (43 invoices of the source carry two); it stays UK local
  time without an offset.
- The total of an order is the sum of quantity × unit price over all its lines.
- Customer ids lost their trailing \`.0\`; country names became ISO 3166-1 alpha-2 codes. Channel Islands, European
  Community and Unspecified have none and became null.
- Stock codes are trimmed and upper-cased, descriptions trimmed, blank descriptions null. Lines are numbered in the
  order of the source; exact duplicate lines are kept.
- Lines with the stock codes POST, DOT and C2 are marked as shipping, AMAZONFEE, BANK CHARGES and CRUK as payment, D
  and M as discount (manual adjustment), all others as product.
- \`products\` is derived: per product stock code the most frequent description (the code where there is none) and
  the unit price most often charged in paid orders (0 where there is none).

## What was left out

| Reason | Invoices | Lines |
|---|---|---|
${leftOutRows}
`;
}
