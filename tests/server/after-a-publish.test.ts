// Nothing is remembered between calls: what a publish changes is seen by the next call of every server.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runTool } from '../../src/asking/run-tool.ts';
import { CATALOGUE } from '../../src/catalogue.ts';
import { operatorCaller } from '../../src/control/people/callers.ts';
import { openWarehouse } from '../../src/server/open-warehouse.ts';
import { toolEnvironment } from '../../src/server/tool-environment.ts';
import { emptyStore } from '../oracle/store.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';

let test: TestInstance;

beforeAll(async () => {
  test = await createTestInstance({ isOneEngineEnough: true });
});

afterAll(() => test[Symbol.asyncDispose]());

it('the call after an import answers with it, here and on another server of the same folder', async () => {
  const business = await test.createBusiness({ timezone: 'UTC', currency: 'EUR' });
  const { business_id } = business;
  const other = await openWarehouse(test.instance, test.settings);
  const environments = [test.environment, toolEnvironment(test.instance, other)];
  const tool = CATALOGUE.find(({ name }) => name === 'order_statistics');
  if (tool === undefined) throw new Error('there is no order_statistics');
  const args = { business_id, from_date: '2024-01-01', to_date: '2024-12-31' };
  const caller = operatorCaller(test.instance.control);
  const orders = { ...emptyStore({ timezone: 'UTC', primary_currency: 'EUR' }) };
  for (let count = 1; count <= 3; count += 1) {
    await test.importStore(business, {
      ...orders,
      orders: Array.from({ length: count }, (_, index) => ({
        ...{ order_id: `o${index}`, ordered_at: '2024-05-01T10:00:00', total: '10' },
      })),
    });
    for (const environment of environments)
      expect((await runTool(environment, tool, args, caller)).result).toMatchObject({ orders_count: count });
  }
  await other.close();
});
