import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Business } from '../../src/business/business.ts';
import { isQuick } from '../support/runs.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';
import { answers, importFiles, readRejects, refusal, SMALL_SHOP, storedRows } from './shop.ts';

let test: TestInstance;
let business: Business;

beforeAll(async () => {
  test = await createTestInstance();
  business = await test.createBusiness();
});

afterAll(() => test[Symbol.asyncDispose]());

const COLUMNS =
  'rfm_profile_id,name,window_days,scoring,recency_thresholds_days,frequency_thresholds,monetary_thresholds,rules';

const ALL = [1, 2, 3, 4, 5];
const everyCell = (segment: string) => ({ segment, scores: [{ recency: ALL, frequency: ALL }] });
const newIn = (...scores: object[]) => ({ rules: [{ segment: 'new', scores }] });
const NO_DAYS = 'recency_thresholds_days: must be a JSON array of 4 ascending whole numbers, at least 0';
const NOT_ONCE =
  'rules: must cover each of the 25 cells of recency and frequency scores (1 to 5) exactly once';
const UNKNOWN =
  'rules: must give scores to the segments champions, loyal, potential_loyalist, new, promising, need_attention, ' +
  'about_to_sleep, cant_lose, at_risk, hibernating and no others';

/** What is wrong with a profile, and the reasons that the rejects file gives. */
const WRONG: readonly (readonly [object, ...string[]])[] = [
  ...[
    [30, 90, 180],
    [1, 2, 3, 4, 5],
    [30, 30, 90, 180],
    [365, 180, 90, 30],
    [30.5, 90, 180, 365],
  ].map((recency_thresholds_days) => [{ recency_thresholds_days }, NO_DAYS] as const),
  ...[[-1, 90, 180, 365], [30, null, 180, 365], ['a', 'b', 'c', 'd'], { first: 30 }, 30].map(
    (recency_thresholds_days) => [{ recency_thresholds_days }, NO_DAYS] as const,
  ),
  [
    { frequency_thresholds: [0, 1, 2, 3], monetary_thresholds: [1, 2.5, 2.5, 3] },
    'frequency_thresholds: must be a JSON array of 4 ascending whole numbers, at least 1',
    'monetary_thresholds: must be a JSON array of 4 ascending numbers, below 10^13',
  ],
  ...[0, -1, 3651].map(
    (window_days) => [{ window_days }, 'window_days: must be between 1 and 3650'] as const,
  ),
  [{ scoring: 'deciles', name: '' }, 'name: is required', 'scoring: must be one of thresholds, quintiles'],
  [{ rules: [] }, NOT_ONCE],
  [{ rules: [{ segment: 'new' }] }, NOT_ONCE],
  [newIn({ recency: ALL, frequency: [1, 2, 3, 4] }), NOT_ONCE],
  [newIn({ recency: ALL, frequency: ALL }, { recency: [5], frequency: [5] }), NOT_ONCE],
  [newIn({ recency: [...ALL, 6], frequency: ALL }), NOT_ONCE],
  [newIn({ recency: [1, 2, 3, 4, 5.4], frequency: ALL }), NOT_ONCE],
  [newIn({ recency: [1, 2, 3, 4, null], frequency: ALL }), NOT_ONCE],
  [newIn({ recency: ALL, frequency: ALL, monetary: [1, 2] }), NOT_ONCE],
  [newIn({ recency: ALL }), NOT_ONCE],
  [{ rules: [everyCell('vip')] }, UNKNOWN],
  [{ rules: [everyCell('new'), everyCell('lost')] }, UNKNOWN, NOT_ONCE],
  [{ rules: [{ scores: [{ recency: ALL, frequency: ALL }] }] }, UNKNOWN],
  [
    { rules: { segment: 'new' } },
    'rules: must be a JSON array of {"segment": …, "scores": [{"recency": […], "frequency": […], "monetary": […] or null}]}',
  ],
];

