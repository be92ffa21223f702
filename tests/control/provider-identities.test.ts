import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ControlDatabase, openControlDatabase } from '../../src/control/database/control-database.ts';
import { type Account, createAccount } from '../../src/control/people/accounts.ts';
import { accountOfIdentity, type Identity } from '../../src/control/people/provider-identities.ts';
import { ENGINES, openPlaces, type Places } from './engines.ts';

let places: Places;

beforeAll(async () => {
  places = await openPlaces();
});

afterAll(() => places[Symbol.asyncDispose]());

const ISSUER = 'https://login.example.com';

function person(
  subject: string,
  email: string | null = 'ann@example.com',
  is_email_verified = true,
): Identity {
  return { issuer: ISSUER, subject, email, is_email_verified };
}

describe.each(ENGINES)('on %s', (engine) => {
  let control: ControlDatabase;
  let ann: Account;

  beforeEach(async () => {
    control = await openControlDatabase(await places.fresh(engine));
    ann = await createAccount(control, { email: 'ann@example.com', password: null });
    await createAccount(control, { email: 'bob@example.com', password: null });
  });

  afterEach(() => control.destroy());

  function links() {
    return control.selectFrom('identities').selectAll().orderBy('issuer').orderBy('subject').execute();
  }

  it('a verified e-mail leads to its account, and links it', async () => {
    expect(await accountOfIdentity(control, person('1'))).toEqual(ann);
    expect(await links()).toEqual([{ issuer: ISSUER, subject: '1', account_id: ann.account_id }]);
  });

  it('the case of the e-mail and spaces around it do not matter', async () => {
    expect(await accountOfIdentity(control, person('1', ' Ann@EXAMPLE.com '))).toEqual(ann);
  });

  it('a letter that only looks like another one in lower case matters', async () => {
    await createAccount(control, { email: 'kim@example.com', password: null });
    const kelvin = '\u212Aim@example.com';
    expect(kelvin.toLowerCase()).toBe('kim@example.com');
    expect(await accountOfIdentity(control, person('1', kelvin))).toBeNull();
  });

  it.each([
    ['an e-mail that is not verified', person('1', 'ann@example.com', false)],
    ['no e-mail', person('1', null, true)],
    ['an e-mail without an account', person('1', 'eve@example.com')],
    ['an empty e-mail', person('1', '')],
    ['a pattern', person('1', '%')],
  ])('%s leads nowhere, and makes no account', async (_name, identity) => {
    expect(await accountOfIdentity(control, identity)).toBeNull();
    expect(await links()).toEqual([]);
    const { count } = control.fn;
    const row = await control
      .selectFrom('accounts')
      .select(count('account_id').as('accounts'))
      .executeTakeFirst();
    expect(Number(row?.accounts)).toBe(2);
  });

  it.each([
    ['another one', person('1', 'new@example.com')],
    ['that of another account', person('1', 'bob@example.com')],
    ['one that is not verified', person('1', 'ann@example.com', false)],
    ['none', person('1', null, false)],
  ])('a linked person stays linked when their e-mail becomes %s', async (_name, identity) => {
    await accountOfIdentity(control, person('1'));
    expect(await accountOfIdentity(control, identity)).toEqual(ann);
    expect(await links()).toHaveLength(1);
  });

  it('somebody new with the e-mail does not take over a linked account', async () => {
    await accountOfIdentity(control, person('1'));
    expect(await accountOfIdentity(control, person('2'))).toBeNull();
    expect(await accountOfIdentity(control, person('1'))).toEqual(ann);
    expect(await links()).toHaveLength(1);
  });

  it('another issuer may know the same person, and the same subject may be another person there', async () => {
    const elsewhere = { ...person('1', 'bob@example.com'), issuer: 'https://login.example.org' };
    await accountOfIdentity(control, person('1'));
    expect(await accountOfIdentity(control, elsewhere)).toMatchObject({ email: 'bob@example.com' });
    const alsoAnn = { ...person('2'), issuer: 'https://login.example.org' };
    expect(await accountOfIdentity(control, alsoAnn)).toEqual(ann);
    expect(await links()).toHaveLength(3);
  });

  it('subjects differ by case', async () => {
    await accountOfIdentity(control, person('a'));
    expect(await accountOfIdentity(control, person('A', null))).toBeNull();
  });

  it('first sign-ins of one person at once all lead to the account', async () => {
    const accounts = await Promise.all(
      Array.from({ length: 8 }, () => accountOfIdentity(control, person('1'))),
    );
    for (const account of accounts) expect(account).toEqual(ann);
    expect(await links()).toHaveLength(1);
  });

  it('one of several persons who sign in first with one e-mail at once comes to the account', async () => {
    const accounts = await Promise.all(
      Array.from({ length: 8 }, (_, index) => accountOfIdentity(control, person(String(index)))),
    );
    expect(accounts.filter((account) => account !== null)).toEqual([ann]);
    expect(await links()).toHaveLength(1);
  });

  it('first sign-ins of one subject at once with the e-mails of two accounts lead to one of them', async () => {
    const emails = ['ann@example.com', 'bob@example.com', 'ann@example.com', 'bob@example.com'];
    const accounts = await Promise.all(emails.map((email) => accountOfIdentity(control, person('1', email))));
    expect(new Set(accounts.map((account) => account?.account_id)).size).toBe(1);
    expect(await links()).toHaveLength(1);
  });

  it('an account that is deleted is linked to nobody', async () => {
    await accountOfIdentity(control, person('1'));
    await control.deleteFrom('accounts').where('account_id', '=', ann.account_id).execute();
    expect(await accountOfIdentity(control, person('1'))).toBeNull();
    expect(await links()).toEqual([]);
  });
});
