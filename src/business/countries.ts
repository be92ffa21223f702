import countryToCurrency from 'country-to-currency';

declare global {
  namespace Intl {
    interface Locale {
      /** Node 24 has it; TypeScript does not know it yet. Undefined for a locale without a region. */
      getTimeZones?(): string[] | undefined;
    }
  }
}

interface Country {
  /** ISO 3166-1 alpha-2. */
  readonly code: string;
  readonly name: string;
}

/** What a store of a country usually has. */
interface Usual {
  readonly country: string;
  /** IANA names; more than one where the country has several. */
  readonly timezones: readonly string[];
  readonly currency: string;
}

const NAMES = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
const CURRENCY_NAMES = new Intl.DisplayNames('en', { type: 'currency' });
const CURRENCIES: Readonly<Record<string, string>> = countryToCurrency;

/** The countries by name. Those that have a time zone of their own are listed. */
export const COUNTRIES: readonly Country[] = Object.keys(CURRENCIES)
  .flatMap((code) => {
    const name = NAMES.of(code);
    // Codes of countries that no longer exist stand for their successors.
    const isCurrent = new Intl.Locale('und', { region: code }).region === code;
    return name === undefined || !isCurrent || timezonesOf(code).length === 0 ? [] : [{ code, name }];
  })
  .sort((one, other) => one.name.localeCompare(other.name, 'en'));

/** Null where there is no such country. */
export function usualOf(code: string): Usual | null {
  const country = COUNTRIES.find((each) => each.code === code);
  const currency = CURRENCIES[code];
  if (country === undefined || currency === undefined) return null;
  return { country: country.name, timezones: timezonesOf(code), currency };
}

function timezonesOf(code: string): readonly string[] {
  return new Intl.Locale('und', { region: code }).getTimeZones?.() ?? [];
}

/** All time zones that Node knows. */
export function timezones(): readonly string[] {
  return [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])];
}

export function currencies(): readonly { readonly code: string; readonly name: string }[] {
  return Intl.supportedValuesOf('currency').map((code) => ({ code, name: CURRENCY_NAMES.of(code) ?? code }));
}
