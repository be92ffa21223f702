import { expect } from 'vitest';
import type { Business } from '../../src/business/business.ts';
import { readAttributionWindows } from '../../src/control/businesses/attribution-windows.ts';
import { findBusiness, listSnapshots } from '../../src/control/businesses/businesses.ts';
import { updateBusiness } from '../../src/snapshot/update-business.ts';
import type { TestInstance } from '../support/test-instance.ts';

/** Late in the evening of May 1st in UTC, and on the 2nd in Prague. */
export const LATE = { 'orders.csv': 'order_id,ordered_at,total\nA,2024-05-01T23:30:00Z,10\n' };

/** The days of the business that had orders, and what these were worth. */
export async function daysOf(test: TestInstance, { business_id }: Business): Promise<unknown[]> {
  const { result } = await test.run('order_statistics_trend', {
    business_id,
    from_date: '2024-04-30T00:00:00',
    to_date: '2024-05-03T23:59:59',
    breakdown: 'day',
  });
  const { periods } = result as {
    periods: { period_start: string; orders_count: number; orders_revenues: number }[];
  };
  return periods.flatMap(({ period_start, orders_count, orders_revenues }) =>
    orders_count > 0 ? [[period_start, orders_revenues]] : [],
  );
}

/** Changes all settings of a business with the order of `LATE`, fails at a step, and does it once more. */
export async function expectNothingChanged(
  test: TestInstance,
  business: Business,
  when: string,
): Promise<void> {
  const { control } = test.instance;
  const state = async () => ({
    business: await findBusiness(control, business.business_id),
    windows: await readAttributionWindows(control, business.business_id),
    snapshots: await listSnapshots(control, business.business_id),
    days: await daysOf(test, business),
  });
  const before = await state();
  const onStep = (step: string) => {
    if (step === when) throw new Error('struck by lightning');
  };
  const everything = {
    timezone: 'Europe/Prague',
    primary_currency: 'EUR',
    attribution_windows: { click: 1, open: 2, delivery: 3 },
    vat_rate: 21,
  };
  await expect(updateBusiness({ ...test.instance, onStep }, business, everything)).rejects.toMatchObject({
    cause: { message: 'struck by lightning' },
  });
  expect(await state()).toEqual(before);
  await updateBusiness(test.instance, business, everything);
  expect(await state()).toMatchObject({
    business: { timezone: 'Europe/Prague', primary_currency: 'EUR' },
    windows: everything.attribution_windows,
    days: [['2024-05-02', 10]],
  });
}
