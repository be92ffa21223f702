import { expect, it } from 'vitest';
import { operatorCaller } from '../../src/control/people/callers.ts';
import { KeptAnswers } from '../../src/mcp/kept-answers.ts';
import { messagesIn } from '../../src/messages/messages.ts';
import { readAsked } from '../../src/overview/asked-overview.ts';
import { readOverview } from '../../src/overview/read-overview.ts';
import { askOverviewAhead } from '../../src/server/overview-ahead.ts';
import { toolEnvironment } from '../../src/server/tool-environment.ts';
import { emptyStore } from '../oracle/store.ts';
import { createTestInstance } from '../support/test-instance.ts';

it('an overview that was asked for ahead asks the warehouse nothing, in whatever language', async () => {
  await using test = await createTestInstance({ isOneEngineEnough: true });
  const { control } = test.instance;
  const business = await test.createBusiness({ timezone: 'Europe/Prague', currency: 'CZK' });
  const store = emptyStore({ timezone: 'Europe/Prague', primary_currency: 'CZK' });
  store.orders = ['2026-07-05', '2026-08-05', '2026-08-20'].map((day, index) => ({
    ...{ order_id: `o${index}`, ordered_at: `${day}T10:00:00Z`, external_customer_id: 'c1' },
    ...{ total: '10', currency: 'CZK' },
  }));
  await test.importStore(business, store);
  const kept = new KeptAnswers(1024 ** 2);
  const environment = toolEnvironment(test.instance, test.warehouse, { kept });
  await askOverviewAhead(environment, control, business.business_id);
  const { missed } = kept.state;
  expect(missed).toBeGreaterThan(5);
  const asked = readAsked({});
  const caller = operatorCaller(control);
  const overview = await readOverview(environment, caller, business, asked, messagesIn('de-DE'));
  expect(overview?.cards.find(({ key }) => key === 'orders')?.value).toBe(2);
  expect([kept.state.missed, kept.state.found]).toEqual([missed, missed]);
});
