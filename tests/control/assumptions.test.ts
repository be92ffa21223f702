import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Business } from '../../src/business/business.ts';
import {
  addAssumption,
  listAssumptions,
  type NewAssumption,
  removeAssumption,
} from '../../src/control/businesses/assumptions.ts';
import { createBusiness } from '../../src/control/businesses/businesses.ts';
import { type ControlDatabase, openControlDatabase } from '../../src/control/database/control-database.ts';
import { ENGINES, openPlaces, type Places } from './engines.ts';

let places: Places;

beforeAll(async () => {
  places = await openPlaces();
});

afterAll(() => places[Symbol.asyncDispose]());

describe.each(ENGINES)('%s', (engine) => {
  let control: ControlDatabase;
  let shop: Business;
  let other: Business;

  beforeAll(async () => {
    control = await openControlDatabase(await places.fresh(engine));
    shop = await createBusiness(control, { name: 'Shop', currency: 'CZK' });
    other = await createBusiness(control, { name: 'Other' });
  });

  afterAll(() => control.destroy());

  const add = (asked: Partial<NewAssumption>, business = shop) =>
    addAssumption(control, business, { kind: 'packaging', from: '2026-01-01', ...asked });
  const refusal = async (asked: Partial<NewAssumption>, business = shop) => {
    const before = await listAssumptions(control, business.business_id);
    const error = await add(asked, business).then(
      () => null,
      (reason: Error & { hint?: string }) => reason,
    );
    expect(await listAssumptions(control, business.business_id)).toEqual(before);
    return error === null ? null : [error.message, error.hint].filter(Boolean).join('. ');
  };

  it('are kept to four decimals, listed in their order, and removed one by one', async () => {
    const card = { kind: 'payment_fee', paymentMethod: ' Card ', percent: '1.4', amount: '3.0001' };
    const later = await add({ ...card, from: '2026-05-01', amount: '0' });
    const first = await add(card);
    expect(first).toEqual({
      assumption_id: expect.stringMatching(/^[0-9a-f]{8}$/),
      kind: 'payment_fee',
      per: 'order',
      percent: 1.4,
      amount: 3.0001,
      currency: 'CZK',
      from_day: '2026-01-01',
      payment_method: 'Card',
      shipping_method: null,
      country: null,
    });
    const month = await add({ kind: 'email_cost', per: 'month', amount: '990' });
    const parcel = await add({ kind: 'shipping_cost', amount: '89', country: 'CZ', currency: 'czk' });
    expect(await listAssumptions(control, shop.business_id)).toEqual([month, first, later, parcel]);
    expect(await listAssumptions(control, other.business_id)).toEqual([]);
    await expect(removeAssumption(control, other.business_id, first.assumption_id)).rejects.toThrow(
      /there is no assumption/,
    );
    await removeAssumption(control, shop.business_id, first.assumption_id);
    expect(await listAssumptions(control, shop.business_id)).toEqual([month, later, parcel]);
    // Its place is free again.
    await add(card);
  });

  it('contradict each other on one day for the same orders; others do not', async () => {
    const dpd = { kind: 'shipping_cost', shippingMethod: 'DPD', amount: '79' };
    const { assumption_id } = await add(dpd);
    expect(await refusal({ ...dpd, amount: '99' })).toBe(
      `from 2026-01-01 on, shipping_cost is 79 CZK of an order already for these orders: two rates of one day contradict each other. Remove that one first: business assumptions remove ${shop.business_id} ${assumption_id}`,
    );
    await add({ ...dpd, country: 'SK' });
    await add({ ...dpd, from: '2026-01-02' });
    await add({ ...dpd, shippingMethod: 'dpd' });
    await add({ kind: 'email_cost', per: 'thousand', amount: '20' });
  });

  it.each<[string, Partial<NewAssumption>, string | RegExp]>([
    ['an unknown kind', { kind: 'rent', amount: '1' }, /^there is no kind rent; kinds are payment_fee, /],
    ['a name of all objects', { kind: 'toString', amount: '1' }, /^there is no kind toString/],
    ['VAT', { kind: 'vat_rate', percent: '21' }, /business update <business_id> --vat-rate 21$/],
    ['nothing', {}, 'say what it costs: --amount 89; 0 where it costs nothing'],
    [
      'a percent above 100',
      { kind: 'payment_fee', percent: '100.1' },
      '--percent 100.1 must be a number from 0 to 100 with at most four decimals',
    ],
    ['a negative percent', { kind: 'payment_fee', percent: '-1' }, /^--percent -1 must be/],
    ['a negative amount', { amount: '-5' }, /^--amount -5 must be a number from 0 to a billion/],
    ['too many decimals', { amount: '0.00001' }, /^--amount 0.00001 must be/],
    ['another notation', { amount: '1e3' }, /^--amount 1e3 must be/],
    ['a comma', { amount: '1,5' }, /^--amount 1,5 must be/],
    ['too much', { amount: '1000000001' }, /^--amount 1000000001 must be/],
    ['a percent of packaging', { percent: '2' }, /^--percent goes with payment_fee alone/],
    ['another currency', { amount: '5', currency: 'EUR' }, /give the amount in CZK$/],
    ['no such day', { amount: '5', from: '2026-02-30' }, /^--from 2026-02-30 must be the first day/],
    ['another form of a day', { amount: '5', from: '1.2.2026' }, /^--from 1.2.2026 must be/],
    [
      'a scope of another kind',
      { amount: '5', country: 'CZ' },
      '--country does not go with packaging, which is the same for all',
    ],
    [
      'a payment of a parcel',
      { kind: 'shipping_cost', amount: '5', paymentMethod: 'card' },
      '--payment-method does not go with shipping_cost; it may be said of shipping_method and country',
    ],
    ['an empty scope', { kind: 'shipping_cost', amount: '5', country: ' ' }, /^--country must be a name/],
    ['no unit', { kind: 'email_cost', amount: '5' }, /--per thousand or --per month$/],
    ['another unit', { amount: '5', per: 'month' }, /which is per order$/],
  ])('refuses %s', async (_, asked, message) => {
    const said = await refusal(asked);
    if (typeof message === 'string') expect(said).toBe(message);
    else expect(said).toMatch(message);
  });

  it('have percent alone in a business without a currency', async () => {
    expect(await refusal({ amount: '5' }, other)).toMatch(/no currency.*--currency CZK$/);
    expect(await add({ kind: 'payment_fee', percent: '2' }, other)).toMatchObject({
      amount: null,
      currency: null,
    });
  });

  it('added twice at once are there once', async () => {
    const fee = { kind: 'payment_fee', paymentMethod: 'at once', percent: '1' };
    const made = await Promise.allSettled([add(fee), add({ ...fee, percent: '2' }), add(fee)]);
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('go with their business', async () => {
    const gone = await createBusiness(control, { name: 'Gone', currency: 'CZK' });
    await add({ amount: '1' }, gone);
    await control.deleteFrom('businesses').where('business_id', '=', gone.business_id).execute();
    expect(await listAssumptions(control, gone.business_id)).toEqual([]);
  });
});
