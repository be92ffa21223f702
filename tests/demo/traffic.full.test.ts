import { beforeAll, describe, expect, test } from 'vitest';
import type { OrderRow, SessionRow } from '../../tools/made-shop/generator/tables.ts';
import {
  customerOf,
  localDate,
  middle,
  moment,
  revenueOf,
  sum,
  units,
  validOrders,
  type WrittenShop,
  writeAndReadShop,
} from './written-shop.ts';

let shop: WrittenShop;
let byId: Map<string, SessionRow>;
let ordersOf: Map<string, OrderRow[]>;

beforeAll(async () => {
  shop = await writeAndReadShop(0.3);
  byId = new Map(shop.sessions.map((row) => [row.session_id, row]));
  ordersOf = Map.groupBy(
    shop.orders.filter((row) => row.session_id !== null),
    (row) => row.session_id ?? '',
  );
});

const isGateway = (row: SessionRow) => row.referrer_host === 'gw.gopay.com';

describe('sessions', () => {
  test('are each one, within the history, and none has an impossible number', () => {
    const { sessions } = shop;
    expect(byId.size).toBe(sessions.length);
    const wrong = sessions.filter((row) => {
      const duration_s = (moment(row.ended_at) - moment(row.started_at)) / 1_000;
      return !(
        moment(row.started_at) >= Date.parse('2024-10-01T00:00:00+02:00') &&
        moment(row.ended_at) <= Date.parse('2026-09-30T23:59:59+02:00') &&
        duration_s >= 0 &&
        row.engagement_s >= 0 &&
        row.engagement_s <= duration_s &&
        Number.isInteger(row.page_views) &&
        row.page_views >= 1
      );
    });
    expect(wrong).toEqual([]);
  });

  test('are 30 minutes apart for one visitor, except on the way back from paying', () => {
    for (const rows of Map.groupBy(shop.sessions, (row) => row.visitor_id).values()) {
      rows.sort((a, b) => moment(a.started_at) - moment(b.started_at));
      for (const [index, row] of rows.slice(1).entries()) {
        const previous = rows[index] as SessionRow;
        const gap_s = (moment(row.started_at) - moment(previous.ended_at)) / 1_000;
        expect(gap_s, row.session_id).toBeGreaterThanOrEqual(isGateway(row) ? 0 : 1_800);
      }
    }
  });

  test('hold all product events of their visitor, and the cart follows from these', () => {
    const strange = shop.events.filter((event) => {
      const session = byId.get(event.session_id);
      return !(
        session !== undefined &&
        session.visitor_id === event.visitor_id &&
        moment(session.started_at) <= moment(event.at) &&
        moment(event.at) <= moment(session.ended_at)
      );
    });
    expect(strange).toEqual([]);
    const carts = new Set(
      shop.events.filter((event) => event.kind === 'add_to_cart').map((event) => event.session_id),
    );
    expect(shop.sessions.filter((row) => row.cart !== carts.has(row.session_id))).toEqual([]);
    const views = Map.groupBy(
      shop.events.filter((event) => event.kind === 'view'),
      (event) => event.session_id,
    );
    const tooFewPages = shop.sessions.filter(
      (row) => row.page_views < Math.max(1, views.get(row.session_id)?.length ?? 0),
    );
    expect(tooFewPages).toEqual([]);
  });

  test('belong to a visitor of their profile, or with an address alone to a guest', () => {
    const visitors = new Map(
      shop.identities.filter((row) => row.kind === 'visitor').map((row) => [row.value, row.profile_id]),
    );
    const named = shop.sessions.filter((row) => row.profile_id !== null);
    expect(named.filter((row) => visitors.get(row.visitor_id) !== row.profile_id)).toEqual([]);
    expect(named.length).toBeGreaterThan(shop.sessions.length * 0.03);
    const known = new Set(shop.profiles.map((row) => row.email));
    const guests = shop.sessions.filter((row) => row.email !== null);
    expect(guests.length).toBeGreaterThan(20);
    expect(guests.filter((row) => known.has(row.email ?? '') || visitors.has(row.visitor_id))).toEqual([]);
    expect(guests.filter((row) => !/@example\.(com|org)$/.test(row.email ?? ''))).toEqual([]);
  });

  test('are of customers with several browsers and of strangers who never buy', () => {
    const browsers = Map.groupBy(
      shop.identities.filter((row) => row.kind === 'visitor'),
      (row) => row.profile_id,
    );
    expect([...browsers.values()].some((rows) => rows.length >= 3)).toBe(true);
    const known = new Set(shop.identities.map((row) => row.value));
    const buyers = new Set(shop.orders.map((row) => row.visitor_id));
    const strangers = shop.sessions.filter(
      (row) => !row.suspected_bot && !known.has(row.visitor_id) && !buyers.has(row.visitor_id),
    );
    expect(strangers.length).toBeGreaterThan(shop.sessions.length * 0.2);
    // Cookies that were lost and never known again, though a customer is behind them.
    const lost = shop.orders.filter((row) => row.visitor_id !== null && !known.has(row.visitor_id));
    expect(lost.some((row) => row.profile_id !== null)).toBe(true);
  });

  test('suspected to be bots have nobody before the screen and no order', () => {
    const bots = shop.sessions.filter((row) => row.suspected_bot);
    expect(bots.length).toBe(shop.truth.traffic.suspected_bot_sessions_count);
    const alive = bots.filter(
      (row) => row.engagement_s > 0 || row.cart || row.profile_id !== null || ordersOf.has(row.session_id),
    );
    expect(alive).toEqual([]);
    expect(bots.some((row) => row.page_views > 100)).toBe(true);
  });
});

