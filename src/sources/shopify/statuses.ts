import type { RawRows } from '../source.ts';

/** Financial statuses of Shopify in lower case, and what orders with them are to us. */
const STATUSES: Readonly<Record<string, string>> = {
  paid: 'paid',
  pending: 'pending',
  authorized: 'pending',
  partially_paid: 'pending',
  refunded: 'paid',
  partially_refunded: 'paid',
  voided: 'cancelled',
  expired: 'cancelled',
};

export const OUR_STATUSES = ['pending', 'paid', 'fulfilled', 'cancelled', 'returned'];

/** With those of the shop's own that were told: `Bezahlt=paid`, several of them parted by a line end. */
export function statuses({ settings }: RawRows): Record<string, string> {
  const told = (settings.status ?? '').split('\n').flatMap((pair) => {
    const [theirs, ours] = pair.split('=');
    return theirs && ours && OUR_STATUSES.includes(ours) ? [[theirs.trim().toLowerCase(), ours]] : [];
  });
  return { ...STATUSES, ...Object.fromEntries(told) };
}
