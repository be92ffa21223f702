import type { Business } from '../../business/business.ts';
import { hashKey, keyedHash } from '../keyed-hash.ts';
import { PersonalDataGate } from './gate.ts';
import { readLandedHash } from './landed-hashes.ts';
import { PhoneReader } from './phones.ts';
import { storeCountries } from './store-countries.ts';

export type GateBusiness = Pick<Business, 'business_id' | 'timezone' | 'primary_currency'>;

/**
 * The gate of one business: with its key, and the phone numbers of its countries.
 *
 * @param isOfLanded whether what looks like a landed hash is one
 */
export function businessGate(
  secret: Buffer,
  business: GateBusiness,
  { isOfLanded = false } = {},
): PersonalDataGate {
  const key = hashKey(secret, business.business_id);
  const countries = storeCountries(business.timezone, business.primary_currency);
  return new PersonalDataGate(
    new PhoneReader(countries),
    (text) => (isOfLanded ? readLandedHash(text)?.hash : undefined) ?? keyedHash(key, text),
  );
}
