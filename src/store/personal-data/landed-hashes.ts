import { type HashKey, keyedHash, keyedHashSql } from '../keyed-hash.ts';

/**
 * What stands in landed rows where an e-mail address or a phone number stood: its hash, and what else is kept
 * of it, the domain or the country. Only what reads landed rows takes it for a hash: in a file of a merchant
 * anybody could have written it.
 *
 * `~0123456789abcdef0123456789abcdef@example.com` · `~0123456789abcdef0123456789abcdef:CZ`
 */
const LANDED_HASH = /^~([0-9a-f]{32})(?:@[^@]*|:([A-Z]{2})?)$/;

/** The same, as what text of a vendor must not look like. */
const LIKE_LANDED_HASH = /(?<!~)~+(?=[0-9a-f]{32})/gi;

/** The hash of an address as `column-kinds.ts` makes it, with its domain. */
export function landedEmail(key: HashKey, address: string): string {
  const written = address.toLowerCase();
  const domain = domainOf(written);
  return `~${keyedHash(key, written)}@${/[^\p{N}_.-]/u.test(domain) ? domain : ''}`;
}

/** What follows the last `@` of the first line that has one. */
function domainOf(written: string): string {
  for (const line of written.split(/[\n\r\u2028\u2029]/)) {
    const domains = line.match(/(?<=@)[\p{L}\p{N}_.-]+/gu);
    if (domains !== null) return domains.at(-1) ?? '';
  }
  return '';
}

/** @param number as `PhoneReader.internationalForm` writes it */
export function landedPhone(key: HashKey, number: string, country: string | null): string {
  return `~${keyedHash(key, number)}:${country ?? ''}`;
}

/** Null if the text is no such hash. */
export function readLandedHash(
  text: string,
): { readonly hash: string; readonly country: string | null } | null {
  const [, hash, country] = LANDED_HASH.exec(text) ?? [];
  return hash === undefined ? null : { hash, country: country ?? null };
}

/** A text that cannot be taken for a landed hash. */
export function unlikeLandedHash(text: string): string {
  return text.includes('~') ? text.replace(LIKE_LANDED_HASH, '') : text;
}

/** `keyedHashSql` that takes landed hashes for what they are. */
export function landedHashSql(key: HashKey, text: string): string {
  return `case when regexp_full_match(${text}, '~[0-9a-f]{32}[@:].*') then substring(${text}, 2, 32)
    else ${keyedHashSql(key, text)} end`;
}
