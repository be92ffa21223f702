import { randomBytes, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { PERMISSIONS } from '../../src/business/business.ts';
import {
  assignedBusinesses,
  createBusiness,
  currentSnapshot,
  findBusiness,
  listBusinesses,
  listSnapshots,
  publishSnapshot,
  readBusiness,
  serveSnapshot,
} from '../../src/control/businesses/businesses.ts';
import type { PublishedSnapshot } from '../../src/control/businesses/published-snapshot.ts';
import { type ControlDatabase, openControlDatabase } from '../../src/control/database/control-database.ts';
import {
  createAccount,
  findAccount,
  grantAccess,
  listAccounts,
  permissionsOn,
  revokeAccess,
} from '../../src/control/people/accounts.ts';
import { grantedCaller, operatorCaller } from '../../src/control/people/callers.ts';
import { createGrant, findGrant, revokeGrant } from '../../src/control/tokens/grants.ts';
import { COMMAND_LINE, signToken, verifyToken } from '../../src/control/tokens/signed-tokens.ts';
import { InputError } from '../../src/errors.ts';
import { ENGINES, openPlaces, type Places } from './engines.ts';

/** Everything that uses the control database, on both engines, with the same expectations. */
let places: Places;

beforeAll(async () => {
  places = await openPlaces();
});

afterAll(() => places[Symbol.asyncDispose]());

/** UTF-8 sorts by code points in byte order: people would sort otherwise, and so does JavaScript's UTF-16. */
const NAMES = [
  'a-b',
  'ab',
  'a b',
  'Zebra',
  'apple',
  'Apple',
  'Äpfel',
  'ábc',
  'Čaj',
  '\uFFFD',
  '😀',
  '10',
  '9',
  '_',
];
const BYTE_ORDER = NAMES.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
const LATER = () => new Date(Date.now() + 3_600_000);

describe.each(ENGINES)('on %s', (engine) => {
  let place: string;
  let control: ControlDatabase;

  beforeEach(async () => {
    place = await places.fresh(engine);
    control = await openControlDatabase(place);
  });

  afterEach(() => control.destroy());

  describe('accounts', () => {
    it('are found by e-mail in any case, and by id', async () => {
      const account = await createAccount(control, { email: ' Ann@Example.com ', password: null });
      expect(account.email).toBe('ann@example.com');
      expect(await findAccount(control, 'ANN@example.COM')).toEqual(account);
      expect(await findAccount(control, account.account_id)).toEqual(account);
    });

    it('keep a hash of the password', async () => {
      await createAccount(control, { email: 'a@b', password: 'long enough to be one' });
      const [row] = await control.selectFrom('accounts').selectAll().execute();
      expect(row?.password_hash).toMatch(/^\$argon2id\$/);
    });

    it('exist once for each e-mail', async () => {
      await createAccount(control, { email: 'ann@example.com', password: null });
      await expect(createAccount(control, { email: 'Ann@example.com', password: null })).rejects.toThrow(
        new InputError('there is already an account with the e-mail ann@example.com'),
      );
      expect(await listAccounts(control)).toHaveLength(1);
    });

    it('exist once for each e-mail, also when two make it at once', async () => {
      const both = [1, 2].map(() => createAccount(control, { email: 'ann@example.com', password: null }));
      const states = (await Promise.allSettled(both)).map(({ status }) => status);
      expect(states.toSorted()).toEqual(['fulfilled', 'rejected']);
    });

    it('are not found when they do not exist', async () => {
      await createAccount(control, { email: 'ann@example.com', password: null });
      for (const key of ['bob@example.com', randomUUID(), '', "' or 1=1 --", '%']) {
        await expect(findAccount(control, key)).rejects.toThrow(`there is no account ${key}`);
      }
    });

    it('are listed by the bytes of their e-mail', async () => {
      const names = NAMES.map((name) => name.replace(' ', '.').toLowerCase());
      for (const name of new Set(names)) await createAccount(control, { email: `${name}@x`, password: null });
      const listed = (await listAccounts(control)).map(({ email }) => email);
      expect(listed).toEqual(listed.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))));
      expect(listed).toHaveLength(new Set(names).size);
    });
  });

  describe('businesses', () => {
    it('come back as they were made', async () => {
      const business = await createBusiness(control, {
        name: ' Šaty & boty 👗 ',
        timezone: 'Europe/Prague',
        currency: 'czk',
        link: 'https://example.com/?a=1',
        id: '3F2504E0-4F89-11D3-9A0C-0305E82C3301',
      });
      expect(business).toEqual({
        business_id: '3f2504e0-4f89-11d3-9a0c-0305e82c3301',
        name: 'Šaty & boty 👗',
        link: 'https://example.com/?a=1',
        timezone: 'Europe/Prague',
        primary_currency: 'CZK',
      });
      expect(await findBusiness(control, business.business_id.toUpperCase())).toEqual(business);
      const bare = await createBusiness(control, { name: 'Bare' });
      expect(await readBusiness(control, bare.business_id)).toEqual({
        ...bare,
        link: null,
        timezone: null,
        primary_currency: null,
      });
    });

    it('exist once for each id', async () => {
      const { business_id } = await createBusiness(control, { name: 'One' });
      await expect(createBusiness(control, { name: 'Two', id: business_id })).rejects.toThrow(
        new InputError(`there is already a business with the id ${business_id}`),
      );
      expect(await listBusinesses(control)).toMatchObject([{ name: 'One' }]);
    });

    it('are not found when they do not exist', async () => {
      const id = randomUUID();
      await expect(findBusiness(control, id)).rejects.toThrow(`there is no business ${id}`);
      expect(await readBusiness(control, "x' or 'a' = 'a")).toBeNull();
    });

    it('are listed by the bytes of their name, then by id', async () => {
      const account = await createAccount(control, { email: 'a@b', password: null });
      for (const name of [...NAMES, 'ab', 'ab']) {
        const { business_id } = await createBusiness(control, { name });
        await grantAccess(control, account.account_id, business_id, []);
      }
      const listed = await listBusinesses(control);
      expect([...new Set(listed.map(({ name }) => name))]).toEqual(BYTE_ORDER);
      const ids = listed.filter(({ name }) => name === 'ab').map(({ business_id }) => business_id);
      expect(ids).toEqual(ids.toSorted());
      expect(await assignedBusinesses(control, account.account_id)).toEqual(listed);
    });

    it('have no NUL in their name', async () => {
      await expect(createBusiness(control, { name: 'a\0b' })).rejects.toThrow(
        new InputError('the name of a business must be one line, without control characters'),
      );
      for (const [name, message] of [
        ['x'.repeat(101), 'the name of a business must have at most 100 characters; this one has 101'],
        ['x'.repeat(10_240), 'the name of a business must have at most 100 characters; this one has 10240'],
        ...[
          'shop\u202epohs',
          'a\u200bb',
          `ad\u{e0069}\u{e0067}`,
          `Z${'\u0335'.repeat(50)}`,
          '\u2800',
          '\ud800x',
        ].map((hidden) => [
          hidden,
          'the name of a business must be visible text: without invisible characters, marks that turn the direction of text, and piles of accents',
        ]),
        ['two\nlines', 'the name of a business must be one line, without control characters'],
      ] as const)
        await expect(createBusiness(control, { name: name as string }), JSON.stringify(name)).rejects.toThrow(
          new InputError(message as string),
        );
      await expect(findAccount(control, 'a@b\0')).rejects.toThrow(
        new InputError('a text contains the character NUL (U+0000); leave it out'),
      );
      expect(await listBusinesses(control)).toEqual([]);
    });
  });

  describe('access', () => {
    it('adds up, is listed, and ends with the assignment', async () => {
      const { account_id } = await createAccount(control, { email: 'a@b', password: null });
      const one = await createBusiness(control, { name: 'One' });
      const two = await createBusiness(control, { name: 'Two' });
      const [first, second, ...others] = PERMISSIONS;
      await grantAccess(control, account_id, one.business_id, [second]);
      await grantAccess(control, account_id, one.business_id, [second, first]);
      await grantAccess(control, account_id, two.business_id, []);
      expect(await permissionsOn(control, account_id, one.business_id)).toEqual([first, second]);
      expect(await permissionsOn(control, account_id, two.business_id)).toEqual([]);
      expect(await permissionsOn(control, account_id, randomUUID())).toBeNull();
      const businesses = [
        { business_id: one.business_id, permissions: [first, second] },
        { business_id: two.business_id, permissions: [] },
      ].toSorted((a, b) => (a.business_id < b.business_id ? -1 : 1));
      expect(await listAccounts(control)).toEqual([{ account_id, email: 'a@b', businesses }]);

      await revokeAccess(control, account_id, one.business_id);
      expect(await permissionsOn(control, account_id, one.business_id)).toBeNull();
      await expect(revokeAccess(control, account_id, one.business_id)).rejects.toThrow(
        'the account is not assigned to this business',
      );
      await grantAccess(control, account_id, one.business_id, others);
      expect(await permissionsOn(control, account_id, one.business_id)).toEqual(others);
    });

    it('is given to no one who does not exist, and then not in part', async () => {
      const { business_id } = await createBusiness(control, { name: 'One' });
      await expect(grantAccess(control, randomUUID(), business_id, PERMISSIONS)).rejects.toThrow(
        /foreign key/i,
      );
      expect(await control.selectFrom('permissions').selectAll().execute()).toEqual([]);
    });
  });

  describe('grants and tokens', () => {
    it('name the businesses that they were given', async () => {
      const { account_id } = await createAccount(control, { email: 'a@b', password: null });
      const [one, two, three] = await Promise.all(
        ['One', 'Two', 'Three'].map((name) => createBusiness(control, { name })),
      );
      if (one === undefined || two === undefined || three === undefined) throw new Error('three were made');
      for (const { business_id } of [one, two])
        await grantAccess(control, account_id, business_id, PERMISSIONS);
      const all = await createGrant(control, { account_id, allowlist: null, expires_at: LATER() });
      const allowlist = [one.business_id, three.business_id];
      const listed = await createGrant(control, { account_id, allowlist, expires_at: LATER() });
      expect(await findGrant(control, all.grant_id)).toMatchObject(all);
      expect((await findGrant(control, listed.grant_id))?.allowlist?.toSorted()).toEqual(
        allowlist.toSorted(),
      );
      expect(await grantedCaller(control, all).businesses()).toEqual([one, two]);
      expect(await grantedCaller(control, listed).businesses()).toEqual([one]);
      expect(await operatorCaller(control).businesses()).toEqual([one, three, two]);
    });

    it('end by time and when they are revoked', async () => {
      const { account_id } = await createAccount(control, { email: 'a@b', password: null });
      const over = await createGrant(control, { account_id, allowlist: null, expires_at: new Date() });
      expect(await findGrant(control, over.grant_id)).toBeNull();
      const grant = await createGrant(control, { account_id, allowlist: null, expires_at: LATER() });
      await revokeGrant(control, grant.grant_id);
      expect(await findGrant(control, grant.grant_id)).toBeNull();
      expect(await findGrant(control, randomUUID())).toBeNull();
    });

    it('are not made for a business that does not exist, and then not in part', async () => {
      const { account_id } = await createAccount(control, { email: 'a@b', password: null });
      const options = { account_id, allowlist: [randomUUID()], expires_at: LATER() };
      await expect(createGrant(control, options)).rejects.toThrow(/foreign key/i);
      expect(await control.selectFrom('grants').selectAll().execute()).toEqual([]);
    });

    it('are signed with a key that is kept, sealed, and verified with it', async () => {
      const secret = randomBytes(32);
      const token = { grant_id: randomUUID(), account_id: randomUUID(), expires_at: LATER() };
      const { access_token } = await signToken(control, secret, token);
      const again = await signToken(control, secret, token);
      const keys = await control.selectFrom('signing_keys').selectAll().execute();
      expect(keys).toHaveLength(1);
      expect(keys[0]?.public_jwk).not.toContain('"d"');
      const verified = { grant_id: token.grant_id, account_id: token.account_id };
      expect(await verifyToken(control, access_token, [COMMAND_LINE])).toMatchObject(verified);
      expect(await verifyToken(control, again.access_token, [COMMAND_LINE])).toMatchObject(verified);
      expect(await verifyToken(control, `${access_token}x`, [COMMAND_LINE])).toBeNull();
      // Another secret opens no key, so it makes its own; both verify.
      const other = await signToken(control, randomBytes(32), token);
      expect(await control.selectFrom('signing_keys').selectAll().execute()).toHaveLength(2);
      expect(await verifyToken(control, other.access_token, [COMMAND_LINE])).toMatchObject(verified);
      expect(await verifyToken(control, access_token, [COMMAND_LINE])).toMatchObject(verified);
    });
  });

  describe('snapshots', () => {
    const FACTS = { note: 'ž', nested: [1, null] } as unknown as PublishedSnapshot['facts'];
    const snapshot = (snapshot_id: string): PublishedSnapshot => ({
      snapshot_id,
      model_version: '0.1.0+0123456789ab',
      facts: FACTS,
      created_at: '2024-01-01T00:00:00.000Z',
      rebuilt_from: null,
    });

    it('are published, rolled back to, and dropped', async () => {
      const { business_id } = await createBusiness(control, { name: 'One' });
      const other = await createBusiness(control, { name: 'Two' });
      expect(await currentSnapshot(control, business_id)).toBeNull();
      await publishSnapshot(control, business_id, snapshot('20240101-a'), []);
      await publishSnapshot(control, business_id, snapshot('20240101-B'), []);
      await publishSnapshot(control, business_id, snapshot('20240102-a'), []);
      await publishSnapshot(control, other.business_id, snapshot('20240101-a'), []);
      expect(await currentSnapshot(control, business_id)).toEqual(snapshot('20240102-a'));
      const ids = async () => (await listSnapshots(control, business_id)).map((kept) => kept.snapshot_id);
      expect(await ids()).toEqual(['20240102-a', '20240101-a', '20240101-B']);

      await serveSnapshot(control, business_id, '20240101-a');
      expect(await currentSnapshot(control, business_id)).toEqual(snapshot('20240101-a'));
      await expect(serveSnapshot(control, business_id, '20230101-a')).rejects.toThrow(
        'there is no snapshot 20230101-a',
      );
      await publishSnapshot(control, business_id, snapshot('20240103-a'), ['20240101-a', '20240101-B']);
      expect(await ids()).toEqual(['20240103-a', '20240102-a']);
      expect(await currentSnapshot(control, other.business_id)).toEqual(snapshot('20240101-a'));
    });

    it('change nothing when they are there already', async () => {
      const { business_id } = await createBusiness(control, { name: 'One' });
      await publishSnapshot(control, business_id, snapshot('1'), []);
      await publishSnapshot(control, business_id, snapshot('2'), []);
      await expect(publishSnapshot(control, business_id, snapshot('1'), ['2'])).rejects.toThrow(/unique/i);
      expect((await currentSnapshot(control, business_id))?.snapshot_id).toBe('2');
      expect(await listSnapshots(control, business_id)).toHaveLength(2);
    });

    it('are all there when many come at once', async () => {
      const { business_id } = await createBusiness(control, { name: 'One' });
      const ids = Array.from({ length: 40 }, (_, index) => String(100 + index));
      await Promise.all(ids.map((id) => publishSnapshot(control, business_id, snapshot(id), [])));
      expect((await listSnapshots(control, business_id)).map((kept) => kept.snapshot_id)).toEqual(
        ids.toReversed(),
      );
      expect(ids).toContain((await currentSnapshot(control, business_id))?.snapshot_id);
    });
  });

  it('integers are numbers, of 53 bits too', async () => {
    const { business_id } = await createBusiness(control, { name: 'One' });
    await control
      .updateTable('businesses')
      .set({ attribution_click_window_h: Number.MAX_SAFE_INTEGER })
      .where('business_id', '=', business_id)
      .execute();
    const { hours, rows } = await control
      .selectFrom('businesses')
      .select(['attribution_click_window_h as hours', sql<number>`count(*) over ()`.as('rows')])
      .where('business_id', '=', business_id)
      .executeTakeFirstOrThrow();
    expect({ hours, rows }).toEqual({ hours: Number.MAX_SAFE_INTEGER, rows: 1 });
  });

  it('opens again with what it kept', async () => {
    const business = await createBusiness(control, { name: 'One' });
    const reopened = await openControlDatabase(place);
    expect(await listBusinesses(reopened)).toEqual([business]);
    await reopened.destroy();
  });
});
