import { afterEach, beforeEach, expect, it } from 'vitest';
import { openSecrets, readConnection } from '../../src/control/connections/connections.ts';
import { changeKey, connect, ON_COMMAND_LINE } from '../../src/live/connect.ts';
import { tryHere } from '../../src/live/try-key.ts';
import type { Vendor } from '../../src/live/vendor.ts';
import { shopify } from '../../src/live/vendors/shopify/shopify.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';
import { MadeUpShop, madeUpVendor } from './made-up-shop.ts';
import { seededRandom } from './stubs/random.ts';
import { MadeShop } from './stubs/shopify/made-shop.ts';
import { CLIENT, startShopifyStub } from './stubs/shopify/shopify-stub.ts';
import { Clock } from './stubs/stub-access.ts';

let test: TestInstance;

/** The vendor says by the key whose account it is. */
const vendor: Vendor = {
  ...madeUpVendor(new MadeUpShop()),
  secrets: {
    key: { title: 'Key', description: 'its key' },
    webhookSecret: { title: 'Secret of the webhooks', description: 'of its webhooks', isOptional: true },
  },
  check: async (access) => ({ account: access.secret('key').split(' ')[0] ?? '', missing: [] }),
  webhook: { secret: 'webhookSecret', signedBy: 'x-signature', mostBytes: () => 100, read: () => null },
};

beforeEach(async () => {
  test = await createTestInstance({ isOneEngineEnough: true });
});

afterEach(() => test[Symbol.asyncDispose]());

async function connected() {
  const log = { info: () => {}, warn: () => {}, error: () => {} };
  const { signal } = new AbortController();
  const context = { ...test.instance, log, signal, naming: ON_COMMAND_LINE, tryKey: tryHere };
  const business = await test.createBusiness({ currency: 'EUR', timezone: 'UTC' });
  const { connection } = await connect(context, business, {
    ...{ vendor, settings: { shop: 'example.com' } },
    secrets: { key: 'Ann 1', webhookSecret: 'planted' },
  });
  const secretsNow = async () => {
    const read = await readConnection(test.instance.control, connection.connection_id);
    if (read === null) throw new Error('it is gone');
    return openSecrets(test.instance.secret, read);
  };
  return { context, connection, secretsNow };
}

it('another key leaves the secret of the webhooks as it is, unless that is given too', async () => {
  const { context, connection, secretsNow } = await connected();
  await changeKey(context, connection, vendor, { secrets: { key: 'Ann 2' } });
  expect(await secretsNow()).toEqual({ key: 'Ann 2', webhookSecret: 'planted' });
  await changeKey(context, connection, vendor, { secrets: { key: 'Ann 3', webhookSecret: 'new' } });
  expect(await secretsNow()).toEqual({ key: 'Ann 3', webhookSecret: 'new' });
  await expect(changeKey(context, connection, vendor, { secrets: { webhookSecret: 'new' } })).rejects.toThrow(
    'needs key',
  );
});

it('an account that was renamed or moved is the same, as far as the vendor or its address says so', async () => {
  const { context, connection } = await connected();
  const now = async () => {
    const read = await readConnection(test.instance.control, connection.connection_id);
    if (read === null) throw new Error('it is gone');
    return read;
  };
  const known: Vendor = {
    ...vendor,
    check: async (access) => ({
      ...{ account: access.secret('key').split(' ')[0] ?? '', accountId: access.secret('key').split(' ')[1] },
      missing: [],
    }),
  } as Vendor;
  // The id is remembered when it is first told.
  await changeKey(context, await now(), known, { secrets: { key: 'Ann 1' } });
  await changeKey(context, await now(), known, { secrets: { key: 'Anna 1' } });
  expect(await now()).toMatchObject({ account: 'Anna', account_id: '1' });
  await expect(changeKey(context, await now(), known, { secrets: { key: 'Anna 2' } })).rejects.toThrow(
    'nothing was changed',
  );
  // Another address of it, with the key as it is.
  await changeKey(context, await now(), known, { secrets: {}, settings: { shop: 'moved.example.com' } });
  expect(await now()).toMatchObject({ account_id: '1', settings: { shop: 'moved.example.com' } });
  // Who has no ids is known by the address.
  const addressed: Vendor = { ...vendor, addressSetting: 'shop' };
  await changeKey(context, await now(), addressed, { secrets: { key: 'Bob 3' } });
  await expect(
    changeKey(context, await now(), addressed, {
      ...{ secrets: { key: 'Cat 4' }, settings: { shop: 'other.example.com' } },
    }),
  ).rejects.toThrow('nothing was changed');
  expect(await now()).toMatchObject({ account: 'Bob', settings: { shop: 'moved.example.com' } });
});

