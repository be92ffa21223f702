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
 * The texts that count as phone numbers, where each form counts those before it too:
 *
 * - `international`: `+420 601 234 567`, whatever stands around it;
 * - `written`: also `00420601234567`, and a number of the store's countries in groups: `601 234 567`,
 *   `(212) 555-0100`;
 * - `any`: also one without groups: `601234567`, `420601234567`.
 */
export type PhoneForm = 'international' | 'written' | 'any';

/** Phone numbers as they are written in a store's countries. */
export class PhoneReader {
  readonly #countries: readonly NumberingPlan[];
  readonly #countryOfHead = new Map<string, string | null>();
  readonly #isKnown = new Map<string, boolean>();

  constructor(countries: readonly CountryCode[]) {
    this.#countries = countries.map(numberingPlan);
  }

  /** The phone numbers in a readable text. */
  find(text: string, form: PhoneForm): Span[] {
    return digitRuns(withoutLookalikes(text)).flatMap((run) => this.#findInRun(text, run, form));
  }

  /** Whether a text is nothing but digits, of a length that a phone number of the store's countries has. */
  hasLengthOfPhone(text: string): boolean {
    if (!/^[\s+(]*\d[\d\s()./-]{4,22}$/.test(text)) return false;
    const digits = text.replace(/\D/g, '');
    if (/^[\s(]*\+/.test(text)) return digits.length >= 7 && digits.length <= 15;
    return this.#countries.some((plan) => hasLength(plan, digits));
  }

  /**
   * The E.164 form (`+420601234567`) of a phone number that is written with the country's calling code, or as
   * in one of the store's countries; of any other its digits.
   */
  internationalForm(text: string): string {
    // Tools that know no missing integers write `420601234567.0`, whose last digit does not belong to the
    // number.
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

  /**
   * The country of a number in its E.164 form. Several share a calling code: +1 is Canada too, +7 Kazakhstan.
   */
  countryOf(number: string): string | null {
    // Countries that share a calling code are told apart by the first digits and the length.
    const head = `${number.slice(0, 9)} ${number.length}`;
    const known = this.#countryOfHead.get(head);
    if (known !== undefined) return known;
    const country = number.startsWith('+') ? countryOf(number) : null;
    if (this.#countryOfHead.size >= MOST_REMEMBERED) this.#countryOfHead.clear();
    this.#countryOfHead.set(head, country);
    return country;
  }

  /**
   * Finds the longest run of groups that is a number, from each group on, so that two numbers side by side
   * are two.
   */
  #findInRun(text: string, groups: readonly DigitGroup[], form: PhoneForm): Span[] {
    const found: Span[] = [];
    for (let first = 0; first < groups.length; first += 1) {
      const windows = windowsFrom(groups, first);
      const window =
        windows.findLast((each) => this.#isNumber(text, each, form)) ?? windows.findLast(looksInternational);
      if (window === undefined) continue;
      found.push({ start: window.prefixStart, end: window.end });
      first += window.length - 1;
    }
    return found;
  }

  #isNumber(text: string, window: Window, form: PhoneForm): boolean {
    const { digits } = window;
    if (digits.length < LEAST_DIGITS) return false;
    if (window.isInternational) return this.#isValid(`+${digits}`);
    if (form === 'international' || isWithinWord(text, window, form)) return false;
    if (digits.startsWith('00')) return this.#isValid(`+${digits.slice(2)}`);
    return (
      (window.isGrouped || form === 'any') && this.#countries.some((plan) => this.#isNational(plan, digits))
    );
  }

  #isValid(number: string): boolean {
    return this.#remember(
      number,
      () => parsePhoneNumberFromString(number, { extract: false })?.isValid() ?? false,
    );
  }

  #isNational(plan: NumberingPlan, digits: string): boolean {
    if (!hasLength(plan, digits)) return false;
    return this.#remember(`${plan.country} ${digits}`, () => isNational(plan, digits));
  }

  /**
   * Parsing takes some microseconds, and a text may repeat a number, or what looks like one, thousands of
   * times.
   */
  #remember(number: string, isNumber: () => boolean): boolean {
    const known = this.#isKnown.get(number);
    if (known !== undefined) return known;
    if (this.#isKnown.size >= MOST_REMEMBERED) this.#isKnown.clear();
    const is = isNumber();
    this.#isKnown.set(number, is);
    return is;
  }
}

/** Groups that follow each other, and what they are together. */
interface Window {
  readonly length: number;
  readonly digits: string;
  readonly prefixStart: number;
  readonly end: number;
  readonly isInternational: boolean;
  /** Versions and lists of numbers have groups of one digit. */
  readonly isGrouped: boolean;
}

/**
 * The windows that begin with a group, as long as they have no more digits than a number. Each group has one
 * at least, so there are at most `MOST_DIGITS` of them, however long the run is.
 */
function windowsFrom(groups: readonly DigitGroup[], first: number): Window[] {
  const windows: Window[] = [];
  const { prefixStart = 0, isInternational = false } = groups[first] ?? {};
  let [digits, isGrouped] = ['', true];
  for (const group of groups.slice(first, first + MOST_DIGITS)) {
    if (digits.length + group.digits.length > MOST_DIGITS) break;
    isGrouped &&= windows.length === 0 || group.digits.length > 1;
    digits += group.digits;
    const length = windows.length + 1;
    windows.push({
      length,
      digits,
      prefixStart,
      end: group.end,
      isInternational,
      isGrouped: isGrouped && length > 1,
    });
  }
  return windows;
}

/** E.164 has fifteen; `00` may stand before them. */
const MOST_DIGITS = 17;
const LEAST_DIGITS = 6;

/** The most numbers, and heads of numbers, of which what is known is remembered. */
const MOST_REMEMBERED = 20_000;

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

function hasLength({ callingCode, lengths, trunk }: NumberingPlan, digits: string): boolean {
  return ['', trunk, callingCode, `00${callingCode}`].some(
    (prefix) => digits.startsWith(prefix) && lengths.includes(digits.length - prefix.length),
  );
}

function isNational({ country, callingCode, trunk }: NumberingPlan, digits: string): boolean {
  const number = parsePhoneNumberFromString(digits, { defaultCountry: country, extract: false });
  if (!number?.isValid()) return false;
  // 01700000000 is a phone number in Germany, while 1700000000 is a moment in seconds.
  return digits.startsWith(trunk) || (digits.startsWith(callingCode) && number.nationalNumber !== digits);
}

/** A number of a plan that the library does not know, or one that was mistyped. */
function looksInternational({ digits, isInternational }: Window): boolean {
  return isInternational && digits.length >= 8 && digits.length <= 15;
}

function countryOf(number: string): string | null {
  return parsePhoneNumberFromString(number, { extract: false })?.country ?? null;
}

interface DigitGroup {
  readonly digits: string;
  readonly start: number;
  readonly end: number;
  /** The place of the `+` or the bracket before the number, else its start. */
  readonly prefixStart: number;
  readonly isInternational: boolean;
}

/**
 * Groups of digits with only blanks, brackets, dots, dashes and slashes between them. A `+` begins a new run.
 */
function digitRuns(text: string): DigitGroup[][] {
  const runs: DigitGroup[][] = [];
  let end = 0;
  for (const { 0: digits, index } of text.matchAll(/\d+/g)) {
    const [prefix = ''] = /(?:[(]?[+]\s?[(]?|[(])$/.exec(text.slice(Math.max(0, index - 3), index)) ?? [];
    const group = {
      digits,
      start: index,
      end: index + digits.length,
      prefixStart: index - prefix.length,
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
function isWithinWord(text: string, { prefixStart, end }: Window, form: PhoneForm): boolean {
  const before = text.slice(Math.max(0, prefixStart - 2), prefixStart);
  const after = text.slice(end, end + 2);
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
