import { expect, it } from 'vitest';
import { VendorError } from '../../src/live/vendor.ts';

it('says in which state a vendor is, and when to come back', () => {
  const retryAt = new Date('2026-11-22T12:00:00Z');
  const error = new VendorError('quota', 'the daily quota is used up', { retryAt });
  expect(error).toMatchObject({ state: 'quota', retryAt, message: 'the daily quota is used up' });
});
