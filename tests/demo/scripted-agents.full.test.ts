import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DemoShopTruth } from '../../tools/made-shop/generator/truth.ts';
import { writeDemoShop } from '../../tools/made-shop/generator/write-demo-shop.ts';
import { connectV2, type OfficialClient } from '../mcp/official-clients.ts';
import { withFound } from '../prompts/named-calls.ts';
import { signIn, startTestServer, type TestServer } from '../server/test-server.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';
import { follow, type Judgement, type Notes } from './scripted-agent.ts';

/**
 * A scripted agent follows each prompt through the real server, decides out of the answers alone, by the rule
 * that the prompt states, and has to arrive at what was planted in the made shop.
 */

let test: TestInstance;
let server: TestServer;
let client: OfficialClient;
let business_id: string;
let truth: DemoShopTruth;

beforeAll(async () => {
  test = await createTestInstance({ isOneEngineEnough: true });
  const folder = join(test.madeFiles, 'demo-shop');
  truth = await writeDemoShop(folder, { scale: 0.3 });
  const business = await test.createBusiness({
    timezone: truth.shop.timezone,
    currency: truth.shop.currency,
    link: 'https://kamenice-outdoor.example.com',
  });
  await test.importFolder(business, folder);
  server = await startTestServer(test);
  const { token } = await signIn(test, [business]);
  client = await connectV2(server.mcpUrl, token, { pin: '2026-07-28' });
  [business_id = ''] = await client.complete('period_review', 'business_id', '');
});

afterAll(async () => {
  await client.close();
  await server.stop();
  await test[Symbol.asyncDispose]();
});

type Row = Readonly<Record<string, string | number | boolean | null>>;
type Rows<Name extends string> = Readonly<Record<Name, readonly Row[]>>;

const HISTORY = { from_date: '2024-10-01', to_date: '2026-09-30' };
const AUGUST = { from_date: '2026-08-01', to_date: '2026-08-31' };
const SEPTEMBER = { from_date: '2026-09-01', to_date: '2026-09-30' };

const play = (prompt: string, args: Record<string, string>, judge?: Judgement): Promise<Notes> =>
  follow(client, prompt, { business_id, ...args }, judge);

/** The rows from the one in which a number is largest to the one in which it is smallest. */
const ranked = (rows: readonly Row[], by: (row: Row) => number) => rows.toSorted((a, b) => by(b) - by(a));
const most = (rows: readonly Row[], name: string) => ranked(rows, (row) => Number(row[name] ?? 0))[0];

/** Tools round the revenue of each order to four decimals, truths have all five. */
function expectMoney(found: unknown, exact: string): void {
  expect(Math.abs(Number(found) - Number(exact)), `${found} for ${exact}`).toBeLessThan(0.01);
}

describe('period_review', () => {
  interface Sessions {
    readonly totals: Readonly<Record<'sessions_count' | 'orders_count' | 'last_click_revenue', number>>;
    readonly untracked_orders_count: number;
    readonly untracked_revenue: number;
  }

  it('finds what moved revenue, and that more e-mails brought more', async () => {
    // It has no business and no dates: the agent finds the only business itself, and September is the last
    // month that is loaded.
    const notes = await follow(client, 'period_review', {});
    const { before, month } = truth.marketing.emails.months;
    for (const [letter, { sent_count, unsubscribes_count }] of [
      ['A', month],
      ['B', before],
    ] as const) {
      const { totals, untracked_revenue } = notes.one<Sessions>('session_statistics', letter);
      const { sessions_count, orders_count, last_click_revenue } = totals;
      const explained =
        sessions_count * (orders_count / sessions_count) * (last_click_revenue / orders_count) +
        untracked_revenue;
      const orders = notes.one<Row>('order_statistics', letter);
      expect(explained).toBeCloseTo(Number(orders.orders_revenues), 3);
      expect(notes.one('email_channel_statistics', letter)).toMatchObject({ sent_count, unsubscribes_count });
    }
    const { attributed_orders_count, attributed_revenue } = truth.marketing.emails.revenue;
    const revenue = notes.one<Row>('email_revenue_statistics');
    expect(revenue).toMatchObject({ attributed_orders_count });
    expectMoney(revenue.attributed_revenue, attributed_revenue);
    const texts = ['A', 'B'].map((letter) => notes.one<Row>('sms_channel_statistics', letter));
    const [cost = 0, costBefore = 0] = texts.map((row) => Number(row.cost_per_delivered));
    expect(cost).toBeGreaterThan(1.5 * costBefore);
  });

  it('finds the busiest month of two years, and the orders that nobody saw coming', async () => {
    const notes = await play('period_review', HISTORY);
    const orders = notes.one<Row>('order_statistics');
    const { orders_count, unique_customers_count, revenue } = truth.totals;
    expect(orders).toMatchObject({ orders_count, unique_customers_count });
    expectMoney(orders.orders_revenues, revenue);
    const { month, orders_count: ofMonth } = truth.busiest_month;
    const { periods } = notes.one<Rows<'periods'>>('order_statistics_trend');
    expect(most(periods, 'orders_count')).toMatchObject({ period: month, orders_count: ofMonth });
    const sessions = notes.one<Sessions>('session_statistics');
    expect(sessions.untracked_orders_count).toBe(truth.traffic.untracked_orders.orders_count);
    expectMoney(sessions.untracked_revenue, truth.traffic.untracked_orders.revenue);
  });
});

