import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ControlDatabase } from '../../src/control/database/control-database.ts';
import {
  assignmentsOf,
  grantAccess,
  removeAccount,
  revokeAccess,
} from '../../src/control/people/accounts.ts';
import {
  accountsOtherThanManagers,
  addManager,
  allowNewBusinesses,
  listAllManagers,
  listCreators,
  listManagers,
  managedBusinesses,
  manages,
  mayCreateBusinesses,
  refuseNewBusinesses,
  removeManager,
  removeOtherManager,
} from '../../src/control/people/managers.ts';
import { ENGINES, openPlaces, openShop, type Places } from './engines.ts';

let places: Places;

beforeAll(async () => {
  places = await openPlaces();
});

afterAll(() => places[Symbol.asyncDispose]());

describe.each(ENGINES)('%s', (engine) => {
  let control: ControlDatabase;
  let ada: string;
  let bob: string;
  let shop: string;

  beforeAll(async () => {
    ({ control, ada, bob, shop } = await openShop(places, engine));
  });

  afterAll(() => control.destroy());

  it('the role is held by accounts of the business, and ends with the assignment', async () => {
    await addManager(control, ada, shop);
    expect(await assignmentsOf(control, ada)).toEqual([{ business_id: shop, permissions: [] }]);
    expect(await manages(control, ada, shop)).toBe(true);
    expect(await manages(control, bob, shop)).toBe(false);
    expect((await managedBusinesses(control, ada)).map(({ name }) => name)).toEqual(['Shop']);
    expect(await managedBusinesses(control, bob)).toEqual([]);

    await revokeAccess(control, ada, shop);
    expect(await manages(control, ada, shop)).toBe(false);
    await grantAccess(control, ada, shop, ['LIST_PRODUCT']);
    expect(await manages(control, ada, shop)).toBe(false);
  });

  it('is given twice and taken once; permissions stay', async () => {
    await addManager(control, ada, shop);
    await addManager(control, ada, shop);
    await removeManager(control, ada, shop);
    expect(await assignmentsOf(control, ada)).toEqual([{ business_id: shop, permissions: ['LIST_PRODUCT'] }]);
    await expect(removeManager(control, ada, shop)).rejects.toThrow('does not manage this business');
  });

  it('lists managers, and those who could be', async () => {
    await addManager(control, ada, shop);
    await grantAccess(control, bob, shop, []);
    expect((await listManagers(control, shop)).map(({ email }) => email)).toEqual(['ada@example.com']);
    expect((await accountsOtherThanManagers(control, shop)).map(({ email }) => email)).toEqual([
      'bob@example.com',
    ]);
    expect(await listAllManagers(control)).toMatchObject([{ email: 'ada@example.com', name: 'Shop' }]);
  });

  it('managers do not take the last one away, also not from each other at once', async () => {
    await expect(removeOtherManager(control, ada, shop)).rejects.toThrow('somebody must manage the store');
    await addManager(control, bob, shop);
    const both = await Promise.allSettled([
      removeOtherManager(control, ada, shop),
      removeOtherManager(control, bob, shop),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await listManagers(control, shop)).toHaveLength(1);
  });

  it('the right to make businesses is given and taken, and goes with the account', async () => {
    expect(await mayCreateBusinesses(control, bob)).toBe(false);
    await allowNewBusinesses(control, bob);
    await allowNewBusinesses(control, bob);
    expect(await mayCreateBusinesses(control, bob)).toBe(true);
    expect((await listCreators(control)).map(({ email }) => email)).toEqual(['bob@example.com']);
    await refuseNewBusinesses(control, bob);
    await expect(refuseNewBusinesses(control, bob)).rejects.toThrow('may not make new stores');
    await allowNewBusinesses(control, bob);
    await removeAccount(control, bob);
    expect(await listCreators(control)).toEqual([]);
  });
});
