import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  addAssumption,
  listAssumptions,
  type NewAssumption,
} from '../../src/control/businesses/assumptions.ts';
import { setBusinessSettings } from '../../src/control/businesses/business-settings.ts';
import { argumentRange, isInRange } from '../oracle/moments.ts';
import { type ExpectedStatement, profitStatement } from '../oracle/profit-statement.ts';
import { randomDiscounts } from '../support/random-discounts.ts';
import { runs } from '../support/runs.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';

/**
 * Statements of random stores under random assumptions, against loops over the raw rows, and against
 * order_statistics.
 */
let test: TestInstance;

beforeAll(async () => {
  test = await createTestInstance();
});

afterAll(() => test[Symbol.asyncDispose]());

interface Line {
  readonly group: string | null;
  readonly line: string;
  readonly amount: number | null;
  readonly at_most: boolean;
}

const days = fc.constantFrom('2023-01-01', '2024-02-01', '2024-03-31', '2024-10-27');
const assumption: fc.Arbitrary<NewAssumption> = fc.oneof(
  fc.record({
    kind: fc.constant('payment_fee'),
    from: days,
    percent: fc.constantFrom(undefined, '1.4', '0.3333'),
    amount: fc.constantFrom('3', '0'),
    paymentMethod: fc.constantFrom(undefined, 'card', '(other)'),
  }),
  fc.record({
    kind: fc.constant('shipping_cost'),
    from: days,
    amount: fc.constantFrom('79', '0.01'),
    shippingMethod: fc.constantFrom(undefined, 'post', 'pickup'),
    country: fc.constantFrom(undefined, 'CZ', 'SK'),
  }),
  fc.record({ kind: fc.constant('packaging'), from: days, amount: fc.constantFrom('12.5', '4') }),
);

const recordedCost = fc.constantFrom(undefined, undefined, '0', '61.5', '3.3333');

const ranges = fc.constantFrom(
  { from_date: '2024-01-01', to_date: '2025-12-31' },
  { from_date: '2024-02-29', to_date: '2024-10-27' },
  { from_date: '2024-03-31', to_date: '2024-03-31' },
);

function compare(lines: readonly Line[], expected: ExpectedStatement, about: string): void {
  const found = new Map(lines.map((one) => [one.line, one]));
  const amount = (line: string) => found.get(line)?.amount ?? null;
  const charged =
    amount('other_charged') === null
      ? null
      : (amount('other_charged') ?? 0) + (amount('shipping_charged') ?? 0);
  for (const [line, value] of Object.entries(expected.amounts)) {
    const own = line === 'charged' ? charged : amount(line);
    // Parts of orders are rounded one by one.
    if (own === null || value === null) expect(own, `${line} ${about}`).toBe(value);
    else expect(Math.abs(own - value), `${line} ${own} ${value} ${about}`).toBeLessThan(0.0051);
  }
  expect(found.get('margin_1')?.at_most, about).toBe(expected.atMost.margin_1);
  expect(found.get('margin_2')?.at_most, about).toBe(expected.atMost.margin_2);
}

it('is what loops over the orders add up to, in all and by month, and ties to order_statistics', async () => {
  const cases = fc.constantFrom('Europe/Prague', 'America/New_York').chain((timezone) =>
    fc.record({
      store: randomDiscounts(timezone),
      vat: fc.constantFrom(undefined, 0, 21, 5.5),
      assumptions: fc.array(assumption, { maxLength: 8 }),
      range: ranges,
      // What files tell of the costs of some orders.
      recorded: fc.array(fc.tuple(recordedCost, recordedCost), { minLength: 4, maxLength: 4 }),
    }),
  );
  await fc.assert(
    fc.asyncProperty(cases, async ({ store: bare, vat, assumptions, range, recorded }) => {
      const orders = bare.orders.map((row, place) => {
        const [shipping_cost, payment_cost] = recorded[place % recorded.length] ?? [];
        return { ...row, shipping_cost, payment_cost };
      });
      const store = { ...bare, orders, business: { ...bare.business, ...(vat !== undefined && { vat }) } };
      const { control } = test.instance;
      const timezone = store.business.timezone ?? 'UTC';
      const business = await test.createBusiness({ timezone, currency: 'CZK' });
      const { business_id } = business;
      if (vat !== undefined) await setBusinessSettings(control, business_id, { vat_rate: vat });
      const isEmpty = Object.values(store).every((rows) => !Array.isArray(rows) || rows.length === 0);
      if (!isEmpty) await test.importStore(business, store);
      for (const one of assumptions) await addAssumption(control, business, one).catch(() => null);
      const assumed = await listAssumptions(control, business_id);

      const asked = { business_id, ...range, format: 'objects' };
      const { lines, orders_revenues } = (await test.ask('profit_statement', asked)) as {
        lines: Line[];
        orders_revenues: number | null;
      };
      const span = argumentRange(`${range.from_date}T00:00:00`, `${range.to_date}T23:59:59`, timezone);
      const expected = profitStatement(store, assumed, ({ moment }) => isInRange(moment as never, span));
      compare(lines, expected, JSON.stringify(range));
      const statistics = (await test.ask('order_statistics', { business_id, ...range })) as Record<
        string,
        number
      >;
      expect(orders_revenues).toBe(statistics.orders_revenues);
      expect(expected.paid).toBe(statistics.orders_revenues);
      const after = statistics.revenue_after_refunds_by_refund_date ?? null;
      const refunds = lines.find(({ line }) => line === 'refunds')?.amount ?? null;
      if (after === null) expect(refunds).toBeNull();
      else expect((orders_revenues ?? 0) + (refunds ?? 0)).toBeCloseTo(after, 4);

      const byMonth = (await test.ask('profit_statement', { ...asked, by: 'month' })) as { lines: Line[] };
      for (const [month, own] of Map.groupBy(byMonth.lines, ({ group }) => group)) {
        if (month === '(total)')
          expect(own.map(({ amount }) => amount)).toEqual(lines.map(({ amount }) => amount));
        else
          compare(
            own,
            profitStatement(
              store,
              assumed,
              ({ moment, localDate }) =>
                isInRange(moment as never, span) && localDate.startsWith(month ?? ''),
            ),
            `${month} of ${JSON.stringify(range)}`,
          );
      }
    }),
    { numRuns: runs(4), endOnFailure: true },
  );
}, 1_800_000);