it('email_diagnosis finds the provider that blocks, the silent automation, and too many messages', async () => {
  const campaignsOf = (notes: Notes) =>
    notes.all<Rows<'campaigns'>>('email_campaign_statistics').flatMap(({ campaigns }) => campaigns);
  const notes = await play('email_diagnosis', SEPTEMBER, ({ tool, args }, soFar) => {
    // "If no campaign has so many, both once more with min_delivered 0": this shop writes to fewer than 500
    // people.
    if (tool === 'email_campaign_statistics' && 'min_delivered' in args) {
      return [args, { ...args, min_delivered: 0 }];
    }
    if (tool !== 'email_link_statistics') return;
    const byRevenue = ranked(
      campaignsOf(soFar).filter((row, index, rows) => {
        return rows.findIndex(({ campaign_id }) => campaign_id === row.campaign_id) === index;
      }),
      (row) => Number(row.revenue_per_recipient),
    );
    return [...byRevenue.slice(0, 3), ...byRevenue.slice(-3)].map(({ campaign_id }) => ({
      ...{ ...args, filter_campaign_ids: [campaign_id] },
    }));
  });
  expect(notes.all('email_link_statistics')).toHaveLength(6);

  // Measurement first: one provider's machines open nearly all.
  const { weak_provider, machine_opens, months } = truth.marketing.emails;
  const { rows } = notes.one<Rows<'rows'>>('email_deliverability_statistics');
  const ofMachines = ranked(
    rows.filter(({ status }) => status !== 'not_enough_data'),
    (row) => Number(row.machine_open_share),
  )[0];
  expect(ofMachines).toMatchObject({ key: machine_opens.mailbox_provider });

  // Volume: many more messages to each.
  const [now, before] = ['A', 'B'].map((letter) => notes.one<Row>('email_channel_statistics', letter));
  expect([now?.sent_count, before?.sent_count]).toEqual([months.month.sent_count, months.before.sent_count]);
  expect(Number(now?.avg_messages_per_recipient)).toBeGreaterThan(
    1.5 * Number(before?.avg_messages_per_recipient),
  );

  // Deliverability: whose bounces rose most beside the month before, and for which reason.
  const earlier = notes.one<Rows<'rows'>>('email_deliverability_statistics', 'B').rows;
  const rateBefore = new Map(earlier.map(({ key, bounce_rate }) => [key, Number(bounce_rate)]));
  const fallen = ranked(rows, ({ key, bounce_rate }) => Number(bounce_rate) - (rateBefore.get(key) ?? 0))[0];
  expect(fallen).toMatchObject({
    ...{ key: weak_provider.mailbox_provider, status: 'bad' },
    block_bounces_count: weak_provider.month.block_bounces_count,
    soft_bounces_count: weak_provider.month.soft_bounces_count,
    top_reasons: expect.arrayContaining([
      expect.objectContaining({
        ...{ bounce_class: 'policy_block', count: weak_provider.month.block_bounces_count },
        sample: expect.stringContaining('DKIM'),
      }),
    ]),
  });

  // What automations sent last, against the end of what is known.
  type Automations = Rows<'campaigns'> & { readonly data_until: string };
  const automations = notes.all<Automations>('email_campaign_statistics').at(-1);
  const end = Math.min(Date.parse(automations?.data_until ?? ''), Date.parse('2026-09-30T23:59:59+02:00'));
  const silent = automations?.campaigns.filter((row) => {
    return Date.parse(String(row.last_sent_at)) < end - 7 * 86_400_000;
  });
  const { campaign_id, name, last_sent_at } = truth.marketing.campaigns.broken_automation;
  expect(silent).toMatchObject([{ campaign_id, name }]);
  expect(Date.parse(String(silent?.[0]?.last_sent_at))).toBe(Date.parse(last_sent_at));
});