it('a key of another account is refused, and nothing changes', async () => {
  const { context, connection, secretsNow } = await connected();
  await expect(changeKey(context, connection, vendor, { secrets: { key: 'Bob 1' } })).rejects.toThrow(
    'this key is of Bob, and made-up reads Ann, so nothing was changed',
  );
  expect(await secretsNow()).toEqual({ key: 'Ann 1', webhookSecret: 'planted' });
});

it('a connection uses the key that was given last, and keeps the old one when the new one is refused', async () => {
  const random = seededRandom(7);
  const clock = new Clock('2026-11-22T12:00:00Z');
  await using stub = await startShopifyStub(new MadeShop(random, clock), clock, random);
  const log = { info: () => {}, warn: () => {}, error: () => {} };
  const { signal } = new AbortController();
  const context = { ...test.instance, log, signal, naming: ON_COMMAND_LINE, tryKey: tryHere };
  const allowing = { ...context, allowsLoopback: true };
  const business = await test.createBusiness({ currency: 'EUR', timezone: 'UTC' });
  const shop = stub.url.replace('http://', '');
  const made = await connect(allowing, business, {
    ...{ vendor: shopify, settings: { shop, clientId: CLIENT.id }, secrets: { clientSecret: CLIENT.secret } },
  });
  const now = async () => {
    const read = await readConnection(test.instance.control, made.connection.connection_id);
    if (read === null) throw new Error('it is gone');
    return { ...read, secrets: openSecrets(test.instance.secret, read) };
  };
  const change = async (secrets: Record<string, string>, settings: Record<string, string> = {}) =>
    changeKey(allowing, await now(), shopify, { secrets, settings });
  const before = await now();
  await expect(change({})).rejects.toThrow('no key was given');
  await expect(change({ accessToken: 'shpat_wrong' })).rejects.toThrow('does not take the token');
  await expect(change({ clientSecret: 'wrong' })).rejects.toThrow('gives no token');
  await expect(change({ accessToken: 'shpat_wrong' }, { clientId: CLIENT.id })).rejects.toThrow(
    'accessToken was not needed beside the rest',
  );
  expect(await now()).toEqual(before);

  const granted = await fetch(`${stub.url}/admin/oauth/access_token`, {
    method: 'POST',
    body: new URLSearchParams({
      ...{ grant_type: 'client_credentials', client_id: CLIENT.id, client_secret: CLIENT.secret },
    }),
  });
  const { access_token: accessToken } = (await granted.json()) as { access_token: string };
  expect((await change({ accessToken })).untried).toEqual([]);
  expect(await now()).toMatchObject({
    settings: { shop },
    secrets: { accessToken, clientSecret: CLIENT.secret },
  });
  // The client secret signs the webhooks when there is a token, which no try shows.
  expect((await change({ clientSecret: 'of the old app' })).untried).toEqual(['clientSecret']);
  expect((await change({ clientSecret: CLIENT.secret }, { clientId: CLIENT.id })).untried).toEqual([]);
  expect(await now()).toMatchObject({ settings: { shop, clientId: CLIENT.id } });
});

it('a key that does not tell whose it is takes the place of none whose account is known', async () => {
  const { context, connection } = await connected();
  const named: Vendor = {
    ...vendor,
    check: async (access) => {
      const [account = '', accountId] = access.secret('key').split(' ');
      return accountId === undefined
        ? { account: vendor.title, missing: [] }
        : { account, accountId, missing: [] };
    },
  };
  const change = async (key: string) => {
    const read = await readConnection(test.instance.control, connection.connection_id);
    if (read === null) throw new Error('it is gone');
    return changeKey(context, read, named, { secrets: { key } });
  };
  const refusal = 'this key may not read whose account it is, and made-up reads Ann, so nothing was changed';
  // Its name is known.
  await expect(change('of-another-account')).rejects.toThrow(refusal);
  await change('Ann 7');
  // Its id is.
  await expect(change('of-another-account')).rejects.toThrow(refusal);
  await change('Anna 7');
});
