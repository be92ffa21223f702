import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { argumentRange } from '../oracle/moments.ts';
import { reachAt } from '../oracle/reachable.ts';
import { dataUntil, membersAt, profileOf } from '../oracle/rfm.ts';
import { shopOf } from '../oracle/shop.ts';
import { afterRange } from '../oracle/subscribers.ts';
import { exactEstimate } from '../support/exact-estimate.ts';
import { ofAnybody } from '../support/of-anybody.ts';
import { randomConsents } from '../support/random-consents.ts';
import { runs } from '../support/runs.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';

/**
 * Consented, reachable and suppressed are three numbers, and reachable leaves suppressed people out in every
 * tool.
 */
let test: TestInstance;

beforeAll(async () => {
  test = await createTestInstance();
});

afterAll(() => test[Symbol.asyncDispose]());

const ranges = fc.constantFrom(
  { from_date: '2023-01-01T00:00:00', to_date: '2025-12-31T23:59:59' },
  { from_date: '2024-02-29T08:00:00', to_date: '2024-03-31T08:00:00' },
);

interface Segment {
  readonly segment: string;
  readonly [count: string]: string | number | null;
}

it('suppressed people are reachable in no tool, whatever happened to them', async () => {
  const stores = fc.constantFrom('Europe/Prague', 'UTC').chain(randomConsents);
  await fc.assert(
    fc.asyncProperty(stores, ranges, async (store, range) => {
      const timezone = store.business.timezone ?? 'UTC';
      const business = await test.createBusiness({ timezone, currency: 'CZK', link: 'https://www.shop.cz/' });
      await test.importStore(business, store);
      const { business_id } = business;
      const end = afterRange(argumentRange(range.from_date, range.to_date, timezone));
      const now = { email: reachAt(store, ['email'], null), sms: reachAt(store, ['sms'], null) };

      for (const channel of ['email', 'sms'] as const) {
        const call = { business_id, ...range, channel, group_by: 'none' };
        const { reachable, suppressed } = reachAt(store, [channel], end);
        expect(await test.ask('subscriber_statistics', call), channel).toMatchObject({
          ...{ reachable_count: reachable.size, suppressed_count: suppressed.size },
        });
      }

      const everybody = { segments: [{ targetingBlocks: [] }] };
      expect(await test.ask(exactEstimate, { business_id, segment_query: everybody })).toMatchObject({
        email_reachable_count: now.email.reachable.size,
        sms_reachable_count: now.sms.reachable.size,
      });

      const shop = shopOf(store);
      const until = dataUntil(shop);
      if (until === null) return;
      const members = membersAt(shop, until, profileOf(store, shop, null));
      const { segments } = (await test.ask(ofAnybody('rfm_segment_statistics'), { business_id })) as {
        segments: Segment[];
      };
      for (const row of segments) {
        const own = members.filter(({ segment }) => segment === row.segment);
        const among = (people: Set<string>) => own.filter(({ customer }) => people.has(customer)).length;
        expect(row, row.segment).toMatchObject({
          email_subscribed_count: among(now.email.consented),
          sms_subscribed_count: among(now.sms.consented),
          email_reachable_count: among(now.email.reachable),
          sms_reachable_count: among(now.sms.reachable),
          suppressed_count: among(now.email.suppressed),
        });
      }
    }),
    { numRuns: runs(1), endOnFailure: true },
  );
});
