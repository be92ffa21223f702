import { Temporal } from 'temporal-polyfill';
import { COUNTRIES, currencies, usualOf } from '../business/countries.ts';

/** What files tell of the store that they come from. */
export interface StoreClues {
  /** The currency of most orders; null where none has one. */
  readonly currency: string | null;
  /** The country of most orders, as they have it: `DE`, `Germany`. Null where none has one. */
  readonly country: string | null;
  /**
   * Times as the files write them with their offset, `2026-03-05 15:40:14 +0100`; some of each month are
   * enough.
   */
  readonly moments: readonly string[];
}

export interface ProposedStore {
  readonly timezone: string | null;
  readonly primary_currency: string | null;
}

/**
 * The currency and the time zone that a store has, as far as its files tell. Of several zones whose clocks
 * agree with the times, it is one of the country where most orders go, else of a country with that currency,
 * and of these the one of a large city.
 *
 * @example proposedStore({ currency: 'USD', country: 'US', moments: ['2026-01-05 10:00:00 -0500', '2026-07-05
 *   10:00:00 -0400'] }); // { timezone: 'America/New_York', primary_currency: 'USD' }
 */
export function proposedStore({ currency, country, moments }: StoreClues): ProposedStore {
  const primary_currency = currencies().some(({ code }) => code === currency) ? currency : null;
  return {
    timezone: timezoneOf(codeOf(country), primary_currency, moments.flatMap(readMoment)),
    primary_currency,
  };
}

interface Moment {
  readonly instant: Temporal.Instant;
  readonly offset: string;
}

function timezoneOf(
  country: string | null,
  currency: string | null,
  moments: readonly Moment[],
): string | null {
  const usual = country === null ? null : usualOf(country);
  const ofCountry = (usual?.timezones ?? []).toSorted(byCity);
  const isHere = (zone: string) => moments.every((moment) => isThere(zone, moment));
  // Exports in UTC say nothing of where the shop is.
  if (moments.some(({ offset }) => offset !== '+00:00'))
    return ofCountry.find(isHere) ?? zonesOfCurrency(currency).find(isHere) ?? null;
  if (usual?.currency === currency && ofCountry.length === 1) return ofCountry[0] ?? null;
  const [single = null, ...others] = zonesOfCurrency(currency);
  return others.length === 0 ? single : null;
}

function zonesOfCurrency(currency: string | null): readonly string[] {
  const usual = COUNTRIES.map(({ code }) => usualOf(code)).filter((each) => each?.currency === currency);
  return [...new Set(usual.flatMap((each) => each?.timezones ?? []))].sort(byCity);
}

/**
 * Several zones have the same clocks. These are the ones where most people of a country live, or most of its
 * shops are.
 */
const CITIES: readonly string[] = [
  ...['America/New_York', 'America/Chicago', 'America/Denver', 'America/Los_Angeles', 'America/Phoenix'],
  ...['America/Toronto', 'America/Vancouver', 'America/Edmonton', 'America/Winnipeg', 'America/Halifax'],
  ...['Europe/Berlin', 'Europe/Paris', 'Europe/Madrid', 'Europe/Rome', 'Europe/Lisbon', 'Europe/Athens'],
  ...['Europe/Moscow', 'Europe/Kiev', 'Europe/Kyiv', 'Asia/Shanghai', 'Asia/Jakarta', 'Asia/Almaty'],
  ...['Australia/Sydney', 'Australia/Brisbane', 'Australia/Adelaide', 'Australia/Perth', 'Pacific/Auckland'],
  ...['America/Sao_Paulo', 'America/Mexico_City', 'America/Argentina/Buenos_Aires', 'America/Buenos_Aires'],
  ...['America/Santiago', 'Europe/London', 'Europe/Zurich', 'Europe/Oslo', 'Europe/Copenhagen'],
];

function byCity(one: string, other: string): number {
  const place = (zone: string) => (CITIES.includes(zone) ? CITIES.indexOf(zone) : CITIES.length);
  return place(one) - place(other);
}

function codeOf(country: string | null): string | null {
  const wanted = country?.trim().toLowerCase();
  const found = COUNTRIES.find(
    ({ code, name }) => code.toLowerCase() === wanted || name.toLowerCase() === wanted,
  );
  return found?.code ?? null;
}

const MOMENT = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d)?)(?:\.\d+)? ?([+-]\d\d):?(\d\d)$/;

function readMoment(text: string): readonly Moment[] {
  const [, day, time, hours, minutes] = MOMENT.exec(text.trim()) ?? [];
  if (day === undefined) return [];
  const offset = `${hours}:${minutes}`.replace('-00:00', '+00:00');
  try {
    return [{ instant: Temporal.Instant.from(`${day}T${time}${offset}`), offset }];
  } catch {
    // No such time, as on the 30th of February.
    return [];
  }
}

function isThere(zone: string, { instant, offset }: Moment): boolean {
  return instant.toZonedDateTimeISO(zone).offset === offset;
}
