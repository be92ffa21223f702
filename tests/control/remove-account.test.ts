import { afterAll, beforeAll, expect, it } from 'vitest';
import { createBusiness } from '../../src/control/businesses/businesses.ts';
import { openControlDatabase } from '../../src/control/database/control-database.ts';
import { createAccount, findAccount, grantAccess, removeAccount } from '../../src/control/people/accounts.ts';
import { beginSession, findSession } from '../../src/control/people/browser-sessions.ts';
import { createPasswordLink, findPasswordLink } from '../../src/control/people/credentials.ts';
import { createGrant, findGrant } from '../../src/control/tokens/grants.ts';
import { ENGINES, openPlaces, type Places } from './engines.ts';

let places: Places;

beforeAll(async () => {
  places = await openPlaces();
});

afterAll(() => places[Symbol.asyncDispose]());

it.each(ENGINES)('an account on %s goes with all that it had, and no other does', async (engine) => {
  const control = await openControlDatabase(await places.fresh(engine));
  const { business_id } = await createBusiness(control, { name: 'Shop' });
  const [gone, stays] = await Promise.all(
    ['gone@example.com', 'stays@example.com'].map(async (email) => {
      const { account_id } = await createAccount(control, { email, password: null });
      await grantAccess(control, account_id, business_id, ['LIST_PRODUCT']);
      const expires_at = new Date(Date.now() + 60_000);
      const grant = await createGrant(control, { account_id, allowlist: [business_id], expires_at });
      const session = await beginSession(control, account_id);
      return { email, account_id, grant, session, link: await createPasswordLink(control, account_id) };
    }),
  );
  if (gone === undefined || stays === undefined) throw new Error('two accounts were made');
  await removeAccount(control, gone.account_id);

  await expect(findAccount(control, gone.email)).rejects.toThrow('there is no account');
  expect(await findGrant(control, gone.grant.grant_id)).toBeNull();
  expect(await findSession(control, gone.session)).toBeNull();
  expect(await findPasswordLink(control, gone.link.handle)).toBeNull();

  expect(await findAccount(control, stays.email)).toMatchObject({ account_id: stays.account_id });
  expect(await findGrant(control, stays.grant.grant_id)).toMatchObject({ allowlist: [business_id] });
  expect(await findSession(control, stays.session)).toMatchObject({ email: stays.email });
  expect(await findPasswordLink(control, stays.link.handle)).toMatchObject({ email: stays.email });
  await control.destroy();
});
