import { randomBytes } from 'node:crypto';
import { expect, it, vi } from 'vitest';
import { Records, SIMULTANEOUS_MS } from '../../src/oauth/storage/records.ts';
import { createTestInstance } from '../support/test-instance.ts';

it('a request that found a code unused, and is slow, does not redeem it after another', async () => {
  await using test = await createTestInstance();
  const codes = new Records(test.instance.control, randomBytes(32), 'AuthorizationCode');
  await codes.upsert('code', {}, 600);
  expect(await codes.find('code')).not.toHaveProperty('consumed');
  await codes.consume('code');
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + SIMULTANEOUS_MS + 1 });
  await expect(codes.consume('code')).rejects.toThrow('invalid_grant');
});