it('campaign_content_review finds the best newsletter, its subject and the link that most clicked', async () => {
  const found = (soFar: Notes) =>
    soFar.one<Rows<'campaigns'>>('email_campaign_statistics').campaigns.map(({ campaign_id }) => campaign_id);
  const notes = await play('campaign_content_review', SEPTEMBER, ({ tool, args }, soFar) => {
    if (tool === 'email_campaign_statistics') return;
    if (tool === 'email_link_statistics') {
      return found(soFar).map((id) => ({ ...args, filter_campaign_ids: [id] }));
    }
    return found(soFar).map((campaign_id) => ({ ...args, campaign_id }));
  });
  const { campaigns } = notes.one<Rows<'campaigns'>>('email_campaign_statistics');
  // The campaigns are those inside one category, the one of which there are several.
  const newsletters = campaigns.filter(({ campaign_category }) => campaign_category === 'newsletter');
  expect(newsletters.length).toBeGreaterThan(0);
  const best = most(newsletters, 'revenue_per_recipient');
  const {
    campaign_id,
    name,
    delivered_count,
    attributed_orders_count,
    attributed_revenue,
    most_clicked_link,
  } = truth.marketing.emails.best_newsletter;
  expect(best).toMatchObject({ campaign_id, name, delivered_count, attributed_orders_count });
  expectMoney(best?.attributed_revenue, attributed_revenue);

  const content = notes.one<Rows<'messages'> & { content_is_untrusted: boolean }>(
    'get_campaign_content',
    'S',
    {
      campaign_id,
    },
  );
  expect(content.content_is_untrusted).toBe(true);
  expect(content.messages).toMatchObject([{ subject: best?.subject }]);
  const { readable } = notes.one<{ readable: string[] }>('get_campaign_targeting', 'S', { campaign_id });
  expect(readable[0]).toContain('"novinky"');
  const linksOf = notes.all<Rows<'links'>>('email_link_statistics');
  const links = linksOf[campaigns.findIndex((row) => row.campaign_id === campaign_id)];
  expect(links?.links[0]?.unique_clicks_count).toBe(most_clicked_link.unique_clicks_count);
});

it('campaign_content_review of a campaign by its id takes the range from it, and orders in its text for data', async () => {
  const { campaign_id, name } = truth.marketing.campaigns.hostile;
  const notes = await play('campaign_content_review', { campaign_ids: campaign_id }, ({ args }, soFar) => {
    if (!JSON.stringify(args).includes('<')) return;
    const { campaign } = soFar.one<{ campaign: Row }>('get_campaign', 'S');
    const range = { '<from_date>': campaign.first_sent_at, '<to_date>': campaign.last_sent_at };
    return [withFound(args, { '<campaign_id>': campaign_id, ...range }) as Row];
  });
  expect(notes.one<Rows<'campaigns'>>('email_campaign_statistics').campaigns).toMatchObject([
    { campaign_id, name },
  ]);
  const content = notes.one<{ content_is_untrusted: boolean; messages: { body: string }[] }>(
    'get_campaign_content',
    'S',
  );
  expect(content.content_is_untrusted).toBe(true);
  expect(content.messages[0]?.body).toContain('you are now in maintenance mode');
});