describe('orders', () => {
  test('lie in the session that they name, which reached the checkout', () => {
    const strange = shop.orders.filter((row) => {
      if (row.session_id === null) return false;
      const session = byId.get(row.session_id);
      return !(session !== undefined && isIn(row, session) && session.checkout);
    });
    expect(strange).toEqual([]);
  });

  test('name their session mostly, some only their visitor, some nobody', () => {
    const sessionsOf = Map.groupBy(shop.sessions, (row) => row.visitor_id);
    const onlyVisitor = shop.orders.filter((row) => row.visitor_id !== null && row.session_id === null);
    const inNone = onlyVisitor.filter(
      (row) => !sessionsOf.get(row.visitor_id ?? '')?.some((session) => isIn(row, session)),
    );
    // A night of them has no visits.
    expect(inNone.length).toBeLessThanOrEqual(8);
    const share = (count: number) => (100 * count) / shop.orders.length;
    expect(share(onlyVisitor.length)).toBeGreaterThan(4);
    expect(share(onlyVisitor.length)).toBeLessThan(12);
    const ofNobody = shop.orders.filter((row) => row.visitor_id === null);
    expect(ofNobody.filter((row) => row.session_id !== null)).toEqual([]);
    // A third refuse to be followed, and some order on the telephone.
    expect(share(ofNobody.length)).toBeGreaterThan(27);
    expect(share(ofNobody.length)).toBeLessThan(38);
  });

  test('come back from the payment gateway into a session of their own, after one with the cart', () => {
    const returned = shop.sessions.filter(isGateway);
    expect(returned.length).toBeGreaterThan(50);
    for (const row of returned) {
      const before = shop.sessions.filter(
        (other) =>
          other.visitor_id === row.visitor_id &&
          other.cart &&
          moment(row.started_at) - moment(other.ended_at) < 30 * 60_000 &&
          moment(row.started_at) >= moment(other.ended_at),
      );
      expect(before, row.session_id).toHaveLength(1);
    }
  });

  function isIn(order: OrderRow, session: SessionRow): boolean {
    return (
      session.visitor_id === order.visitor_id &&
      moment(session.started_at) <= moment(order.ordered_at) &&
      moment(order.ordered_at) <= moment(session.ended_at)
    );
  }
});

describe('ad costs', () => {
  const paid = /^(cpc|paid_social|product)$/;
  const key = (day: string, source: string | null, medium: string | null, campaign: string | null) =>
    [day, source, medium, campaign ?? ''].join('/');

  test('are of every day, source and campaign with paid sessions, with a click for each of these', () => {
    const rows = new Map(
      shop.adCosts.map((row) => [key(row.day, row.source, row.medium, row.campaign), row]),
    );
    expect(rows.size).toBe(shop.adCosts.length);
    const sessions = Map.groupBy(
      shop.sessions.filter((row) => paid.test(row.medium ?? '')),
      (row) => key(localDate(row.started_at), row.source, row.medium, row.campaign),
    );
    expect([...sessions.keys()].sort()).toEqual([...rows.keys()].sort());
    for (const [name, row] of rows) {
      expect(row.clicks, name).toBeGreaterThanOrEqual(sessions.get(name)?.length ?? 0);
      expect(row.impressions, name).toBeGreaterThan(row.clicks);
      expect(Number(row.cost), name).toBeGreaterThan(0);
    }
  });
});

