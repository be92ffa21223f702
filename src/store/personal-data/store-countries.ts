import { type CountryCode, getCountries, isSupportedCountry } from 'libphonenumber-js/max';

/**
 * The countries that a store's customers write their phone numbers for: of its time zone, then of its
 * currency, whose code begins with that of the country (CZK is of CZ, EUR of none).
 */
export function storeCountries(timezone: string | null, currency: string | null): CountryCode[] {
  const ofCurrency = currency?.slice(0, 2) ?? '';
  return [
    ...new Set([
      ...(timezone === null ? [] : countriesOfTimezone(timezone)),
      ...(isSupportedCountry(ofCurrency) ? [ofCurrency] : []),
    ]),
  ];
}

/**
 * The country that the store is in: the only one in its time zone, or the one of these that has its currency.
 * Without a time zone it is that of the currency. Null where these do not decide it.
 */
export function homeCountry(timezone: string | null, currency: string | null): string | null {
  const ofCurrency = currency?.slice(0, 2) ?? '';
  const countries = timezone === null ? [] : countriesOfTimezone(timezone);
  if (countries.some((country) => country === ofCurrency)) return ofCurrency;
  if (countries.length > 0) return countries.length === 1 ? (countries[0] ?? null) : null;
  return isSupportedCountry(ofCurrency) ? ofCurrency : null;
}

function countriesOfTimezone(timezone: string): readonly CountryCode[] {
  // Asia/Kolkata and Asia/Calcutta are one zone: the name that Node prefers is the one in its lists.
  const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: timezone }).resolvedOptions();
  countriesByTimezone ??= readCountries();
  return countriesByTimezone.get(timeZone) ?? [];
}

/** Kept, since asking for all takes some tens of milliseconds. */
let countriesByTimezone: ReadonlyMap<string, readonly CountryCode[]> | undefined;

function readCountries(): Map<string, CountryCode[]> {
  const countries = new Map<string, CountryCode[]>();
  for (const country of getCountries()) {
    for (const name of timezonesOf(country)) countries.set(name, [...(countries.get(name) ?? []), country]);
  }
  return countries;
}

/** The time zones of a country. Node has them since 24; the types of TypeScript do not know it yet. */
function timezonesOf(country: CountryCode): readonly string[] {
  const region = new Intl.Locale(`und-${country}`) as Intl.Locale & { getTimeZones(): string[] | undefined };
  return region.getTimeZones() ?? [];
}
