import { afterAll, describe, expect, it } from 'vitest';
import type { Business } from '../../src/business/business.ts';
import { importFiles } from '../../src/import/run.ts';
import type { Settings } from '../../src/sources/source.ts';
import { storedRows, writeFiles } from '../ingest/shop.ts';
import { createTestInstance } from '../support/test-instance.ts';
import { collected, type Ga4Event, ga4Event, ndjson, page, purchase, shoes } from './ga4-export.ts';

describe('day by day', () => {
  const test = createTestInstance({ isOneEngineEnough: true });
  afterAll(async () => (await test)[Symbol.asyncDispose]());
  const fromAnalytics = { 'orders-from': 'ga4' } as const;

  const newBusiness = async () => (await test).createBusiness({ currency: 'EUR', timezone: 'UTC' });

  /** The rows of the store after one import of each list of events, and what the last one reported. */
  async function imported(
    imports: readonly (readonly Ga4Event[])[],
    settings: Settings = fromAnalytics,
    into?: Business,
  ) {
    const instance = await test;
    const business = into ?? (await newBusiness());
    let findings: readonly string[] = [];
    for (const events of imports) {
      const files = writeFiles(instance, { 'events.json': ndjson(events) });
      const { sources } = await importFiles(instance.instance, business, [files], { settings });
      findings = sources[0]?.assumptions ?? [];
    }
    const rows: Record<string, unknown[][]> = {};
    for (const table of settings === fromAnalytics ? TABLES : OF_VISITS)
      rows[table] = await storedRows(instance, business, table, '*');
    return { business, rows, findings };
  }
  const OF_VISITS = ['sessions', 'product_events', 'profiles', 'order_visits'];
  const TABLES = [...OF_VISITS, 'orders', 'order_items', 'refunds'];

  const DAY = 24 * 3600;
  /** The time goes from five minutes before midnight to ten minutes after it. */
  const [LATE, EARLY] = [14 * 3600 - 300, 14 * 3600 + 600];
  const organic = collected('google', 'organic');
  const other = { user_pseudo_id: '5555555555.6666666666' };
  const days = [
    [
      ga4Event(
        'page_view',
        LATE,
        { ...page('/a'), page_referrer: 'https://google.com/', engagement_time_msec: 1250 },
        organic,
      ),
      ga4Event('add_to_cart', LATE + 60, {}, { items: [shoes] }),
      purchase(10, 'T1', 65, { user_pseudo_id: null }),
      purchase(20, 'T2', 100),
      purchase(30, '+420 777 123 456', 40, other),
    ],
    [
      ga4Event(
        'page_view',
        EARLY - 120,
        { ...page('/b'), engagement_time_msec: 500 },
        { user_id: '8137', ...collected('gw.gopay.com', 'referral') },
      ),
      purchase(EARLY, 'T3', 30, { user_id: '8137' }),
      // The page of thanks, loaded again.
      purchase(DAY, 'T1', 70, other),
      purchase(DAY + 5, 'T2', 90, other),
      ga4Event('refund', DAY + 10, { transaction_id: 'T2', value: 60 }),
      ga4Event('refund', DAY + 20, { transaction_id: '+420 777 123 456' }),
    ],
    [
      ga4Event('page_view', 2 * DAY, { ga_session_id: 2 }),
      ga4Event('refund', 2 * DAY + 10, { transaction_id: 'T2' }),
      ga4Event('refund', 2 * DAY + 20, { transaction_id: 'T1' }),
    ],
  ];

  /** Each business has its own hashes of ids that look like phone numbers, and rows in their order. */
  const withoutHashes = (tables: Readonly<Record<string, unknown[][]>>) =>
    Object.entries(tables).map(([table, rows]) => [
      table,
      rows
        .map((row) => row.map((cell) => (/^[0-9a-f]{32}$/.test(String(cell)) ? 'hash' : cell)))
        .toSorted((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1)),
    ]);

  it('gives what one import gives, and a day that is imported again counts once', async () => {
    const { rows } = await imported([days.flat()]);
    expect(rows.orders).toHaveLength(4);
    expect(rows.refunds).toHaveLength(4);
    const daily = await imported(days);
    expect(withoutHashes(daily.rows)).toEqual(withoutHashes(rows));
    const again = await imported([days[1] ?? [], days[0] ?? []], fromAnalytics, daily.business);
    expect(again.rows).toEqual(daily.rows);
  });

  it('gives what one import gives where orders are of the shop', async () => {
    const { rows } = await imported([days.flat()], {});
    expect(withoutHashes((await imported(days, {})).rows)).toEqual(withoutHashes(rows));
  });

  it('keeps of a visit over midnight its beginning, with its source', async () => {
    const { business } = await imported(days.map((events) => events.slice(0, 2)).slice(0, 2));
    const select =
      "source, landing_path, referrer_host, page_views, engagement_s, cart, checkout, date_diff('second', started_at, ended_at)";
    expect(await storedRows(await test, business, 'sessions', select)).toEqual([
      ['google', '/a', 'google.com', '2', '1.7500', true, true, '900'],
    ]);
  });

  it('says how many refunds are of no purchase, and how many are more than the order', async () => {
    const refund = (seconds: number, transaction_id: string) =>
      ga4Event('refund', seconds, { transaction_id });
    const { rows, findings } = await imported([
      [purchase(0, 'T1', 100)],
      [refund(10, 'T1'), refund(20, 'T1'), refund(30, 'T9'), ga4Event('page_view', 40)],
    ]);
    expect(rows.refunds?.map((row) => row.at(-1))).toEqual(['100.0000']);
    expect(findings.filter((finding) => / refunds? (?:is|are) /.test(finding))).toEqual([
      expect.stringMatching(/^1 refund is of no purchase in these files or in earlier imports/),
      expect.stringMatching(/^1 refund is more than what is left of the total of the order/),
    ]);
  });

  it('says how many visits overlap what was imported of them before', async () => {
    const views = [0, 10, 20].map((seconds) => ga4Event('page_view', seconds));
    const { rows, findings } = await imported([views.slice(0, 2), views.slice(1)]);
    expect(rows.sessions).toHaveLength(1);
    expect(findings).toContainEqual(expect.stringMatching(/^1 visit was imported before with other times/));
  });
});
