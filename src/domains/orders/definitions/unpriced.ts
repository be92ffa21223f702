import { plural } from '../../../text/plural.ts';

/** What money of another currency without an exchange rate was of. */
const UNPRICED = {
  orders: ['order', 'orders'],
  refunds: ['refund', 'refunds'],
  ad_costs: ['advertising cost', 'advertising costs'],
  message_costs: ['message cost', 'message costs'],
} as const satisfies Readonly<Record<string, readonly [one: string, many: string]>>;

export type UnpricedKind = keyof typeof UNPRICED;

export interface UnpricedMoney {
  readonly kind: string;
  readonly currency: string;
  readonly pieces_count: number;
  /** The amount in that currency. */
  readonly amount: number;
}

/** `2 orders of 17 EUR, 1 order of 8 USD` */
export function listUnpriced(rows: readonly UnpricedMoney[]): string {
  return rows
    .map(({ kind, currency, pieces_count, amount }) => {
      const [one, many] = UNPRICED[kind as UnpricedKind];
      return `${plural(pieces_count, one, many)} of ${amount} ${currency}`;
    })
    .join(', ');
}
