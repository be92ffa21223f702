import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { messageTimes, timeKey } from '../oracle/times-of-day.ts';
import { trafficOf } from '../oracle/traffic.ts';
import { randomMessages } from '../support/random-messages.ts';
import { runs } from '../support/runs.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';

/**
 * Visits, orders, messages and what people did with them, by weekday and hour, against plain loops over
 * random stores.
 */
let test: TestInstance;

beforeAll(async () => {
  test = await createTestInstance();
});

afterAll(() => test[Symbol.asyncDispose]());

const RANGE = { from_date: '2024-01-01T00:00:00', to_date: '2024-12-31T23:59:59' };
const times = fc.constantFrom('weekday' as const, 'hour' as const, 'weekday_hour' as const);

interface Row {
  readonly key: string;
  readonly sessions_count: number;
  readonly orders_count: number;
}

it('the hours of the week are those of plain loops, whatever the store', async () => {
  const stores = fc.constantFrom('Europe/Prague', 'America/New_York').chain(randomMessages);
  await fc.assert(
    fc.asyncProperty(stores, times, async (store, by) => {
      const timezone = store.business.timezone ?? 'UTC';
      const business = await test.createBusiness({ timezone, currency: 'CZK', link: 'https://www.shop.cz/' });
      await test.importStore(business, store);
      const call = { business_id: business.business_id, ...RANGE };

      const asked = { ...call, group_by: by, limit: 1000 };
      const { sessions } = (await test.ask('session_statistics', asked)) as { sessions: Row[] };
      const { visits, orders } = trafficOf(store);
      const isInYear = ({ localDate }: { localDate: string }) => localDate.startsWith('2024');
      const keys = new Map<string, { sessions_count: number; orders_count: number; suspected: number }>();
      const at = (key: string) => {
        const row = keys.get(key) ?? { sessions_count: 0, orders_count: 0, suspected: 0 };
        keys.set(key, row);
        return row;
      };
      for (const visit of visits.filter(isInYear)) {
        at(timeKey(visit.moment, by, timezone))[visit.isSuspected ? 'suspected' : 'sessions_count'] += 1;
      }
      for (const { last, first } of orders.filter(({ order }) => isInYear(order))) {
        if (last !== null) at(timeKey(last.moment, by, timezone)).orders_count += 1;
        if (first !== null) at(timeKey(first.moment, by, timezone));
      }
      const counted = sessions.map(({ key, sessions_count, orders_count }) => [
        key,
        sessions_count,
        orders_count,
      ]);
      expect(counted.sort()).toEqual(
        [...keys].map(([key, row]) => [key, row.sessions_count, row.orders_count]).sort(),
      );

      for (const channel of ['email', 'sms'] as const) {
        expect(await test.ask(`${channel}_channel_statistics`, { ...call, times: by })).toMatchObject({
          times: messageTimes(store, channel, call, by),
        });
      }
    }),
    { numRuns: runs(1), endOnFailure: true },
  );
});
