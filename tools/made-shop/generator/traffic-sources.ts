import { dateText, dayOf } from './calendar.ts';
import { at, cumulative, type RandomStream } from './random-stream.ts';
import type { World } from './world.ts';

/** From where a session came. `channel` is what the definition S-CHANNEL makes of it. */
export type Source = {
  channel: Channel;
  source: string | null;
  medium: string | null;
  campaign: string | null;
  referrer_host: string | null;
  click_id_kind: 'gclid' | 'fbclid' | 'sclid' | null;
  /** Hundredths of CZK; null when clicks cost nothing. */
  cost_per_click: number | null;
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

/** What a visit is for: the first or one between on the way to an order, the one that ends in it, just looking. */
type Role = 'opens' | 'closes' | 'browses';

export type TrafficSources = {
  /** A source by role, day and whether the visitor has bought before; newsletters and text messages bring only those. */
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
    cost_per_click: null,
    isForCustomers: false,
    active: null,
    ...rest,
  };
}

const fromGoogle = { referrer_host: 'www.google.com', click_id_kind: 'gclid' } as const;
const fromFacebook = { referrer_host: 'l.facebook.com', click_id_kind: 'fbclid' } as const;
const fromInstagram = { referrer_host: 'l.instagram.com', click_id_kind: 'fbclid' } as const;

export const direct = offer('Direct', null, null, null, [10, 42, 24]);
export const organicSearch = offer('Organic Search', 'google', 'organic', null, [30, 17, 28], {
  referrer_host: 'www.google.com',
});
/** Opens many ways to an order and closes next to none: journeys.ts puts it there. */
export const socialProspecting = offer(
  'Paid Social',
  'facebook',
  'paid_social',
  'prospecting',
  [0, 0.5, 3.5],
  { ...fromFacebook, cost_per_click: 4_000 },
);
/** Back from paying; not a source that brings anybody, so it is in no weight. */
export const paymentGateway = offer('Internal', 'gw.gopay.com', 'referral', null, [0, 0, 0], {
  referrer_host: 'gw.gopay.com',
});
/** Bots that want their address in the shop's reports. */
export const ghostReferral = offer('Referral', 'free-visitors.example.net', 'referral', null, [0, 0, 0], {
  referrer_host: 'free-visitors.example.net',
});

const offers: readonly Offer[] = [
  direct,
  organicSearch,
  offer('Organic Search', 'seznam', 'organic', null, [7, 4, 6], { referrer_host: 'search.seznam.cz' }),
  offer('Organic Search', 'bing', 'organic', null, [1.5, 1, 1.5], { referrer_host: 'www.bing.com' }),
  offer('Paid Search', 'google', 'cpc', 'brand-search', [3, 5, 1], { ...fromGoogle, cost_per_click: 4_500 }),
  offer('Paid Search', 'google', 'cpc', 'hiking-search', [5, 2, 5], { ...fromGoogle, cost_per_click: 9_500 }),
  offer('Paid Search', 'seznam', 'cpc', 'outdoor-search', [3, 1, 3], {
    referrer_host: 'search.seznam.cz',
    click_id_kind: 'sclid',
    cost_per_click: 8_500,
  }),
  offer('Paid Shopping', 'google', 'cpc', 'shopping-all', [5, 2, 4], {
    ...fromGoogle,
    cost_per_click: 9_000,
  }),
  offer('Cross-network', 'google', 'cpc', 'cross-network', [2, 1, 2], {
    ...fromGoogle,
    cost_per_click: 10_000,
  }),
  socialProspecting,
  offer('Paid Social', 'instagram', 'paid_social', 'reels-drop', [0, 0, 5], {
    ...fromInstagram,
    cost_per_click: 16_000,
    active: ['2025-09', '2026-05'],
  }),
  offer('Organic Social', 'instagram', 'social', null, [2, 0.8, 4], { referrer_host: 'l.instagram.com' }),
  offer('Organic Social', 'facebook', 'social', null, [1.5, 0.8, 2.5], { referrer_host: 'l.facebook.com' }),
  offer('Organic Video', 'youtube.com', 'referral', null, [1, 0.2, 1.5], {
    referrer_host: 'www.youtube.com',
  }),
  offer('Email', 'newsletter', 'email', 'weekly-tips', [3, 9, 0.8], { isForCustomers: true }),
  offer('Email', 'newsletter', 'email', 'sale-alert', [0.5, 6, 0.3], { isForCustomers: true }),
  offer('SMS', 'sms', 'sms', 'flash-sale', [0.3, 1.5, 1], { isForCustomers: true }),
  offer('Price comparison', 'heureka.cz', 'product', null, [5, 4, 4.5], {
    referrer_host: 'www.heureka.cz',
    cost_per_click: 4_500,
  }),
  offer('Price comparison', 'zbozi.cz', 'product', null, [3, 2, 2.5], {
    referrer_host: 'www.zbozi.cz',
    cost_per_click: 5_000,
  }),
  offer(
    'AI assistants',
    'chatgpt.com',
    'referral',
    null,
    [
      [0.1, 4],
      [0.05, 2],
      [0.1, 5],
    ],
    {
      referrer_host: 'chatgpt.com',
    },
  ),
  offer(
    'AI assistants',
    'perplexity.ai',
    'referral',
    null,
    [
      [0, 0.8],
      [0, 0.3],
      [0, 0.8],
    ],
    {
      referrer_host: 'www.perplexity.ai',
    },
  ),
  offer('Referral', 'trail-notes.example.org', 'referral', null, [2, 0.7, 2.5], {
    referrer_host: 'trail-notes.example.org',
  }),
  offer('Referral', 'hut-to-hut.example.com', 'referral', null, [1, 0.4, 1.5], {
    referrer_host: 'hut-to-hut.example.com',
  }),
  offer('Affiliates', 'outdoor-partners', 'affiliate', null, [1.5, 1.5, 2.2], {
    referrer_host: 'go.outdoor-partners.example.com',
  }),
  // Somebody tagged a leaflet by their own rules.
  offer('Unassigned', 'flyer', 'qr-code', 'trade-fair', [0.2, 0, 0.3]),
];