describe('truths of the traffic', () => {
  type Journey = { order: OrderRow; before: SessionRow[]; sincePrevious: SessionRow[] };
  let human: SessionRow[];
  let channels: Map<SessionRow, string>;
  let journeys: Journey[];

  beforeAll(() => {
    human = joinDetours(shop.sessions.filter((row) => !row.suspected_bot));
    const customer = customerOf(shop);
    const owners = new Map<string, string>();
    for (const order of shop.orders)
      if (order.visitor_id !== null) owners.set(order.visitor_id, customer(order));
    for (const row of shop.identities) if (row.kind === 'visitor') owners.set(row.value, row.profile_id);
    const byOwner = Map.groupBy(human, (row) => owners.get(row.visitor_id) ?? row.visitor_id);
    channels = new Map();
    for (const rows of byOwner.values()) {
      rows.sort((a, b) => moment(a.started_at) - moment(b.started_at));
      for (const [index, row] of rows.entries()) {
        const previous = rows[index - 1];
        channels.set(
          row,
          isGateway(row) && previous !== undefined ? (channels.get(previous) ?? '') : channelOf(row),
        );
      }
    }
    const previous = new Map<string, number>();
    journeys = validOrders(shop).map((order) => {
      const at = moment(order.ordered_at);
      const owner = customer(order);
      const before = (byOwner.get(owner) ?? []).filter((row) => {
        const age = at - moment(row.started_at);
        return age >= 0 && age <= 30 * 86_400_000;
      });
      const since = previous.get(owner) ?? 0;
      previous.set(owner, at);
      return { order, before, sincePrevious: before.filter((row) => moment(row.started_at) > since) };
    });
  });

  /** Who comes back from the payment gateway goes on with the visit before. */
  function joinDetours(rows: readonly SessionRow[]): SessionRow[] {
    const inTime = rows.toSorted((a, b) => moment(a.started_at) - moment(b.started_at));
    const visits: SessionRow[] = [];
    const latest = new Map<string, number>();
    for (const row of inTime) {
      const place = latest.get(row.visitor_id);
      const before = place === undefined ? undefined : visits[place];
      if (isGateway(row) && place !== undefined && before !== undefined) {
        visits[place] = { ...before, ended_at: row.ended_at };
      } else {
        latest.set(row.visitor_id, visits.length);
        visits.push(row);
      }
    }
    return visits;
  }

  const revenueByLastClick = (of: (session: SessionRow) => string | null) => {
    const revenue = new Map<string, bigint>();
    for (const { order, before } of journeys) {
      const last = before.filter((row) => channels.get(row) !== 'Direct' && !isGateway(row)).at(-1);
      const name = last === undefined ? null : of(last);
      if (name !== null) revenue.set(name, (revenue.get(name) ?? 0n) + revenueOf(order));
    }
    return [...revenue].sort(([, a], [, b]) => (a < b ? 1 : -1));
  };

  test('sessions, and orders that nobody saw coming', () => {
    const { sessions_count, untracked_orders } = shop.truth.traffic;
    expect(human.length).toBe(sessions_count);
    const untracked = journeys.filter(({ before }) => before.length === 0);
    expect(untracked.length).toBe(untracked_orders.orders_count);
    expect(sum(untracked.map(({ order }) => revenueOf(order)))).toBe(units(untracked_orders.revenue));
    const share = (100 * untracked.length) / journeys.length;
    expect(share).toBeGreaterThan(15);
    expect(share).toBeLessThan(35);
  });

  test('best channel by last click, with a clear margin', () => {
    const { channel, last_click_revenue, orders_count } = shop.truth.traffic.best_channel;
    const [best, second] = revenueByLastClick((row) => channels.get(row) ?? '');
    expect(best).toEqual([channel, units(last_click_revenue)]);
    expect(Number(best?.[1])).toBeGreaterThan(1.5 * Number(second?.[1]));
    const credited = journeys.filter(({ before }) => {
      const last = before.filter((row) => channels.get(row) !== 'Direct' && !isGateway(row)).at(-1);
      return last !== undefined && channels.get(last) === channel;
    });
    expect(credited.length).toBe(orders_count);
  });

  test('the channel that assists and does not close', () => {
    const { channel, first_click_revenue, last_click_revenue } = shop.truth.traffic.assisting_channel;
    const first = journeys.filter(
      ({ before }) => before[0] !== undefined && channels.get(before[0]) === channel,
    );
    expect(sum(first.map(({ order }) => revenueOf(order)))).toBe(units(first_click_revenue));
    const last = revenueByLastClick((row) => channels.get(row) ?? '').find(([name]) => name === channel);
    expect(last?.[1] ?? 0n).toBe(units(last_click_revenue));
    expect(units(first_click_revenue)).toBeGreaterThan(3n * units(last_click_revenue));
  });

  test('the channel whose sessions end in an order most often', () => {
    const { channel, sessions_count, converting_sessions_count } = shop.truth.traffic.best_conversion;
    const valid = validOrders(shop);
    const byVisitor = Map.groupBy(valid, (row) => row.visitor_id ?? '');
    // The moment decides: orders that do not name their session lie in one, too.
    const converts = (row: SessionRow) =>
      (byVisitor.get(row.visitor_id) ?? []).some(
        (order) =>
          moment(order.ordered_at) >= moment(row.started_at) &&
          moment(order.ordered_at) <= moment(row.ended_at),
      );
    const rates = [...Map.groupBy(human, (row) => channels.get(row) ?? '')]
      .filter(([, rows]) => rows.length >= human.length * 0.004)
      .map(([name, rows]) => ({ name, count: rows.length, converting: rows.filter(converts).length }))
      .sort((a, b) => b.converting / b.count - a.converting / a.count);
    expect(rates[0]).toEqual({ name: channel, count: sessions_count, converting: converting_sessions_count });
  });

  test('the typical way to an order', () => {
    const { path, journeys_count } = shop.truth.traffic.typical_journey;
    const paths = journeys
      .map(({ sincePrevious }) => {
        const names: string[] = [];
        for (const row of sincePrevious)
          if (channels.get(row) !== names.at(-1)) names.push(channels.get(row) ?? '');
        return names;
      })
      .filter((names) => names.length === 3);
    const counts = [...Map.groupBy(paths, (names) => names.join())].map(([name, same]) => ({
      name,
      count: same.length,
    }));
    counts.sort((a, b) => b.count - a.count);
    expect(counts[0]).toEqual({ name: path.join(), count: journeys_count });
    expect(journeys_count).toBeGreaterThan(3 * (counts[1]?.count ?? 0));
  });

  test('the day that is not like others, and the worst day of bots', () => {
    const perDay = (rows: readonly SessionRow[]) =>
      new Map(
        [...Map.groupBy(rows, (row) => localDate(row.started_at))].map(([day, same]) => [day, same.length]),
      );
    const { date, sessions_count, usual_sessions_count } = shop.truth.traffic.anomaly_day;
    const days = perDay(human);
    const before = [7, 14, 21, 28, 35, 42, 49, 56].map((back) => {
      const day = new Date(Date.parse(date) - back * 86_400_000).toISOString().slice(0, 10);
      return days.get(day) ?? 0;
    });
    expect(days.get(date)).toBe(sessions_count);
    expect(middle(before)).toBe(usual_sessions_count);
    expect(sessions_count).toBeGreaterThan(4 * usual_sessions_count);
    expect(sessions_count).toBeLessThan(9 * usual_sessions_count);
    expect([...days].sort(([, a], [, b]) => b - a)[0]?.[0]).toBe(date);

    const bots = [...perDay(shop.sessions.filter((row) => row.suspected_bot))].sort(([, a], [, b]) => b - a);
    const worst = shop.truth.traffic.worst_bot_day;
    expect(bots[0]).toEqual([worst.date, worst.suspected_bot_sessions_count]);
  });

  test('a source that grows over the quarters', () => {
    const { source, sessions_by_quarter } = shop.truth.traffic.growing_source;
    const quarters = Map.groupBy(
      human.filter((row) => row.source === source),
      (row) => `${row.started_at.slice(0, 4)}-Q${Math.ceil(Number(row.started_at.slice(5, 7)) / 3)}`,
    );
    expect(sessions_by_quarter).toEqual(
      [...quarters].map(([quarter, rows]) => [quarter, rows.length]).sort(),
    );
    const counts = sessions_by_quarter.map(([, count]) => count);
    expect(counts.at(-1)).toBeGreaterThan(5 * (counts[0] ?? 0));
  });

  test('the best and the worst campaign for the money', () => {
    const revenue = new Map(revenueByLastClick((row) => row.campaign));
    const returns = [...Map.groupBy(shop.adCosts, (row) => row.campaign)]
      .filter(([campaign]) => campaign !== null)
      .map(([campaign, rows]) => {
        const ad_cost = sum(rows.map((row) => units(row.cost)));
        const earned = revenue.get(campaign ?? '') ?? 0n;
        return { campaign, ad_cost, earned, rate: Number(earned) / Number(ad_cost) };
      })
      .sort((a, b) => b.rate - a.rate);
    const { best_campaign, worst_campaign } = shop.truth.traffic;
    for (const [truth, found] of [
      [best_campaign, returns[0]],
      [worst_campaign, returns.at(-1)],
    ] as const) {
      expect(found?.campaign).toBe(truth.campaign);
      expect(found?.ad_cost).toBe(units(truth.ad_cost));
      expect(found?.earned).toBe(units(truth.last_click_revenue));
    }
    expect(returns.length).toBe(7);
    // Hundred-thousandths of revenue by hundredths of cost: 1000 is the money back.
    expect(returns.at(-1)?.rate).toBeLessThan(1_000);
    expect(returns[0]?.rate).toBeGreaterThan(5_000);
  });

  test('a campaign brings nobody outside of its months', () => {
    const months = shop.sessions
      .filter((row) => row.campaign === 'reels-drop')
      .map((row) => row.started_at.slice(0, 7));
    expect([...new Set(months)].sort()).toEqual([
      '2025-09',
      '2025-10',
      '2025-11',
      '2025-12',
      '2026-01',
      '2026-02',
      '2026-03',
      '2026-04',
      '2026-05',
    ]);
  });

  test('the mix of channels is that of a shop', () => {
    const counts = Map.groupBy(human, (row) => channels.get(row) ?? '');
    expect([...counts.keys()].sort()).toEqual([
      'AI assistants',
      'Affiliates',
      'Cross-network',
      'Direct',
      'Email',
      'Organic Search',
      'Organic Social',
      'Organic Video',
      'Paid Search',
      'Paid Shopping',
      'Paid Social',
      'Price comparison',
      'Referral',
      'SMS',
      'Unassigned',
    ]);
    const share = (name: string) => (100 * (counts.get(name)?.length ?? 0)) / human.length;
    for (const [name, low, high] of [
      ['Organic Search', 25, 45],
      ['Direct', 15, 35],
      ['Paid Search', 8, 25],
      ['Price comparison', 3, 10],
      ['Email', 0.5, 5],
    ] as const) {
      expect(share(name), name).toBeGreaterThan(low);
      expect(share(name), name).toBeLessThan(high);
    }
  });

  /** The sources of this shop, by the words of S-CHANNEL. */
  function channelOf({ source, medium, campaign }: SessionRow): string {
    if (source === null && medium === null) return 'Direct';
    if (source === 'gw.gopay.com') return 'Internal';
    if (medium === 'sms') return 'SMS';
    if (medium === 'email') return 'Email';
    if (campaign === 'cross-network') return 'Cross-network';
    if (campaign?.includes('shopping') && medium === 'cpc') return 'Paid Shopping';
    if (medium === 'cpc') return 'Paid Search';
    if (medium === 'paid_social') return 'Paid Social';
    if (/^(heureka|zbozi)/.test(source ?? '')) return 'Price comparison';
    if (/^(chatgpt|perplexity)/.test(source ?? '')) return 'AI assistants';
    if (medium === 'social') return 'Organic Social';
    if (source === 'youtube.com') return 'Organic Video';
    if (medium === 'organic') return 'Organic Search';
    if (medium === 'affiliate') return 'Affiliates';
    return medium === 'referral' ? 'Referral' : 'Unassigned';
  }
});
