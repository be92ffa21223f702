import { dateText, dayOf } from './calendar.ts';
import { at, cumulative, type RandomStream } from './random-stream.ts';
import type { World } from './world.ts';

/** The place from which a session came. `channel` is what the definition S-CHANNEL makes of it. */
export type Source = {
  channel: Channel;
  source: string | null;
  medium: string | null;
  campaign: string | null;
  referrer_host: string | null;
  click_id_kind: 'gclid' | 'fbclid' | 'sclid' | null;
  /** Hundredths of CZK; null when clicks cost nothing. */
  cost_per_click: number | null;
  /** Clicks of those who see the advertisement. */
  click_rate: number;
};

export type Channel =
  | 'AI assistants'
  | 'Affiliates'
  | 'Cross-network'
  | 'Direct'
  | 'Email'
  | 'Internal'
  | 'Organic Search'
  | 'Organic Social'
  | 'Organic Video'
  | 'Paid Search'
  | 'Paid Shopping'
  | 'Paid Social'
  | 'Price comparison'
  | 'Referral'
  | 'SMS'
  | 'Unassigned';

/**
 * What a visit is for: the first or one between on the way to an order, the one that ends in it, just
 * looking.
 */
type Role = 'opens' | 'closes' | 'browses';

export type TrafficSources = {
  /**
   * A source by role, day and whether the visitor has bought before; newsletters and text messages bring only
   * those.
   */
  draw(stream: RandomStream, role: Role, day: number, isCustomer: boolean): Source;
};

/** Weights at the first and the last day of the history, between them a line. */
type Weight = number | readonly [number, number];

type Offer = Source & {
  weights: Record<Role, Weight>;
  isForCustomers: boolean;
  /** First and last month; outside of them it brings nobody. */
  active: readonly [string, string] | null;
};

export function makeTrafficSources(world: World): TrafficSources {
  const cache = new Map<string, number[]>();
  return {
    draw: (stream, role, day, isCustomer) => {
      const month = dateText(day).slice(0, 7);
      const key = `${role} ${month} ${isCustomer}`;
      let weights = cache.get(key);
      if (weights === undefined) {
        weights = cumulative(offers.map((offer) => weightIn(world, month, offer, role, isCustomer)));
        cache.set(key, weights);
      }
      return at(offers, stream.index(weights));
    },
  };
}

function weightIn(
  { firstDay, lastDay }: World,
  month: string,
  { weights, isForCustomers, active }: Offer,
  role: Role,
  isCustomer: boolean,
): number {
  if (isForCustomers && !isCustomer) return 0;
  if (active !== null && (month < active[0] || month > active[1])) return 0;
  const weight = weights[role];
  if (typeof weight === 'number') return weight;
  const share = (dayOf(`${month}-15`) - firstDay) / (lastDay - firstDay);
  return weight[0] + (weight[1] - weight[0]) * share;
}

function offer(
  channel: Channel,
  source: string | null,
  medium: string | null,
  campaign: string | null,
  [opens, closes, browses]: readonly [Weight, Weight, Weight],
  rest: Partial<Omit<Offer, 'weights'>> = {},
): Offer {
  return {
    channel,
    source,
    medium,
    campaign,
    weights: { opens, closes, browses },
    referrer_host: null,
    click_id_kind: null,
    ...{ cost_per_click: null, click_rate: 0.01 },
    isForCustomers: false,
    active: null,
    ...rest,
  };
}

const fromGoogle = { referrer_host: 'www.google.com', click_id_kind: 'gclid' } as const;
const fromFacebook = { referrer_host: 'l.facebook.com', click_id_kind: 'fbclid' } as const;
const fromInstagram = { referrer_host: 'l.instagram.com', click_id_kind: 'fbclid' } as const;

export const direct = offer('Direct', null, null, null, [8, 22, 680]);
export const organicSearch = offer('Organic Search', 'google', 'organic', null, [30, 26, 860], {
  referrer_host: 'www.google.com',
});
/** Opens many ways to an order and closes few: journeys.ts puts it there. */
export const socialProspecting = offer(
  'Paid Social',
  'facebook',
  'paid_social',
  'prospecting',
  [0, 1.5, 100],
  {
    ...fromFacebook,
    ...{ cost_per_click: 1_290, click_rate: 0.012 },
  },
);
/** Back from paying; not a source that brings anybody, so it is in no weight. */
export const paymentGateway = offer('Internal', 'gw.gopay.com', 'referral', null, [0, 0, 0], {
  referrer_host: 'gw.gopay.com',
});
/** Bots that want their address in the shop's reports. */
export const ghostReferral = offer('Referral', 'free-visitors.example.net', 'referral', null, [0, 0, 0], {
  referrer_host: 'free-visitors.example.net',
});

