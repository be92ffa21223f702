import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ofAnybody } from '../../../../tests/support/of-anybody.ts';
import { createTestInstance, type TestInstance } from '../../../../tests/support/test-instance.ts';

/**
 * CDNOW: 69,659 purchases of 23,570 customers in whole days; a plain loop over the days says who is in which
 * segment.
 */
const CDNOW = fileURLToPath(new URL('../../../../../shared/data/cdnow/CDNOW_master.txt', import.meta.url));

interface Purchase {
  /** Days since 1970. */
  readonly day: number;
  readonly cents: number;
}

/**
 * The map as a table: a row for each score of recency from 5 down, a column for each of frequency from 1 up.
 */
const MAP = [
  ['new', 'potential_loyalist', 'potential_loyalist', 'champions', 'champions'],
  ['promising', 'potential_loyalist', 'potential_loyalist', 'loyal', 'loyal'],
  ['about_to_sleep', 'about_to_sleep', 'need_attention', 'loyal', 'loyal'],
  ['hibernating', 'hibernating', 'at_risk', 'at_risk', 'cant_lose'],
  ['hibernating', 'hibernating', 'at_risk', 'at_risk', 'cant_lose'],
];
const SEGMENTS = [...new Set(MAP.flat()), 'lost'];

describe.skipIf(!existsSync(CDNOW))('CDNOW (skipped where its file is not beside the repository)', () => {
  let test: TestInstance;
  let business_id: string;
  const purchases = new Map<string, Purchase[]>();

  beforeAll(async () => {
    const rows = readFileSync(CDNOW, 'utf8')
      .trim()
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
      .filter(([, date]) => /^\d{8}$/.test(date ?? ''))
      .map(([customer = '', date = '', , dollars = '']) => ({
        customer,
        date: `${date.slice(0, 4)}-${date.slice(4, 6)}-${date.slice(6)}`,
        dollars,
      }));
    for (const { customer, date, dollars } of rows) {
      const own = purchases.get(customer) ?? [];
      own.push({ day: dayOf(date), cents: Math.round(Number(dollars) * 100) });
      purchases.set(customer, own);
    }
    test = await createTestInstance();
    const folder = join(test.folder, 'cdnow');
    mkdirSync(folder);
    const csv = rows.map(({ customer, date, dollars }, index) => `${index},${customer},${date},${dollars}`);
    writeFileSync(
      join(folder, 'orders.csv'),
      `order_id,external_customer_id,ordered_at,total\n${csv.join('\n')}\n`,
    );
    writeFileSync(join(folder, 'rfm_profiles.csv'), 'rfm_profile_id,name,scoring\nfifths,Fifths,quintiles\n');
    const business = await test.createBusiness({ currency: 'USD' });
    await test.importFolder(business, folder);
    business_id = business.business_id;
  });

  afterAll(() => test[Symbol.asyncDispose]());

  const dayOf = (date: string) => Date.parse(date) / 86_400_000;

  /**
   * At the last second of the day, when purchases at the first second of 364 days before are the oldest in
   * the window; at its first second it is one day more.
   */
  function segmentsOn(date: string, oldest = 364): Map<string, string> {
    const today = dayOf(date);
    const segments = new Map<string, string>();
    for (const [customer, own] of purchases) {
      const known = own.filter(({ day }) => day <= today);
      if (known.length === 0) continue;
      const orders = known.filter(({ day }) => day >= today - oldest).length;
      const days = today - Math.max(...known.map(({ day }) => day));
      const row = days <= 30 ? 0 : days <= 90 ? 1 : days <= 180 ? 2 : 3;
      const column = orders < 2 ? 0 : orders < 3 ? 1 : orders < 5 ? 2 : orders < 8 ? 3 : 4;
      segments.set(customer, orders === 0 ? 'lost' : (MAP[row]?.[column] ?? ''));
    }
    return segments;
  }

  const sizes = (segments: Map<string, string>) => {
    const customers = [...segments.values()];
    return SEGMENTS.map((key) => [key, customers.filter((segment) => segment === key).length]).sort();
  };

  it('has the segments of a plain loop at the end of every month', async () => {
    const { periods } = (await test.ask(ofAnybody('rfm_segment_statistics_trend'), {
      business_id,
      from_date: '1997-01-01T00:00:00',
      to_date: '1998-06-30T23:59:59',
      breakdown: 'month',
    })) as { periods: { period: string; segment: string; customers_count: number }[] };
    const months = Map.groupBy(periods, ({ period }) => period);
    expect(months.size).toBe(18);
    for (const [month, rows] of months) {
      const [year = 0, number = 0] = month.split('-').map(Number);
      const lastDay = new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10);
      // The last period still runs: its last purchases are at midnight, and so is the end of the data.
      const oldest = month === '1998-06' ? 365 : 364;
      const shown = rows.map(({ segment, customers_count }) => [segment, customers_count]).sort();
      expect(shown, month).toEqual(sizes(segmentsOn(lastDay, oldest)));
    }
  });

  it('moves customers as two plain loops compared', async () => {
    const { transitions } = (await test.ask(ofAnybody('rfm_segment_transitions'), {
      business_id,
      from_date: '1997-08-16T00:00:00',
      to_date: '1998-04-05T23:59:59',
    })) as { transitions: { from_segment: string | null; to_segment: string; customers_count: number }[] };
    const before = segmentsOn('1997-08-15');
    const moves = new Map<string, number>();
    for (const [customer, to] of segmentsOn('1998-04-05')) {
      const move = `${before.get(customer) ?? null} ${to}`;
      moves.set(move, (moves.get(move) ?? 0) + 1);
    }
    const shown = transitions.map((row) => [`${row.from_segment} ${row.to_segment}`, row.customers_count]);
    expect(shown.sort()).toEqual([...moves].sort());
    expect(shown.length).toBeGreaterThan(20);
  });

  it('has the money of a plain loop, and thresholds at its fifths', async () => {
    const first = dayOf('1998-06-30') - 365;
    const revenues = [...purchases.values()]
      .map((own) => own.filter(({ day }) => day >= first))
      .filter((own) => own.length > 0)
      .map((own) => own.reduce((sum, { cents }) => sum + cents, 0))
      .sort((a, b) => a - b);
    const { rfm_profile } = (await test.ask('get_rfm_profile', { business_id })) as {
      rfm_profile: { monetary_thresholds: number[] };
    };
    const fifths = [0.2, 0.4, 0.6, 0.8].map((share) => revenues[Math.ceil(share * revenues.length) - 1] ?? 0);
    expect(rfm_profile.monetary_thresholds).toEqual(
      fifths.map((cents) => Number((cents / 100).toPrecision(2))),
    );
    const all = (await test.ask(ofAnybody('rfm_segment_statistics'), { business_id })) as {
      scored_customers_count: number;
      segments: { revenue: number; orders_count: number }[];
    };
    expect(all.scored_customers_count).toBe(revenues.length);
    const cents = all.segments.reduce((sum, { revenue }) => sum + Math.round(revenue * 100), 0);
    expect(cents).toBe(revenues.reduce((sum, revenue) => sum + revenue, 0));
  });

  it('parts the scored customers into fifths', async () => {
    const all = (await test.ask(ofAnybody('rfm_segment_statistics'), {
      business_id,
      rfm_profile_id: 'fifths',
    })) as Record<
      'recency_scores' | 'frequency_scores' | 'monetary_scores',
      { customers_count: number; from_value: number; to_value: number }[]
    > & { scored_customers_count: number };
    // Many share a number of orders; few a revenue or a day.
    for (const { customers_count } of all.monetary_scores) {
      expect(Math.abs(customers_count / all.scored_customers_count - 0.2)).toBeLessThan(0.02);
    }
    const last = dayOf('1998-06-30');
    const counts = [...purchases.values()].map((own) => own.filter(({ day }) => day >= last - 365).length);
    const scored = counts.filter((count) => count > 0);
    const once = scored.filter((count) => count === 1).length;
    const score = 1 + Math.floor((5 * (once / 2)) / scored.length);
    expect(all.frequency_scores[score - 1]).toMatchObject({ from_value: 1 });
    expect(all.frequency_scores[score - 1]?.customers_count).toBeGreaterThanOrEqual(once);
    for (const place of [0, 1, 2, 3]) {
      const [lower, higher] = [all.monetary_scores[place], all.monetary_scores[place + 1]];
      expect(lower?.to_value).toBeLessThan(higher?.from_value ?? 0);
      const [older, newer] = [all.recency_scores[place], all.recency_scores[place + 1]];
      expect(newer?.to_value).toBeLessThan(older?.from_value ?? 0);
    }
  });
});