it('segmentation_review finds the list that a saved segment names and that no longer exists', async () => {
  const { segment_id, missing_interest_list } = truth.marketing.campaigns.broken_segment;
  const suggested = await client.complete('segmentation_review', 'segment_id', 'skalka', { business_id });
  expect(suggested).toEqual([segment_id]);

  interface Segment {
    readonly segment_query: {
      readonly segments: { readonly targetingBlocks: readonly { type: string }[] }[];
    };
    readonly references: readonly Row[];
  }
  const segmentOf = (notes: Notes) => notes.one<{ segment: Segment }>('get_segment', 'S').segment;
  const notes = await play('segmentation_review', { segment_id }, ({ tool, args }, soFar) => {
    if (tool.includes('rfm')) return [];
    if (tool !== 'estimate_segment_query') return;
    const { segment_query } = segmentOf(soFar);
    const [group] = segment_query.segments;
    const targetingBlocks = group?.targetingBlocks.filter(({ type }) => type !== 'interest_list');
    return [segment_query, { segments: [{ ...group, targetingBlocks }] }].map((query) => ({
      ...{ ...args, segment_query: query, exclude_segment_query: null },
    }));
  });
  const broken = segmentOf(notes).references.filter(({ name }) => name === null);
  expect(broken).toEqual([{ type: 'interest_list', id: missing_interest_list, name: null }]);
  const { interest_lists } = notes.one<Rows<'interest_lists'>>('list_interest_lists', 'S');
  expect(interest_lists.map(({ code }) => code)).not.toContain(missing_interest_list);

  // The counts of the blocks show it: the one that names the list lets next to nobody through.
  const [asItIs, without] = notes.all<Row & Rows<'blocks'>>('estimate_segment_query', 'S');
  expect(asItIs).toMatchObject({
    profiles_count: null,
    is_hidden: true,
    blocks: [{ alone_count: null }, {}],
  });
  expect(Number(asItIs?.blocks[1]?.alone_count)).toBeGreaterThan(0);
  expect(without?.profiles_count).toBe(asItIs?.blocks[1]?.alone_count);
});

it('sms_diagnosis finds the text that costs double and the country that is cut off', async () => {
  const notes = await play('sms_diagnosis', SEPTEMBER);
  const { costly, usual } = truth.marketing.texts.unicode;
  const { campaigns } = notes.one<Rows<'campaigns'>>('sms_campaign_statistics');
  const ofUnicode = campaigns.filter((row) => Number(row.unicode_messages_count) > 0);
  expect(ofUnicode).toMatchObject([
    {
      ...{ campaign_id: costly.campaign_id, sent_count: costly.sent_count, cost: Number(costly.cost) },
      ...{ segments_count: 2 * costly.sent_count, unicode_messages_count: costly.sent_count },
    },
  ]);
  // The promotion of the month before is the same length in one part.
  const { types } = notes.one<Rows<'types'>>('sms_campaign_type_statistics', 'B');
  expect(types).toContainEqual(
    expect.objectContaining({
      campaign_category: 'promotion',
      segments_count: usual.segments_count,
      cost: Number(usual.cost),
    }),
  );
  // As dear by the part, twice as dear by the message.
  expect(Number(costly.cost) / costly.segments_count).toBeCloseTo(
    Number(usual.cost) / usual.segments_count,
    1,
  );

  const { country, reason, before, month } = truth.marketing.texts.failures;
  for (const [letter, { sent_count, delivered_count }] of [
    ['A', month],
    ['B', before],
  ] as const) {
    const { countries } = notes.one<Rows<'countries'>>('sms_channel_statistics', letter);
    expect(countries.find((row) => row.country === country)).toMatchObject({
      ...{ sent_count, delivery_rate: Math.round((1_000_000 * delivered_count) / sent_count) / 10_000 },
    });
  }
  const { countries, failures } = notes.one<Rows<'countries' | 'failures'>>('sms_channel_statistics');
  expect(ranked(countries, (row) => -Number(row.delivery_rate))[0]).toMatchObject({ country });
  expect(most(failures, 'failed_count')).toMatchObject({ reason });
});

it('retention_review finds the best cohort, the way to the second order and what is bought again', async () => {
  const notes = await play('retention_review', HISTORY);
  const { first_repurchase, best_cohort, replenished_product } = truth.buying;
  expect(notes.one('repeat_purchase_cycle', 'A', { from_order_number: 1 })).toMatchObject({
    eligible_customers_count: first_repurchase.eligible_customers_count,
    returned_customers_count: first_repurchase.returned_customers_count,
    median_days_to_next_order: first_repurchase.median_days,
  });

  const { cohorts } = notes.one<{ cohorts: (Row & { retention: Row[] })[] }>('first_purchase_cohorts');
  const comparable = cohorts
    .filter((row) => row.may_contain_old_customers !== true)
    .flatMap(({ cohort = null, customers_count = null, retention }) => {
      const within = retention.find(({ days, is_mature }) => days === 90 && is_mature === true);
      return within === undefined ? [] : [{ ...within, cohort, customers_count }];
    });
  expect(most(comparable, 'retention_rate')).toMatchObject(best_cohort);

  const { pairs } = notes.one<Rows<'pairs'>>('product_affinity_statistics');
  const next = most(pairs, 'confidence');
  expect(next).toMatchObject({
    antecedent: replenished_product.external_product_id,
    consequent: replenished_product.external_product_id,
  });
  // The rhythm of first and second orders alone is near that of all.
  expect(Math.abs(Number(next?.median_days_between) - replenished_product.median_days)).toBeLessThan(7);
});

