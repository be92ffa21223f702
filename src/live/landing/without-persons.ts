import type { Business } from '../../business/business.ts';
import { hashKey, keyedHash } from '../../store/keyed-hash.ts';
import { businessGate } from '../../store/personal-data/business-gate.ts';
import { findEmails } from '../../store/personal-data/emails.ts';
import { landedEmail, landedPhone, unlikeLandedHash } from '../../store/personal-data/landed-hashes.ts';
import { withoutAccents } from '../../text/without-accents.ts';
import type { Json } from '../vendor.ts';

/** Takes a row as the vendor sent it, and returns what of it may lie on the disk. */
export type Cleaner = (row: Json) => Json;

/**
 * Rows without persons, before anything of them is written: e-mail addresses and phone numbers become the
 * hashes that the import would have made of them, names, streets and what else only says who somebody is go,
 * and all other texts pass the gate (0034). The country and the region of an address stay.
 *
 * @param dropped names of further fields to leave out
 */
export function withoutPersons(secret: Buffer, business: Business, dropped: readonly string[] = []): Cleaner {
  const key = hashKey(secret, business.business_id);
  const gate = businessGate(secret, business);
  const going = new Set([...DROPPED, ...dropped.map(folded)]);

  const cleanObject = (object: Readonly<Record<string, Json | undefined>>, within: string): Json => {
    const isPlace = PLACES.test(within);
    const isPerson = PERSONS.test(within);
    const kept: [string, Json][] = [];
    for (const [name, value] of Object.entries(object)) {
      const plain = folded(name);
      if (value === undefined) continue;
      if (going.has(plain) || PERSONAL.test(plain) || (isPerson && plain === 'name')) {
        // The field stays without its value, since the names of its fields tell what kind of row it is.
        kept.push([name, null]);
        continue;
      }
      if (isPlace && typeof value !== 'object' && !OF_PLACES.test(plain)) continue;
      kept.push([cleanText(name, 'name'), clean(value, plain)]);
    }
    return Object.fromEntries(kept);
  };

  const clean = (value: Json, name: string): Json => {
    if (typeof value === 'string') return cleanText(value, name);
    if (typeof value === 'number') return PHONES.test(name) ? cleanText(String(value), name) : value;
    if (Array.isArray(value)) return value.map((part) => clean(part, name));
    if (typeof value === 'object' && value !== null)
      return cleanObject(value as Readonly<Record<string, Json>>, name);
    return value;
  };

  const cleanText = (written: string, name: string): string => {
    const text = unlikeLandedHash(written.toWellFormed());
    const trimmed = text.trim();
    if (EMAILS.test(name) && trimmed.includes('@')) return landedEmail(key, trimmed);
    if (PHONES.test(name)) {
      const number = gate.phones.internationalForm(trimmed);
      if (number.replaceAll('+', '').length >= 5)
        return landedPhone(key, number, gate.phones.countryOf(number));
    }
    const [email] = findEmails(trimmed, false);
    // Equal ids stay equal, and are the same as after an import of a file.
    if (email?.start === 0 && email.end === trimmed.length) return keyedHash(key, trimmed);
    if (/^https?:\/\//.test(trimmed) || /^\/[^\s]*\?/.test(trimmed)) return gate.pass('url', text).text;
    return gate.pass(CODES.test(name) || MOMENT.test(trimmed) ? 'code' : 'name', text).text;
  };

  return (row) => clean(row, '');
}

/** The name of a field as it is compared: `firstName`, `first_name` and `$first_name` are one. */
function folded(name: string): string {
  return withoutAccents(name)
    .toLowerCase()
    .replace(/[\p{M}\s_$-]/gu, '');
}

const EMAILS = /mail/;
const PHONES = /phone|telefon|msisdn|whatsapp|^mobile(number)?$|^tel$/;
/** The fields in which long numbers are usual, and are not taken for phone numbers. */
const CODES =
  /id$|ids$|number$|sku$|code$|codes$|barcode$|gtin$|ean$|^name$|handle$|slug$|price|total|tax|amount$|cursor$|at$|date|datetime/;
const MOMENT = /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2})?/;

/** Objects that are an address, and which of their fields stay. */
const PLACES = /(?<!mail)address$|^billing$|^shipping$|^location$/;
const OF_PLACES = /^country|^province|^state|^region|mail|phone|^id$|^timezone$/;

/** Objects whose field `name` is the name of a person. */
const PERSONS = /address$|^billing$|^shipping$|^customer$|^person$|^recipient$|^profile$|^subscriber$/;

/**
 * Names of fields that hold a person's name, street or document. `Client Name` is not one of them: it is a
 * mail program.
 */
const PERSONAL =
  /^((billing|shipping|delivery)?(first|last|full|middle|maiden|sur|family|given|nick|user|display|customer|contact|person|recipient)name)$|jmeno|prijmeni|^meno$|priezvisko|^imie$|nazwisko|vorname|nachname|^prenom$|^nombre$|apellido|^nome$|cognome|street|ulice|^adresa|iban|rodne|^ssn$|passport/;

const DROPPED = [
  ...[
    'address',
    'address1',
    'address2',
    'addresses',
    'billingaddress1',
    'billingaddress2',
    'shippingaddress1',
  ],
  ...[
    'shippingaddress2',
    'company',
    'organization',
    'initials',
    'formattedname',
    'formatted',
    'formattedarea',
  ],
  ...['zip', 'postcode', 'postalcode', 'latitude', 'longitude', 'lat', 'lng', 'birthday', 'birthdate'],
  ...['note', 'notes', 'customernote', 'noteattributes', 'customattributes', 'memo'],
  ...[
    'ip',
    'ipaddress',
    'browserip',
    'clientip',
    'customeripaddress',
    'useragent',
    'customeruseragent',
    'clientdetails',
  ],
  ...[
    'paymentdetails',
    'creditcard',
    'avatarurl',
    'orderstatusurl',
    'paymenturl',
    'statuspageurl',
    'orderkey',
  ],
  ...['token', 'carttoken', 'checkouttoken', 'carthash', 'multipassidentifier', 'abandonedcheckouturl'],
];