/**
 * The sources of those who only look, in such numbers that each source ends in an order as often as it does
 * in real shops: closes / browses is about the conversion. Messages bring those who click on them
 * (marketing/mail-visits.ts).
 */
const offers: readonly Offer[] = [
  direct,
  organicSearch,
  offer('Organic Search', 'seznam', 'organic', null, [7, 4, 100], { referrer_host: 'search.seznam.cz' }),
  offer('Organic Search', 'bing', 'organic', null, [1.5, 1, 25], { referrer_host: 'www.bing.com' }),
  offer('Paid Search', 'google', 'cpc', 'brand-search', [3, 8, 80], {
    ...fromGoogle,
    ...{ cost_per_click: 400, click_rate: 0.31 },
  }),
  offer('Paid Search', 'google', 'cpc', 'hiking-search', [5, 9, 380], {
    ...fromGoogle,
    ...{ cost_per_click: 1_440, click_rate: 0.045 },
  }),
  offer('Paid Search', 'seznam', 'cpc', 'outdoor-search', [3, 4, 180], {
    referrer_host: 'search.seznam.cz',
    click_id_kind: 'sclid',
    ...{ cost_per_click: 1_250, click_rate: 0.035 },
  }),
  offer('Paid Shopping', 'google', 'cpc', 'shopping-all', [5, 13, 560], {
    ...fromGoogle,
    ...{ cost_per_click: 1_400, click_rate: 0.011 },
  }),
  offer('Cross-network', 'google', 'cpc', 'cross-network', [2, 5, 250], {
    ...fromGoogle,
    ...{ cost_per_click: 1_300, click_rate: 0.008 },
  }),
  socialProspecting,
  offer('Paid Social', 'instagram', 'paid_social', 'reels-drop', [0, 0.25, 60], {
    ...fromInstagram,
    ...{ cost_per_click: 1_430, click_rate: 0.009 },
    active: ['2025-09', '2026-05'],
  }),
  offer('Organic Social', 'instagram', 'social', null, [2, 0.8, 80], { referrer_host: 'l.instagram.com' }),
  offer('Organic Social', 'facebook', 'social', null, [1.5, 0.8, 60], { referrer_host: 'l.facebook.com' }),
  offer('Organic Video', 'youtube.com', 'referral', null, [1, 0.2, 25], {
    referrer_host: 'www.youtube.com',
  }),
  offer('Email', 'newsletter', 'email', 'weekly-tips', [0, 5, 0], { isForCustomers: true }),
  offer('SMS', 'sms', 'sms', 'flash-sale', [0, 0.2, 0], { isForCustomers: true }),
  offer('Price comparison', 'heureka.cz', 'product', null, [5, 6, 160], {
    referrer_host: 'www.heureka.cz',
    ...{ cost_per_click: 650, click_rate: 0.05 },
  }),
  offer('Price comparison', 'zbozi.cz', 'product', null, [3, 3, 80], {
    referrer_host: 'www.zbozi.cz',
    ...{ cost_per_click: 600, click_rate: 0.05 },
  }),
  offer(
    'AI assistants',
    'chatgpt.com',
    'referral',
    null,
    [
      [0.1, 4],
      [0.05, 2],
      [4, 110],
    ],
    { referrer_host: 'chatgpt.com' },
  ),
  offer(
    'AI assistants',
    'perplexity.ai',
    'referral',
    null,
    [
      [0, 0.8],
      [0, 0.3],
      [0, 16],
    ],
    { referrer_host: 'www.perplexity.ai' },
  ),
  offer('Referral', 'trail-notes.example.org', 'referral', null, [2, 0.7, 40], {
    referrer_host: 'trail-notes.example.org',
  }),
  offer('Referral', 'hut-to-hut.example.com', 'referral', null, [1, 0.4, 22], {
    referrer_host: 'hut-to-hut.example.com',
  }),
  offer('Affiliates', 'outdoor-partners', 'affiliate', null, [1.5, 1.5, 40], {
    referrer_host: 'go.outdoor-partners.example.com',
  }),
  // Somebody tagged a leaflet by their own rules.
  offer('Unassigned', 'flyer', 'qr-code', 'trade-fair', [0.2, 0, 4]),
];
