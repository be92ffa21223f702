import { type Statuses, withMappedStatuses } from '../mapped-statuses.ts';
import type { RawRows } from '../source.ts';

/** Financial statuses that Shopify documents. */
const STATUSES: Statuses = {
  paid: 'paid',
  pending: 'pending',
  authorized: 'pending',
  partially_paid: 'pending',
  refunded: 'paid',
  partially_refunded: 'paid',
  voided: 'cancelled',
  expired: 'cancelled',
};

export function financialStatuses(raw: RawRows): Statuses {
  return withMappedStatuses(STATUSES, raw);
}
