import { dayOf, momentOf } from './calendar.ts';

/** Truths planted on the traffic. Who comes from where is weighed in traffic-sources.ts and journeys.ts. */
export const plantedTraffic = {
  /** A day with about four times the usual sessions, all without the flag of a bot. */
  anomaly: { date: '2026-05-14' },
  /** Days on which bots come in crowds; the first is the worst. */
  botDays: ['2026-02-10', '2025-01-21', '2025-06-03', '2025-09-17', '2026-07-08'],
  /** The channel, beside Direct, whose last clicks bring most revenue. */
  bestChannel: 'Organic Search',
  /** The channel that stands first far more often than last. */
  assistingChannel: 'Paid Social',
  /** The most frequent way to an order over three different channels. */
  typicalJourney: ['Paid Social', 'Organic Search', 'Direct'],
  /** Most and least revenue by last click for the money spent. */
  bestCampaign: 'brand-search',
  worstCampaign: 'reels-drop',
  /** The night in which the shop's tracking was broken: no visit is known, and the orders have none. */
  brokenNight: { date: '2026-03-18', from_hour: 21, hours: 10 },
  growingSource: 'chatgpt.com',
} as const;

/**
 * Whether a visit is known. In the broken night no visit is, except those in which somebody registers, which
 * the shop itself reports.
 */
export function isTracked({
  at,
  end,
  isRegistration,
}: {
  at: number;
  end: number;
  isRegistration: boolean;
}): boolean {
  const { date, from_hour, hours } = plantedTraffic.brokenNight;
  const broke_at = momentOf(dayOf(date), from_hour * 3_600);
  return isRegistration || at > broke_at + hours * 3_600 || end < broke_at;
}
