import { afterAll, expect, it } from 'vitest';
import { createTestInstance } from '../support/test-instance.ts';
import { daysOf, expectNothingChanged, LATE } from './failing-update.ts';
import { importFiles } from './shop.ts';

/** Updates that fail sooner than at the last step, which `update-business.test.ts` has. */
const test = await createTestInstance({ isOneEngineEnough: true });
afterAll(() => test[Symbol.asyncDispose]());

it.each(['building orders', 'checking'])(
  'settings and data are those of before when it fails at %s',
  async (when) => {
    const business = await test.createBusiness({ currency: 'CZK' });
    await importFiles(test, business, LATE);
    expect(await daysOf(test, business)).toEqual([['2024-05-01', 10]]);
    await expectNothingChanged(test, business, when);
  },
);
