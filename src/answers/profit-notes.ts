import type { SnapshotFacts } from '../business/snapshot-facts.ts';
import { worded } from './sentences.ts';

export const HOW_TO_SET_VAT =
  'A rate is set with: storesight business update <id> --vat-rate 21 (0: prices have no VAT).';

/** What rows tell of VAT and profit; each tool has some of these. */
interface ProfitRow {
  readonly tax?: number | null;
  readonly discount?: number | null;
  readonly estimated_revenue?: number | null;
  readonly estimated_gross_profit?: number | null;
  readonly purchase_price?: number | null;
  readonly gross_profit?: number | null;
  readonly price?: number;
  readonly cost?: number | null;
  readonly gross_profit_after_cost?: number | null;
}

/** The notes say which numbers are null because nobody knows the VAT in prices, and how to state it. */
export function vatNotes(rows: readonly ProfitRow[], { vat_rate }: SnapshotFacts): string[] {
  const notes = [
    // Where the revenue is null, too, the exchange rate is missing, and not the VAT.
    ...(rows.some(({ tax, estimated_revenue }) => tax === null && estimated_revenue !== null)
      ? [
          worded(
            'The VAT of some orders is not known: tax and net_revenue are null where they are counted, and profit leaves them out.',
            'note.vat-unknown',
          ),
        ]
      : []),
    ...(rows.some(hasUnknownMargin)
      ? ['gross_profit and margins of prices are null: no VAT rate is set for the store.']
      : []),
    ...(rows.some(({ cost, gross_profit_after_cost }) => cost != null && gross_profit_after_cost === null)
      ? ['gross_profit_after_cost is null: of no credited order are VAT and purchase prices known.']
      : []),
  ];
  return notes.length === 0 || vat_rate !== null ? notes : [...notes, worded(HOW_TO_SET_VAT, 'note.set-vat')];
}

/** What was taken off is not known of some rows, and their money is before it. */
export function discountNotes(rows: readonly ProfitRow[]): string[] {
  return rows.some(({ discount, estimated_revenue }) => discount === null && estimated_revenue !== null)
    ? [
        worded(
          'discount is null where the orders do not tell it, and net_revenue there is before it.',
          'note.discount-unknown',
        ),
      ]
    : [];
}

/** @param rows of a listing, before the contract's 0 stands for a profit that nobody knows */
export function unknownProfitNotes(rows: readonly ProfitRow[]): string[] {
  return rows.some(({ estimated_gross_profit }) => estimated_gross_profit === null)
    ? [
        worded(
          'estimated_gross_profit is 0 where nothing is known of it: there revenue_with_known_cost is 0 or null.',
          'note.profit-unknown',
        ),
      ]
    : [];
}

function hasUnknownMargin({ gross_profit, purchase_price, price }: ProfitRow): boolean {
  return gross_profit === null && purchase_price != null && price !== 0;
}
