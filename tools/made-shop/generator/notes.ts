import { broken } from '../texts/automations.ts';
import { dateText } from './calendar.ts';
import { plantedTraffic } from './planted-traffic.ts';
import { blackFriday } from './rhythm.ts';
import type { CalendarEventRow } from './tables.ts';

/**
 * What the merchant noted of days on which something planted happened, so that trends tell it beside the
 * numbers.
 */
export function makeNotes(): CalendarEventRow[] {
  return [
    ...['2024', '2025'].map((year) => ({
      first_date: dateText(blackFriday(year) - 3),
      last_date: dateText(blackFriday(year) + 3),
      name: `Black Friday: −20 % s kódem BLACK${year}`,
      kind: 'price_change' as const,
    })),
    {
      ...{ first_date: plantedTraffic.anomaly.date, last_date: null },
      ...{ name: 'Reportáž o nás ve večerních zprávách', kind: 'tv' as const },
    },
    {
      ...{ first_date: '2026-09-01', last_date: null },
      ...{ name: 'Newslettery chodí z nové domény', kind: 'site_change' as const },
    },
    {
      ...{ first_date: broken.date, last_date: null },
      ...{ name: 'Nová šablona opuštěného košíku', kind: 'site_change' as const },
    },
  ];
}