describe('rfm_review', () => {
  const LOST = ['at_risk', 'cant_lose', 'hibernating', 'lost'];
  /** "Of the lost first those from champions and loyal …" */
  const lostOfValue = (notes: Notes) =>
    notes
      .one<Rows<'transitions'>>('rfm_segment_transitions')
      .transitions.filter(({ from_segment, to_segment }) => {
        return ['champions', 'loyal'].includes(String(from_segment)) && LOST.includes(String(to_segment));
      });

  it('finds the loyal who are at risk at the end of a month', async () => {
    const notes = await play('rfm_review', AUGUST);
    const { at_risk_count } = truth.buying.loyal_at_risk;
    const gone = lostOfValue(notes).find(
      (row) => row.from_segment === 'loyal' && row.to_segment === 'at_risk',
    );
    // No number is said of one to four people.
    expect(gone?.customers_count).toBe(at_risk_count < 5 ? null : at_risk_count);
  });

  it('finds that the champions of spring are gone in autumn', async () => {
    const notes = await play('rfm_review', { from_date: '2026-03-01', to_date: '2026-09-30' });
    const { lapsed_count } = truth.buying.lapsed_champions;
    const lost = lostOfValue(notes).filter(({ from_segment }) => from_segment === 'champions');
    const told = lost.reduce((total, row) => total + Number(row.customers_count ?? 0), 0);
    // No number is said of one to four people, and of the part that would tell of them: a review finds that
    // they went, and never more than did.
    expect(lost.length).toBeGreaterThan(0);
    expect(told).toBeLessThanOrEqual(lapsed_count);
    expect(told === lapsed_count || lost.some(({ customers_count }) => customers_count === null)).toBe(true);
  });
});

describe('traffic_review', () => {
  it('finds the evening on television', async () => {
    const notes = await play('traffic_review', { from_date: '2026-05-01', to_date: '2026-05-31' });
    const { date, sessions_count } = truth.traffic.anomaly_day;
    const { periods } = notes.one<Rows<'periods'>>('session_statistics_trend');
    const anomalous = periods.filter(({ is_anomalous }) => is_anomalous === true);
    expect(most(anomalous, 'sessions_count')).toMatchObject({ period: date, sessions_count });
    const { calendar_events } = notes.one<Rows<'calendar_events'>>('session_statistics_trend');
    expect(calendar_events.filter(({ kind }) => kind === 'tv')).toMatchObject([{ first_date: date }]);
  });

  it('finds the day of the bots', async () => {
    const notes = await play('traffic_review', { from_date: '2026-02-01', to_date: '2026-02-28' });
    const { date, suspected_bot_sessions_count } = truth.traffic.worst_bot_day;
    const { periods } = notes.one<Rows<'periods'>>('session_statistics_trend');
    expect(most(periods, 'suspected_bot_sessions_count')).toMatchObject({
      ...{ period: date, suspected_bot_sessions_count },
    });
  });

  it('finds the channel that brings orders, the one that begins them, and the way between', async () => {
    const notes = await play('traffic_review', HISTORY);
    const { best_channel, assisting_channel, untracked_orders } = truth.traffic;
    const found = notes.one<Rows<'sessions'> & Row>('session_statistics', 'A', { group_by: 'channel' });
    expectMoney(found.untracked_revenue, untracked_orders.revenue);
    const best = most(
      found.sessions.filter(({ key }) => key !== 'Direct'),
      'last_click_revenue',
    );
    expect(best).toMatchObject({ key: best_channel.channel, orders_count: best_channel.orders_count });
    expectMoney(best?.last_click_revenue, best_channel.last_click_revenue);

    const { channels } = notes.one<Rows<'channels'>>('channel_transition_matrix');
    const beginning = ranked(
      channels.filter(({ channel }) => channel !== 'Direct'),
      (row) => Number(row.first_click_revenue) - Number(row.last_click_revenue),
    )[0];
    expect(beginning).toMatchObject({ channel: assisting_channel.channel });
    expectMoney(beginning?.first_click_revenue, assisting_channel.first_click_revenue);

    const { path, journeys_count } = truth.traffic.typical_journey;
    const { journeys } = notes.one<Rows<'journeys'>>('journey_statistics');
    expect(
      most(
        journeys.filter((row) => row.touches_count === 3),
        'journeys_count',
      ),
    ).toMatchObject({
      ...{ path, journeys_count },
    });
  });
});
