import { dateText, dayOf, momentText } from './calendar.ts';
import { type Customer, knownVisitors } from './customers.ts';
import { at, type RandomStream } from './random-stream.ts';
import type { IdentityRow, ProfileRow } from './tables.ts';
import type { World } from './world.ts';

/** A profile of every customer who has one; guests have none. */
export function makeProfiles(world: World, customers: readonly Customer[]): ProfileRow[] {
  const stream = world.stream('profiles');
  const profiles: ProfileRow[] = [];
  for (const customer of customers) {
    if (customer.profile_id !== null) profiles.push(makeProfile(stream, customer, customer.profile_id));
  }
  return profiles;
}

function makeProfile(stream: RandomStream, customer: Customer, profile_id: string): ProfileRow {
  return {
    profile_id,
    email: customer.email,
    external_customer_id: customer.external_customer_id,
    country: customer.country,
    language: languages[customer.country],
    gender: stream.chance(0.7) ? customer.gender : null,
    birthday: stream.chance(0.4) ? dateText(stream.int(dayOf('1950-01-01'), dayOf('2007-12-31'))) : null,
    attributes: stream.chance(0.35) ? { favourite_sport: at(sports, stream.int(0, sports.length - 1)) } : {},
    tags: customer.habit.name === 'loyal' ? ['club'] : [],
    created_at: momentText(customer.registered_at),
  };
}

/** What ties a profile together: its browsers, its second address, its customer id in the shop. */
export function makeIdentities(customers: readonly Customer[]): IdentityRow[] {
  const identities: IdentityRow[] = [];
  for (const customer of customers) {
    const { profile_id, other_email, external_customer_id } = customer;
    if (profile_id === null) continue;
    for (const value of knownVisitors(customer)) identities.push({ profile_id, kind: 'visitor', value });
    if (other_email !== null) identities.push({ profile_id, kind: 'email', value: other_email });
    if (external_customer_id !== null) {
      identities.push({ profile_id, kind: 'external_customer_id', value: external_customer_id });
    }
  }
  return identities;
}

export const languages = { CZ: 'cs', SK: 'sk', DE: 'de', AT: 'de', PL: 'pl' } as const;
const sports = ['running', 'hiking', 'climbing', 'skiing', 'bikepacking'];
