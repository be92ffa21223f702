import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createBusiness } from '../../src/control/businesses/businesses.ts';
import {
  keepMappingDraft,
  readMappingDraft,
  removeMappingDraft,
} from '../../src/control/businesses/mapping-drafts.ts';
import { type ControlDatabase, openControlDatabase } from '../../src/control/database/control-database.ts';
import { createAccount, removeAccount } from '../../src/control/people/accounts.ts';
import { ENGINES, openPlaces, type Places } from './engines.ts';

let places: Places;

beforeAll(async () => {
  places = await openPlaces();
});

afterAll(() => places[Symbol.asyncDispose]());

const DAY = 86_400_000;
const NOW = Date.UTC(2026, 10, 27);

describe.each(ENGINES)('%s', (engine) => {
  let control: ControlDatabase;
  let key: { account_id: string; business_id: string; fingerprint: string };
  let accounts = 0;

  beforeAll(async () => {
    control = await openControlDatabase(await places.fresh(engine));
  });

  afterAll(() => control.destroy());

  beforeEach(async () => {
    accounts += 1;
    const { account_id } = await createAccount(control, {
      email: `a${accounts}@example.com`,
      password: null,
    });
    const { business_id } = await createBusiness(control, { name: 'Shop' });
    key = { account_id, business_id, fingerprint: 'f' };
  });

  const keep = (fingerprint: string, said: unknown, now = NOW) =>
    keepMappingDraft(control, { ...key, fingerprint }, said, now);
  const read = (fingerprint = 'f', now = NOW) => readMappingDraft(control, { ...key, fingerprint }, now);

  it('is kept, replaced, and removed, for its account, store and table alone', async () => {
    await keep('f', { fields: ['one'] });
    await keep('f', { fields: ['two'] });
    expect(await read()).toEqual({ fields: ['two'] });
    expect(await read('other')).toBeNull();
    expect(await readMappingDraft(control, { ...key, account_id: 'nobody' }, NOW)).toBeNull();
    expect(await readMappingDraft(control, { ...key, business_id: 'none' }, NOW)).toBeNull();
    await removeMappingDraft(control, key);
    expect(await read()).toBeNull();
  });

  it('is there for 30 days, and 20 of them in a store, of which the oldest goes', async () => {
    await keep('f', 1);
    expect(await read('f', NOW + 30 * DAY)).toBe(1);
    expect(await read('f', NOW + 30 * DAY + 1)).toBeNull();
    for (let number = 1; number <= 20; number += 1) await keep(`f${number}`, number, NOW + number);
    expect(await read('f')).toBeNull();
    expect(await read('f1')).toBe(1);
    await keep('later', 2, NOW + 31 * DAY);
    expect(await control.selectFrom('mapping_drafts').select('fingerprint').execute()).toEqual([
      { fingerprint: 'later' },
    ]);
  });

  it('is not kept where it is longer than any form, and goes with its account', async () => {
    await keep('long', 'x'.repeat(2 ** 15));
    expect(await read('long')).toBeNull();
    await keep('f', 1);
    await removeAccount(control, key.account_id);
    expect(await read()).toBeNull();
  });
});
