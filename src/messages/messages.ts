import { IntlMessageFormat } from 'intl-messageformat';
import { CATALOGUE, type MessageArguments, type MessageKey } from './catalogue.ts';
import type { Language, PageLocale } from './languages.ts';

/** The texts of a page in its reader's language, with numbers and dates as in the reader's region. */
export interface Messages {
  readonly language: Language;
  /** The locale for `Intl`, and for numbers in pictures. */
  readonly locale: PageLocale;
  /** The text of a message, such as `say('layout.stores')`. It is not HTML: slots of `html` escape it. */
  readonly say: <Key extends MessageKey>(key: Key, ...args: MessageArguments<Key, string | number>) => string;
  /**
   * The pieces of a message around markup, for a slot of `html`:
   * `around('overview.before', { value: html`<b>7</b>` })`.
   */
  readonly around: <Key extends MessageKey, Piece extends object>(
    key: Key,
    ...args: MessageArguments<Key, string | number | Piece>
  ) => readonly (string | Piece)[];
  /** A local day: “31 July 2026” for `2026-07-31`. */
  readonly day: (day: string) => string;
  /** Days from one to another: “1–31 July 2026”. */
  readonly days: (from: string, to: string) => string;
  /** The name of a country: “Czechia” for `CZ`. An unknown code stays as it is. */
  readonly country: (code: string) => string;
  /** A number with at most four decimals: “1,234.5”. */
  readonly number: (value: number) => string;
  /** A size in a fitting unit: “1.23 MB” for `1230000`. */
  readonly bytes: (bytes: number) => string;
  /** The name of a currency: “Czech koruna” for `CZK`. An unknown code stays as it is. */
  readonly currency: (code: string) => string;
  /** A list in words: “country and coupon”. */
  readonly and: (names: readonly string[]) => string;
}

const SIZES = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

/** Parses each message when it is first used. */
class ReadMessages implements Messages {
  readonly language: Language;
  readonly locale: PageLocale;
  readonly #formats = new Map<MessageKey, IntlMessageFormat>();
  readonly #days: Intl.DateTimeFormat;
  readonly #list: Intl.ListFormat;
  readonly #countries: Intl.DisplayNames;
  readonly #currencies: Intl.DisplayNames;
  readonly #numbers: Intl.NumberFormat;

  constructor(locale: PageLocale) {
    this.locale = locale;
    this.language = locale.slice(0, 2) as Language;
    const day = { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' } as const;
    this.#days = new Intl.DateTimeFormat(locale, day);
    this.#countries = new Intl.DisplayNames(locale, { type: 'region' });
    this.#currencies = new Intl.DisplayNames(locale, { type: 'currency' });
    this.#numbers = new Intl.NumberFormat(locale, { maximumFractionDigits: 4 });
    this.#list = new Intl.ListFormat(locale, { type: 'conjunction' });
  }

  readonly say = <Key extends MessageKey>(
    key: Key,
    ...[args]: MessageArguments<Key, string | number>
  ): string => String(this.#formatOf(key).format(args));

  readonly around = <Key extends MessageKey, Piece extends object>(
    key: Key,
    ...[args]: MessageArguments<Key, string | number | Piece>
  ): readonly (string | Piece)[] => {
    const pieces = this.#formatOf(key).format<Piece>(args as Record<string, string | number | Piece>);
    return Array.isArray(pieces) ? pieces : [pieces];
  };

  readonly day = (day: string): string => this.#days.format(Date.parse(day));

  readonly days = (from: string, to: string): string =>
    this.#days.formatRange(Date.parse(from), Date.parse(to));

  readonly country = (code: string): string =>
    /^[A-Z]{2}$/.test(code) ? (this.#countries.of(code) ?? code) : code;

  readonly number = (value: number): string => this.#numbers.format(value);

  readonly bytes = (bytes: number): string => {
    const power = bytes < 1 ? 0 : Math.min(SIZES.length - 1, Math.floor(Math.log10(bytes) / 3));
    const unit = { style: 'unit', unit: SIZES[power], unitDisplay: power === 0 ? 'long' : 'short' } as const;
    const format = new Intl.NumberFormat(this.locale, { ...unit, maximumSignificantDigits: 3 });
    return format.format(bytes / 1000 ** power);
  };

  readonly currency = (code: string): string =>
    /^[A-Z]{3}$/.test(code) ? (this.#currencies.of(code) ?? code) : code;

  readonly and = (names: readonly string[]): string => this.#list.format(names);

  #formatOf(key: MessageKey): IntlMessageFormat {
    const known = this.#formats.get(key);
    if (known !== undefined) return known;
    const format = new IntlMessageFormat(CATALOGUE[key][this.language], this.locale, undefined, {
      // Markup only comes in as arguments.
      ignoreTag: true,
    });
    this.#formats.set(key, format);
    return format;
  }
}

const kept = new Map<PageLocale, Messages>();

export function messagesIn(locale: PageLocale): Messages {
  const known = kept.get(locale) ?? new ReadMessages(locale);
  kept.set(locale, known);
  return known;
}

/** The English texts of the command line, of files for spreadsheets, and of texts without a reader. */
export const ENGLISH = messagesIn('en-GB');
