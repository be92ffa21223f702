import {
  type CountryCode,
  getCountryCallingCode,
  getExampleNumber,
  Metadata,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/max';
import examples from 'libphonenumber-js/mobile/examples';
import type { Span } from './written-forms.ts';

/**
 * Which texts count as phone numbers, each with those before it:
 *
 * - `international`: `+420 601 234 567`, whatever stands around it;
 * - `written`: also `00420601234567`, and a number of the store's countries in groups: `601 234 567`, `(212) 555-0100`;
 * - `any`: also one without groups: `601234567`, `420601234567`.
 */
export type PhoneForm = 'international' | 'written' | 'any';

/** Phone numbers as they are written in a store's countries. */
export class PhoneReader {
  readonly #countries: readonly NumberingPlan[];
  readonly #countryOfHead = new Map<string, string | null>();

  constructor(countries: readonly CountryCode[]) {
    this.#countries = countries.map(numberingPlan);
  }

  /** The phone numbers in a readable text. */
  find(text: string, form: PhoneForm): Span[] {
    return digitRuns(withoutLookalikes(text)).flatMap((run) => this.#findInRun(text, run, form));
  }

  /** Whether a text is nothing but digits, as many as a phone number of the store's countries has. */
  hasLengthOfPhone(text: string): boolean {
    if (!/^[\s+(]*\d[\d\s()./-]{4,22}$/.test(text)) return false;
    const digits = text.replace(/\D/g, '');
    if (/^[\s(]*\+/.test(text)) return digits.length >= 7 && digits.length <= 15;
    return this.#countries.some((plan) => hasLength(plan, digits));
  }

  /**
   * The E.164 form (`+420601234567`) of a phone number that is written with the country's calling code, or as in one of
   * the store's countries; of any other its digits.
   */
  internationalForm(text: string): string {
    // Tools that know no missing integers write `420601234567.0`, whose last digit is none of the number.
    const written = text.replace(/^(\s*\+?\d+)\.0+\s*$/, '$1');
    const plain = written.replace(/\(0\)/g, '').replace(/[^0-9+]/g, '');
    if (plain.startsWith('+')) return `+${plain.replace(/\+/g, '')}`;
    if (plain.startsWith('00')) return `+${plain.slice(2).replace(/\+/g, '')}`;
    for (const { country } of this.#countries) {
      const number = parsePhoneNumberFromString(plain, { defaultCountry: country, extract: false });
      if (number?.isValid()) return number.number;
    }
    return plain;
  }

  /** The country of a number in its E.164 form. Several share a calling code: +1 is Canada too, +7 Kazakhstan. */
  countryOf(number: string): string | null {
    // Countries that share a calling code are told apart by the first digits and the length.
    const head = `${number.slice(0, 9)} ${number.length}`;
    const known = this.#countryOfHead.get(head);
    if (known !== undefined) return known;
    const country = number.startsWith('+') ? countryOf(number) : null;
    this.#countryOfHead.set(head, country);
    return country;
  }

  /** From each group on the longest run of groups that is a number, so that two numbers side by side are two. */
  #findInRun(text: string, groups: readonly DigitGroup[], form: PhoneForm): Span[] {
    const found: Span[] = [];
    for (let first = 0; first < groups.length; first += 1) {
      const windows = groups.slice(first).map((_, more) => groups.slice(first, first + more + 1));
      const window =
        windows.findLast((groupsOfOne) => this.#isNumber(text, groupsOfOne, form)) ??
        windows.findLast(looksInternational);
      if (window === undefined) continue;
      found.push({ start: window[0]?.prefixStart ?? 0, end: window.at(-1)?.end ?? 0 });
      first += window.length - 1;
    }
    return found;
  }

  #isNumber(text: string, groups: readonly DigitGroup[], form: PhoneForm): boolean {
    const digits = digitsOf(groups);
    if (digits.length < 6 || digits.length > 17) return false;
    const [first] = groups;
    if (first?.isInternational) return isValid(`+${digits}`);
    if (form === 'international' || isWithinWord(text, groups, form)) return false;
    if (digits.startsWith('00')) return isValid(`+${digits.slice(2)}`);
    // Versions and lists of numbers have groups of one digit.
    const isGrouped = groups.length > 1 && groups.slice(1).every((group) => group.digits.length > 1);
    return (isGrouped || form === 'any') && this.#countries.some((plan) => isNational(plan, digits));
  }
}

interface NumberingPlan {
  readonly country: CountryCode;
  readonly callingCode: string;
  readonly lengths: readonly number[];
  /** What people write before a number of their own country; empty where that is nothing. */
  readonly trunk: string;
}

function numberingPlan(country: CountryCode): NumberingPlan {
  const plan = new Metadata();
  plan.selectNumberingPlan(country);
  const example = getExampleNumber(country, examples);
  const written = example?.formatNational().replace(/\D/g, '') ?? '';
  return {
    country,
    callingCode: getCountryCallingCode(country),
    lengths: plan.numberingPlan?.possibleLengths() ?? [],
    trunk: written.slice(0, written.length - (example?.nationalNumber.length ?? 0)),
  };
}

function isValid(number: string): boolean {
  return parsePhoneNumberFromString(number, { extract: false })?.isValid() ?? false;
}

function hasLength({ callingCode, lengths, trunk }: NumberingPlan, digits: string): boolean {
  return ['', trunk, callingCode, `00${callingCode}`].some(
    (prefix) => digits.startsWith(prefix) && lengths.includes(digits.length - prefix.length),
  );
}

function isNational(plan: NumberingPlan, digits: string): boolean {
  // Parsing takes some microseconds.
  if (!hasLength(plan, digits)) return false;
  const { country, callingCode, trunk } = plan;
  const number = parsePhoneNumberFromString(digits, { defaultCountry: country, extract: false });
  if (!number?.isValid()) return false;
  // In Germany 1700000000 is a moment in seconds, 01700000000 a phone number.
  return digits.startsWith(trunk) || (digits.startsWith(callingCode) && number.nationalNumber !== digits);
}

/** A number of a plan that the library does not know, or one that was mistyped. */
function looksInternational(groups: readonly DigitGroup[]): boolean {
  const digits = digitsOf(groups);
  return groups[0]?.isInternational === true && digits.length >= 8 && digits.length <= 15;
}

function countryOf(number: string): string | null {
  return parsePhoneNumberFromString(number, { extract: false })?.country ?? null;
}

interface DigitGroup {
  readonly digits: string;
  readonly start: number;
  readonly end: number;
  /** Where the `+` or the bracket before it stands, else the start. */
  readonly prefixStart: number;
  readonly isInternational: boolean;
}

function digitsOf(groups: readonly DigitGroup[]): string {
  return groups.map(({ digits }) => digits).join('');
}

/** Groups of digits with only blanks, brackets, dots, dashes and slashes between them. A `+` begins a new run. */
function digitRuns(text: string): DigitGroup[][] {
  const runs: DigitGroup[][] = [];
  let end = 0;
  for (const { 0: digits, index } of text.matchAll(/\d+/g)) {
    const [prefix = ''] = /(?:[(]?[+]\s?[(]?|[(])$/.exec(text.slice(Math.max(0, index - 3), index)) ?? [];
    const group = {
      ...{ digits, start: index, end: index + digits.length, prefixStart: index - prefix.length },
      isInternational: prefix.includes('+'),
    };
    const run = runs.at(-1);
    if (run !== undefined && /^[\s()./-]{1,4}$/.test(text.slice(end, index))) run.push(group);
    else runs.push([group]);
    end = group.end;
  }
  return runs;
}

/** `AB601 234 567` is an article; `RR601234567CZ` a parcel; `tel601234567` in a free text a phone number. */
function isWithinWord(text: string, groups: readonly DigitGroup[], form: PhoneForm): boolean {
  const before = text.slice(0, groups[0]?.prefixStart).slice(-2);
  const after = text.slice(groups.at(-1)?.end).slice(0, 2);
  if (form === 'any') return /^\p{L}{2}$/u.test(before) && /^\p{L}{2}$/u.test(after);
  return /\p{L}$/u.test(before) || /^\p{L}/u.test(after);
}

const LOOKALIKES = [
  /(?<!\d)(?:19|20)\d\d([-./])(?:0?[1-9]|1[0-2])\1(?:0?[1-9]|[12]\d|3[01])(?!\d)/g,
  /(?<!\d)(?:0?[1-9]|[12]\d|3[01])([-./]) ?(?:0?[1-9]|1[0-2])\1 ?(?:19|20)\d\d(?!\d)/g,
  /\b[A-Z]{2}\d{2}(?: ?\d{4}){3,7}\b/g,
  /\b[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}\b/gi,
  /(?<![\d.])\d{1,3}\.\d{4,}(?![\d.])/g,
];

/** Dates, bank accounts, UUIDs and coordinates covered, all places unchanged. */
function withoutLookalikes(text: string): string {
  return LOOKALIKES.reduce(
    (rest, lookalike) => rest.replace(lookalike, (found) => '#'.repeat(found.length)),
    text,
  );
}
