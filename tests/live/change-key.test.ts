import { afterEach, beforeEach, expect, it } from 'vitest';
import { openSecrets, readConnection } from '../../src/control/connections.ts';
import { changeKey, connect, ON_COMMAND_LINE } from '../../src/live/connect.ts';
import type { Vendor } from '../../src/live/vendor.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';
import { MadeUpShop, madeUpVendor } from './made-up-shop.ts';

let test: TestInstance;

/** Whose key says whose account it is. */
const vendor: Vendor = {
  ...madeUpVendor(new MadeUpShop()),
  secrets: {
    key: { title: 'Key', description: 'its key' },
    webhookSecret: { title: 'Secret of the webhooks', description: 'of its webhooks', isOptional: true },
  },
  check: async (access) => ({ account: access.secret('key').split(' ')[0] ?? '', missing: [] }),
};

beforeEach(async () => {
  test = await createTestInstance({ isOneEngineEnough: true });
});

afterEach(() => test[Symbol.asyncDispose]());

async function connected() {
  const log = { info: () => {}, warn: () => {}, error: () => {} };
  const context = { ...test.instance, log, signal: new AbortController().signal, naming: ON_COMMAND_LINE };
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
