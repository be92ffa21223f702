import type { Customer } from './customers.ts';
import type { RandomStream } from './random-stream.ts';
import type { OrderRow } from './tables.ts';

type OrderIdentity = Pick<OrderRow, 'profile_id' | 'email' | 'external_customer_id'>;

/** The staff's own address on orders that try the checkout. */
export const testIdentity: OrderIdentity = {
  profile_id: null,
  email: 'test@kamenice-outdoor.example.com',
  external_customer_id: null,
};

/**
 * Draws what the order names its customer by: mostly the profile, sometimes an address alone, in any spelling
 * of case.
 */
export function drawIdentity(stream: RandomStream, customer: Customer | null): OrderIdentity {
  if (customer === null) return { profile_id: null, email: null, external_customer_id: null };
  const { profile_id, external_customer_id, other_email } = customer;
  const email = stream.chance(0.03) ? customer.email.toUpperCase() : customer.email;
  const way = stream.next();
  if (profile_id === null) return { profile_id: null, email, external_customer_id: null };
  if (other_email !== null && way < 0.4)
    return { profile_id: null, email: other_email, external_customer_id: null };
  if (way < 0.15) return { profile_id: null, email, external_customer_id: null };
  if (way < 0.22 && external_customer_id !== null)
    return { profile_id: null, email: null, external_customer_id };
  return { profile_id, email, external_customer_id };
}
