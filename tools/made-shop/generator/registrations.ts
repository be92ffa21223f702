import { localDay } from './calendar.ts';
import type { ConsentEvent } from './consents.ts';
import type { Customer } from './customers.ts';
import { direct } from './traffic-sources.ts';
import { startVisit, type Visit } from './visit.ts';

/**
 * The visits in which customers registered through a popup: it asks on the way in, and the answer comes
 * within a minute.
 */
export function makeRegistrations(
  customers: readonly Customer[],
  consents: readonly ConsentEvent[],
): Visit[] {
  const asked = new Map<string, number>();
  for (const { profile_id, channel, state, at } of consents) {
    if (channel === 'email' && state === 'pending' && !asked.has(profile_id)) asked.set(profile_id, at);
  }
  return customers.flatMap((customer) => {
    const at = customer.profile_id === null ? undefined : asked.get(customer.profile_id);
    const [browser] = customer.browsers;
    if (at === undefined || browser === undefined) return [];
    const visitor = { browser, customer, country: customer.country };
    const visit = startVisit(visitor, direct, localDay(at), at - 30);
    return [{ ...visit, end: at + 45, other_pages: 2, other_engagement_s: 60, isRegistration: true }];
  });
}
