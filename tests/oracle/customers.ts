// Identity resolution: which customer a profile row or an order means.
import { cell, loadedRows } from './loaded-rows.ts';
import type { Row, Store } from './store.ts';
import { compareText } from './text-order.ts';

type Reference = {
  profile_id?: string | undefined;
  email?: string | undefined;
  phone?: string | undefined;
  external_customer_id?: string | undefined;
};

export type Customers = {
  ofProfile(profileId: string): string;
  /** Null when the reference names nobody. */
  ofReference(reference: Reference): string | null;
  /** Country of the customer's profile rows, if one states it. */
  countryOf(customer: string): string | null;
};

function emailKey(value: string | undefined): string | null {
  const email = cell(value)?.trim().toLowerCase() ?? '';
  return email.includes('@') ? `email:${email}` : null;
}

/** Digits with a leading +, where 00 stands for +. */
function phoneKey(value: string | undefined): string | null {
  const signs = (cell(value) ?? '').replaceAll(/[^\d+]/g, '');
  const digits = signs.replaceAll('+', '');
  if (digits.length < 5) return null;
  if (signs.startsWith('+')) return `phone:+${digits}`;
  return digits.startsWith('00') ? `phone:+${digits.slice(2)}` : `phone:${digits}`;
}

function externalKey(value: string | undefined): string | null {
  const id = cell(value);
  return id === null ? null : `customer:${id}`;
}

function contactKeys(reference: Reference): string[] {
  const keys = [
    emailKey(reference.email),
    phoneKey(reference.phone),
    externalKey(reference.external_customer_id),
  ];
  return keys.filter((key) => key !== null);
}

/** Key of the contact that an identities row states; visitors are no contacts. */
function identityKey(row: Row<'identities'>): string | null {
  if (row.kind === 'email') return emailKey(row.value);
  if (row.kind === 'phone') return phoneKey(row.value);
  return row.kind === 'external_customer_id' ? externalKey(row.value) : null;
}

export function customersOf(store: Store): Customers {
  const byProfileId = (a: { profile_id?: string | undefined }, b: { profile_id?: string | undefined }) =>
    compareText(a.profile_id ?? '', b.profile_id ?? '');
  const profiles = loadedRows(store.profiles, (row) => row.profile_id ?? '').sort(byProfileId);
  const identities = [...store.identities].sort(byProfileId);

  // Profile rows own their contacts before identities rows do; the lowest profile_id wins a dispute.
  const ownerOf = new Map<string, string>();
  for (const row of profiles) {
    for (const key of contactKeys(row)) if (!ownerOf.has(key)) ownerOf.set(key, row.profile_id ?? '');
  }
  for (const row of identities) {
    const key = identityKey(row);
    if (key !== null && !ownerOf.has(key)) ownerOf.set(key, row.profile_id ?? '');
  }

  // A profile stands for its first contact, so for the profile that owns it, and so on until one owns its
  // own.
  const rowOf = new Map(profiles.map((row) => [row.profile_id ?? '', row]));
  function ofProfile(profileId: string): string {
    const owner = ownerOf.get(contactKeys(rowOf.get(profileId) ?? {})[0] ?? '') ?? profileId;
    return owner === profileId ? `profile:${profileId}` : ofProfile(owner);
  }

  const countries = new Map<string, string>();
  for (const row of profiles) {
    const customer = ofProfile(row.profile_id ?? '');
    const country = cell(row.country);
    if (country !== null && !countries.has(customer)) countries.set(customer, country);
  }

  return {
    ofProfile,
    ofReference(reference) {
      const profileId = cell(reference.profile_id);
      if (profileId !== null) return ofProfile(profileId);
      const key = contactKeys(reference)[0];
      if (key === undefined) return null;
      const owner = ownerOf.get(key);
      return owner === undefined ? key : ofProfile(owner);
    },
    countryOf: (customer) => countries.get(customer) ?? null,
  };
}