it('RFM profiles that no customer could be scored by are refused, each with its reason', async () => {
  const rows = WRONG.map(([profile], index) => ({ rfm_profile_id: `p${index}`, name: 'P', ...profile }));
  const text = rows.map((row) => `${JSON.stringify(row)}\n`).join('');
  const { report } = await refusal(test, business, { 'rfm_profiles.ndjson': text });
  const reasons = Map.groupBy(readRejects(report), ([, line]) => Number(line));
  for (const [index, [profile, ...expected]] of WRONG.entries()) {
    const found = (reasons.get(index + 1) ?? []).map(([, , column, , reason]) => `${column}: ${reason}`);
    expect(found, JSON.stringify(profile)).toEqual(expected);
  }
});

it('takes what get_rfm_profile shows, and profiles of which only some are good', async () => {
  const shop = await test.createBusiness();
  await importFiles(test, shop, SMALL_SHOP);
  const shown = (await test.ask('get_rfm_profile', { business_id: shop.business_id })) as {
    rfm_profile: Record<string, unknown> & { segments: unknown[] };
  };
  const { segments, last_calculated_at: _, ...profile } = shown.rfm_profile;
  const rows = [
    { ...profile, rules: segments, is_default: true },
    { rfm_profile_id: 'bad', name: 'Bad', window_days: 0 },
  ];
  const text = rows.map((row) => `${JSON.stringify(row)}\n`).join('');
  const report = await importFiles(test, shop, { 'rfm_profiles.ndjson': text }, '1');
  expect(readRejects(report)).toHaveLength(1);
  expect(await test.ask('get_rfm_profile', { business_id: shop.business_id })).toEqual(shown);
});

it('reads lists out of CSV cells', async () => {
  const shop = await test.createBusiness();
  await importFiles(test, shop, {
    ...SMALL_SHOP,
    'rfm_profiles.csv': `${COLUMNS}\nq,Q,90,quintiles,"[7, 14, 21, 28]","[2,3,4,5]","[10,20.5,30,40]",\n`,
  });
  const columns =
    'rfm_profile_id, is_default, window_days, recency_thresholds_days, frequency_thresholds, monetary_thresholds, rules';
  expect(await storedRows(test, shop, 'rfm_profiles', columns)).toEqual([
    ['q', false, '90', [7, 14, 21, 28], [2, 3, 4, 5], ['10.0000', '20.5000', '30.0000', '40.0000'], null],
  ]);
});

describe('consent events', () => {
  const HEADER = 'profile_id,email,phone,channel,at,state\n';

  it('name a person, a channel, a moment and a state', async () => {
    const text = `${HEADER},,,email,2024-01-01T00:00:00Z,subscribed
,not an address,123,email,2024-01-01T00:00:00Z,subscribed
p,,,push,2024-01-01T00:00:00Z,gone
`;
    const { report } = await refusal(test, business, { 'consent_events.csv': text });
    expect(readRejects(report).map(([, line, column, , reason]) => [line, column, reason])).toEqual([
      ['2', 'profile_id', 'is required where neither email nor phone names anybody'],
      ['3', 'profile_id', 'is required where neither email nor phone names anybody'],
      ['4', 'channel', 'must be one of email, sms'],
      ['4', 'state', 'must be one of subscribed, pending, unsubscribed, bounced, complained, suppressed'],
    ]);
  });

  it.skipIf(isQuick)(
    'replace those of the same person, channel and moment, and change nothing else',
    async () => {
      const shop = await test.createBusiness();
      await importFiles(test, shop, SMALL_SHOP);
      const before = await answers(test, shop);
      const at = '2024-01-01T00:00:00Z';
      await importFiles(test, shop, {
        'consent_events.csv': `${HEADER},jana@example.com,,email,${at},subscribed\n,a@example.com,,sms,${at},pending\n`,
      });
      await importFiles(test, shop, {
        'consent_events.csv': `${HEADER}, JANA@example.com,,email,${at},unsubscribed\n`,
      });
      expect(await storedRows(test, shop, 'consent_events', 'channel, state')).toEqual([
        ['email', 'unsubscribed'],
        ['sms', 'pending'],
      ]);
      expect(await answers(test, shop)).toEqual(before);
    },
  );
});
