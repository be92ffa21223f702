/** Truths planted on the traffic. Who comes from where is weighed in traffic-sources.ts and journeys.ts. */
export const plantedTraffic = {
  /** A day with about six times the usual sessions, none of them flagged. */
  anomaly: { date: '2026-05-14' },
  /** Days on which bots come in crowds; the first is the worst. */
  botDays: ['2026-02-10', '2025-01-21', '2025-06-03', '2025-09-17', '2026-07-08'],
  /** The channel, beside Direct, whose last clicks bring most revenue. */
  bestChannel: 'Organic Search',
  /** The channel whose sessions end in an order most often. */
  bestConversion: 'Email',
  /** The channel that stands first far more often than last. */
  assistingChannel: 'Paid Social',
  /** The most frequent way to an order over three different channels. */
  typicalJourney: ['Paid Social', 'Organic Search', 'Direct'],
  /** Most and least revenue by last click for the money spent. */
  bestCampaign: 'brand-search',
  worstCampaign: 'reels-drop',
  growingSource: 'chatgpt.com',
} as const;
