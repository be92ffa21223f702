import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { emptyStore, type Store } from '../oracle/store.ts';
import {
  exactPValue,
  isExactNeeded,
  neededPerGroup,
  type Share,
  scoreInterval,
  scorePValue,
} from '../oracle/two-shares.ts';
import { runs } from '../support/runs.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';

/** Variants whose clicks differ by chance: what is said of their difference is what the definitions give. */
let test: TestInstance;

beforeAll(async () => {
  test = await createTestInstance();
});

afterAll(() => test[Symbol.asyncDispose]());

const variant = fc
  .tuple(fc.constantFrom(100, 101, 130, 180), fc.constantFrom(0, 1, 3, 8, 20, 45, 99, 100))
  .map(([trials, successes]): Share => ({ trials, successes }));
const tests = fc.array(fc.array(variant, { minLength: 2, maxLength: 3 }), { minLength: 4, maxLength: 4 });

function storeOf(campaigns: readonly (readonly Share[])[]): Store {
  const store = emptyStore({ timezone: 'UTC', primary_currency: 'CZK' });
  for (const [number, variants] of campaigns.entries()) {
    const campaign_id = `c${number}`;
    store.campaigns.push({
      ...{ campaign_id, name: campaign_id, campaign_type: 'targeted-emailing-ab', state: 'sent' },
      created_at: '2024-03-01T00:00:00',
    });
    for (const [index, { successes, trials }] of variants.entries()) {
      const message_id = `c${number}-${index}`;
      store.messages.push({ message_id, campaign_id, channel: 'email', subject: 'S', variant: 'ABC'[index] });
      for (let send = 0; send < trials; send += 1) {
        const send_id = `${message_id}-${send}`;
        const email = `p-${index}-${send}@example.com`;
        store.sends.push({
          send_id,
          message_id,
          email,
          sent_at: '2024-03-02T08:00:00',
          outcome: 'delivered',
        });
        if (send >= successes) continue;
        const at = '2024-03-02T09:00:00';
        const url = 'https://shop.cz/a';
        store.message_events.push({ event_id: `e-${send_id}`, send_id, kind: 'click', at, url });
      }
    }
  }
  return store;
}

type Row = Record<string, number | null> & { variant: string };

it('p-values, intervals and needed sizes are those of the definitions, and agree', async () => {
  await fc.assert(
    fc.asyncProperty(tests, async (campaigns) => {
      const business = await test.createBusiness({ timezone: 'UTC', currency: 'CZK' });
      await test.importStore(business, storeOf(campaigns));
      const { business_id } = business;
      for (const [number, variants] of campaigns.entries()) {
        const answer = await test.ask('campaign_variant_statistics', {
          business_id,
          campaign_id: `c${number}`,
        });
        const { variants: rows } = answer as { variants: Row[] };
        expect(rows).toHaveLength(variants.length);
        for (const row of rows) expectComparison(row, variants);
      }
    }),
    { numRuns: runs(1), endOnFailure: true },
  );
});

function expectComparison(row: Row, variants: readonly Share[]): void {
  const rate = ({ successes, trials }: Share) => successes / trials;
  const own = variants['ABC'.indexOf(row.variant)] as Share;
  const others = variants.filter((one) => one !== own);
  const best = others.toSorted((a, b) => rate(b) - rate(a));
  // Any of several equally good ones may be meant.
  const isTied = best.length > 1 && rate(best[0] as Share) === rate(best[1] as Share);
  const told = `${JSON.stringify(row)} of ${JSON.stringify(variants)}`;
  const pairs = (variants.length * (variants.length - 1)) / 2;
  const level = 0.05 / pairs;
  const base = best[0] as Share;
  if (isTied && base.trials !== best[1]?.trials) return;
  const byScore = scorePValue(own, base);
  const single = isExactNeeded(own, base) ? Math.max(byScore, exactPValue(own, base)) : byScore;
  const p = Math.min(1, pairs * single);
  let [low, high] = scoreInterval(own, base, level);
  // The bound that is nearer to 0 becomes 0 where chance is not excluded.
  if (p >= 0.05 && low > 0) low = 0;
  if (p >= 0.05 && high < 0) high = 0;
  expect(row.difference, told).toBeCloseTo(100 * (rate(own) - rate(base)), 3);
  expect(Math.abs(Number(row.p_value) - Math.max(p, 0.0001)), told).toBeLessThan(1.1e-4);
  expect(Number(row.p_value)).toBeGreaterThanOrEqual(0.0001);
  expect(row.difference_low, told).toBeCloseTo(100 * low, 2);
  expect(row.difference_high, told).toBeCloseTo(100 * high, 2);
  const leavesOutZero = Number(row.difference_low) > 0 || Number(row.difference_high) < 0;
  expect(row.is_significant, told).toBe(leavesOutZero);
  expect(row.is_significant, told).toBe(Number(row.p_value) < 0.05);

  const areAll = (share: number) => rate(own) === share && rate(base) === share;
  const isSame = rate(own) === rate(base);
  const needed = isSame || areAll(0) || areAll(1) ? null : neededPerGroup(rate(base), rate(own), level);
  expect(row.needed_per_variant, told).toBe(needed);
  const more = 1.1 * rate(base);
  const forMore = rate(base) === 0 || more > 1 ? null : neededPerGroup(rate(base), more, level);
  expect(row.needed_per_variant_10_percent, told).toBe(forMore);
}
