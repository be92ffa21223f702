import { worded } from '../../../answers/sentences.ts';

interface PricedRow {
  readonly entity: string;
  readonly total_quantity: number;
  readonly estimated_revenue: number | null;
  readonly price?: number;
  readonly avg_price?: number;
}

interface Asked {
  readonly sort_by?: string;
  /** The argument that `rowArguments` gives every tool with rows. */
  readonly fields?: readonly string[];
}

/** Nearer than this, list price and what was paid are the same to a reader. */
const LEAST_DIFFERENCE = 0.05;
const MOST_NAMED = 3;

/**
 * Says that what customers paid is not the price of the catalogue, where these differ.
 *
 * @param rows in the order of the answer
 * @param listed the field with the price of the catalogue
 */
export function paidPriceNotes(
  rows: readonly PricedRow[],
  { fields = [] }: Asked,
  listed: 'price' | 'avg_price',
): string[] {
  if (fields.length > 0 && !fields.includes(listed)) return [];
  const paid = rows.flatMap((row) => {
    const { entity, total_quantity: pieces, estimated_revenue: revenue } = row;
    const price = row[listed] ?? 0;
    if (pieces <= 0 || revenue === null || price <= 0) return [];
    const mean = Math.round((100 * revenue) / pieces) / 100;
    return Math.abs(mean - price) < LEAST_DIFFERENCE * price ? [] : [{ entity, mean, price }];
  });
  if (paid.length === 0) return [];
  const named = paid
    .slice(0, MOST_NAMED)
    .map(({ entity, mean, price }) => `${JSON.stringify(entity)} ${mean}, ${listed} ${price}`);
  return [
    worded(
      `${listed} is of the catalogue now. Paid per piece on average, with VAT, before discounts of whole orders and refunds: estimated_revenue / total_quantity (${named.join('; ')}).`,
      'note.catalogue-prices',
      {
        prices: {
          each: paid.slice(0, MOST_NAMED).map(({ entity, mean, price }) => ({
            sentence: {
              key: 'note.paid-price',
              values: { name: { name: entity }, paid: { money: mean }, price: { money: price } },
            },
          })),
        },
      },
    ),
  ];
}
