/**
 * One of the two that `compare.ts` asks in turns: imports the made shop by the code of a tree, and asks each
 * tool once whenever it is told to.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';

export type Costs = Readonly<Record<string, { readonly processor: number; readonly time: number }>>;

const [tree = '', data = ''] = process.argv.slice(2);
/** Where a file lies, or where it lay in states before. */
const from = (...places: string[]) =>
  import(places.map((place) => join(tree, 'src', place)).find((path) => existsSync(path)) ?? '');
const { CATALOGUE, EXTENSION_TOOLS } = await from('catalogue.ts');
const { operatorCaller } = await from('control/people/callers.ts', 'control/callers.ts');
const { createBusiness } = await from('control/businesses/businesses.ts', 'control/businesses.ts');
const { DEMO_BUSINESSES } = await from('demo/prepare-demo.ts');
const { importFolder } = await from('import/run.ts');
const { runTool } = await from('asking/run-tool.ts', 'mcp/run-tool.ts');
const { openInstance } = await from('server/instance.ts');
const { readSettings } = await from('server/settings.ts');
const { toolEnvironment } = await from('server/tool-environment.ts');
const { openWarehouse } = await from('server/open-warehouse.ts', 'server/warehouse.ts');

const settings = readSettings({ STORESIGHT_DATA: data });
const instance = await openInstance(settings);
const shop = DEMO_BUSINESSES.at(-1);
const business = await createBusiness(instance.control, shop);
await importFolder(instance, business, shop.folder);
const environment = toolEnvironment(instance, await openWarehouse(instance, settings));
const caller = operatorCaller(instance.control);

const range = { from_date: '2026-05-01', to_date: '2026-05-31' };
const CALLS: Readonly<Record<string, object>> = {
  order_statistics: range,
  order_statistics_trend: { ...range, breakdown: 'day' },
  product_statistics: range,
  session_statistics: range,
  email_campaign_statistics: range,
  first_purchase_cohorts: { from_date: '2025-01-01', to_date: '2026-05-31' },
  list_products: {},
  query_metrics: { ...range, metrics: ['revenue', 'orders_count'], group_by: ['channel'] },
};

const asked = Object.entries(CALLS).flatMap(([name, args]) => {
  const tool = [...CATALOGUE, ...EXTENSION_TOOLS].find((one: { name: string }) => one.name === name);
  const { business_id } = business;
  const store = tool?.scope === 'stores' ? { business_ids: [business_id] } : { business_id };
  return tool === undefined ? [] : [{ name, tool, args: { ...store, ...args } }];
});

process.on('message', async () => {
  const costs: [string, Costs[string]][] = [];
  for (const { name, tool, args } of asked) {
    const [startedAt, used] = [performance.now(), process.cpuUsage()];
    await runTool(environment, tool, args, caller);
    const { user, system } = process.cpuUsage(used);
    costs.push([name, { processor: (user + system) / 1000, time: performance.now() - startedAt }]);
  }
  process.send?.(Object.fromEntries(costs));
});
