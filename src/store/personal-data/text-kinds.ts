import type { PhoneForm } from './phones.ts';

/**
 * What kind of text a column holds. It decides what counts as a phone number there, and what becomes of a
 * text in which an e-mail address or a phone number was found (docs/decisions/0034-personal-data-gate.md has
 * the table):
 *
 * - `hash`: the whole text becomes its keyed hash. Equal ids stay equal and different ones different, so
 *   joins hold.
 * - `mark`: what was found becomes `(e-mail)` or `(phone)`.
 * - `named mark`: as `mark`, with letters that tell one address from another, for texts that are parts of
 *   keys.
 * - `long mark`: as `mark`, as long as what was found, so that the size of a message and the parts of an SMS
 *   stay.
 *
 * `signs` is a regular expression of DuckDB: a text without it holds nothing that the gate looks for there.
 * Most texts have none, and pass without being looked at any further.
 */
export interface TextKind {
  readonly phones: PhoneForm;
  readonly becomes: 'hash' | 'mark' | 'named mark' | 'long mark';
  /** Whether `jana@obchod`, without a dot, is an address. */
  readonly looseEmails: boolean;
  readonly signs: string;
}

/**
 * Ways of writing `@`. `%`, `&` and `\` begin other ways of writing characters; ASCII without them needs no
 * decoding.
 */
const ENCODED = String.raw`[@%&\\]|[^\x00-\x7F]|[(\[{] ?(?:at|zavin)`;
const PLUS = `[+]|${ENCODED}`;
/** Digits with something between them, or behind 00. */
const GROUPS = `[0-9][ ()./-]{1,4}[0-9][0-9 ()./-]{3,}|00[1-9][0-9]{8}`;
const SIX_DIGITS = `[0-9](?:[^0-9A-Za-z]{0,4}[0-9]){5}`;

export const TEXT_KINDS = {
  /**
   * The id of a person or a visitor. No tool shows it, so whatever is as long as a phone number is hashed.
   */
  personId: {
    phones: 'any',
    becomes: 'hash',
    looseEmails: true,
    signs: `${PLUS}|^(?:[A-Za-z]+:)?[ (]*[0-9][0-9 ()./-]{4,16}$`,
  },
  /** The id of an order, a send or an event. No tool shows it, but it is often a number. */
  recordId: { phones: 'written', becomes: 'hash', looseEmails: false, signs: `${PLUS}|${GROUPS}` },
  /** The id of what tools show and take as an argument: products, campaigns, segments. */
  itemId: { phones: 'international', becomes: 'hash', looseEmails: false, signs: PLUS },
  /** SKU, EAN, coupon, status code: often numbers in groups. */
  code: { phones: 'international', becomes: 'mark', looseEmails: false, signs: PLUS },
  /** What the merchant calls a product, a campaign, a segment. */
  name: { phones: 'written', becomes: 'mark', looseEmails: false, signs: `${PLUS}|${GROUPS}` },
  /**
   * Source, medium, campaign of a visit: joined with costs, and often ids of advertisements, which are
   * numbers.
   */
  trafficName: { phones: 'any', becomes: 'named mark', looseEmails: false, signs: `${PLUS}|${SIX_DIGITS}` },
  /** One of a few words, such as a payment method. */
  label: { phones: 'any', becomes: 'mark', looseEmails: true, signs: `${PLUS}|${SIX_DIGITS}` },
  /** What people or servers write: reasons, notes, tags. */
  freeText: { phones: 'any', becomes: 'mark', looseEmails: true, signs: `${PLUS}|${SIX_DIGITS}` },
  /** What the recipients of a message read. */
  body: { phones: 'written', becomes: 'long mark', looseEmails: false, signs: `${PLUS}|${SIX_DIGITS}` },
  url: { phones: 'written', becomes: 'mark', looseEmails: true, signs: `[?#]|${PLUS}|${GROUPS}` },
  /** The path of a URL, without its host. */
  path: { phones: 'written', becomes: 'mark', looseEmails: true, signs: `[?#]|${PLUS}|${GROUPS}` },
  host: { phones: 'any', becomes: 'mark', looseEmails: true, signs: `[/?#:]|${PLUS}|${SIX_DIGITS}` },
  /** The address that a campaign is sent from: the merchant's own, and shown. */
  senderAddress: { phones: 'any', becomes: 'mark', looseEmails: true, signs: `${PLUS}|${SIX_DIGITS}` },
  /** JSON of what is known of a person. */
  attributes: { phones: 'any', becomes: 'mark', looseEmails: true, signs: '.' },
  /** JSON of how something is set up. */
  settings: { phones: 'written', becomes: 'mark', looseEmails: true, signs: `${PLUS}|${GROUPS}` },
} as const satisfies Record<string, TextKind>;

export type TextKindName = keyof typeof TEXT_KINDS;
