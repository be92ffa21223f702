import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { PERMISSIONS } from '../../src/business/business.ts';
import { COUNTS_A_DAY } from '../../src/business/counts-a-day.ts';
import { createBusiness } from '../../src/control/businesses/businesses.ts';
import { type ControlDatabase, openControlDatabase } from '../../src/control/database/control-database.ts';
import { createAccount, grantAccess } from '../../src/control/people/accounts.ts';
import { type Caller, grantedCaller, operatorCaller } from '../../src/control/people/callers.ts';
import { createGrant } from '../../src/control/tokens/grants.ts';
import { ENGINES, openPlaces, type Places } from './engines.ts';

let places: Places;

beforeAll(async () => {
  places = await openPlaces();
});

afterAll(() => places[Symbol.asyncDispose]());

const counts = (first: number, count: number) =>
  Array.from({ length: count }, (_, index) => `count ${first + index}`);

describe.each(ENGINES)('on %s the budget for counts', (engine) => {
  let place: string;
  let control: ControlDatabase;
  let account_id: string;
  let business_id: string;

  beforeEach(async () => {
    place = await places.fresh(engine);
    control = await openControlDatabase(place);
    ({ account_id } = await createAccount(control, { email: 'a@example.com', password: null }));
    ({ business_id } = await createBusiness(control, { name: 'One' }));
    await grantAccess(control, account_id, business_id, PERMISSIONS);
  });

  afterEach(async () => {
    vi.useRealTimers();
    await control.destroy();
  });

  async function newGrant(): Promise<Caller> {
    const expires_at = new Date(Date.now() + 3_600_000);
    return grantedCaller(control, await createGrant(control, { account_id, allowlist: null, expires_at }));
  }

  it('is of all grants of an account together, pays each count once, and survives a restart', async () => {
    const [one, other] = [await newGrant(), await newGrant()];
    expect(await one.spendCounts(business_id, counts(0, 120))).toBe(80);
    expect(await other.spendCounts(business_id, counts(0, 120))).toBe(80);
    expect(await other.spendCounts(business_id, counts(100, 60))).toBe(40);
    await control.destroy();
    control = await openControlDatabase(place);
    const again = await newGrant();
    await expect(again.spendCounts(business_id, counts(1000, 41))).rejects.toThrow(
      'the budget for estimates is used up: an account gets 200 new counts of a business a day; 40 are left, and this question has 41',
    );
    expect(await again.spendCounts(business_id, counts(1000, 40))).toBe(0);
    expect(await again.spendCounts(business_id, counts(0, 160))).toBe(0);
    await expect(again.spendCounts(business_id, counts(0, 161))).rejects.toThrow('this question has 1');
  });

  it('is of one account and one business, and of a day', async () => {
    const caller = await newGrant();
    expect(await caller.spendCounts(business_id, counts(0, COUNTS_A_DAY))).toBe(0);
    const second = await createBusiness(control, { name: 'Two' });
    expect(await caller.spendCounts(second.business_id, counts(0, 1))).toBe(199);
    const { account_id } = await createAccount(control, { email: 'b@example.com', password: null });
    expect(
      await grantedCaller(control, { account_id, allowlist: null }).spendCounts(business_id, counts(0, 1)),
    ).toBe(199);
    vi.useFakeTimers({ now: Date.now() + 86_400_000, toFake: ['Date'] });
    expect(await caller.spendCounts(business_id, counts(0, 1))).toBe(199);
    // What was paid for before is forgotten.
    const kept = await control
      .selectFrom('count_budgets')
      .select('day')
      .where('business_id', '=', business_id)
      .execute();
    expect(kept.map(({ day }) => day).sort()).toEqual(
      [Date.now() - 86_400_000, Date.now()].map((time) => new Date(time).toISOString().slice(0, 10)),
    );
  });

  it('is not overspent by calls at the same time', async () => {
    const caller = await newGrant();
    const asked = Array.from({ length: 12 }, (_, index) =>
      caller.spendCounts(business_id, counts(index * 30, 30)),
    );
    const answers = await Promise.allSettled(asked);
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(6);
    expect(await caller.spendCounts(business_id, counts(1000, 20))).toBe(0);
  });

  it('is not for whoever has the data folder', async () => {
    expect(await operatorCaller(control).spendCounts(business_id, counts(0, 10_000))).toBeNull();
  });
});
