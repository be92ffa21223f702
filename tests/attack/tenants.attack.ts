import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { ask } from '../server/requests.ts';
import { report } from './report.ts';
import { Target } from './target.ts';

const SHOP = fileURLToPath(new URL('../fixtures/hand-made-shop', import.meta.url));

it('another business stays closed', async () => {
  await using target = await Target.open();
  const own = await target.makeShop({ name: 'Own', currency: 'CZK' }, SHOP);
  const other = await target.makeShop({ name: 'Other', currency: 'CZK' }, SHOP);
  const { token } = await target.signIn([own]);
  const server = await target.serve();
  const [answer] = await ask(server.url, token, 'list_products', { business_id: other.business_id });
  expect(answer).toBe('account is not assigned to this business');
  report('tenants', { counts: { calls: 1 }, worst: { memory_mb: await server.memoryMb() } });
});
