import { expect, it } from 'vitest';
import { mayImport } from '../../scripts/import-direction.ts';

const domain = (path: string) => `src/domains/${path}.ts`;

it.each([
  ['orders/tools/order-statistics', 'orders/queries/order-metrics', true],
  ['orders/queries/order-metrics', 'orders/tables/orders', true],
  ['traffic/tables/channels', 'traffic/definitions/sites', true],
  ['segments/queries/matching/by-orders', 'segments/definitions/conditions', true],
  ['messages/tools/sms-revenue-statistics', 'messages/revenue-tool', true],
  ['messages/revenue-tool', 'messages/queries/sent', true],
  ['orders/tables/orders', 'orders/queries/order-metrics', false],
  ['orders/queries/order-metrics', 'orders/tools/order-statistics', false],
  ['traffic/definitions/sites', 'traffic/tables/channels', false],
  ['messages/revenue-tool', 'messages/tools/sms-revenue-statistics', false],
  ['messages/queries/sent', 'messages/revenue-tool', false],
  ['segments/tables/segments', 'segments/queries/matching/by-orders', false],
  ['orders/queries/order-metrics', 'orders/helpers/dates', false],
])(
  'the layers of a domain, definitions → tables → queries → tools, hold: %s may import %s: %s',
  (file, target, isAllowed) => {
    expect(mayImport(domain(file), domain(target))).toBe(isAllowed);
  },
);

it.each([
  ['campaigns/tables/campaigns', 'messages/definitions/tracking', true],
  ['campaigns/tables/campaigns', 'messages/queries/sent', false],
  ['orders/tables/orders', 'identity/tables/identity', true],
  ['identity/tables/identity', 'orders/tables/orders', false],
])('and so among domains, those that know others alone: %s may import %s: %s', (file, target, isAllowed) => {
  expect(mayImport(domain(file), domain(target))).toBe(isAllowed);
});

it.each([
  ['src/snapshot/build/build-model.ts', 'src/domains/orders/tables/orders.ts', true],
  ['src/domains/orders/tables/orders.ts', 'src/snapshot/build/build-model.ts', false],
  ['src/cli/main.ts', 'src/version.ts', true],
  ['src/text/plural.ts', 'src/sql/sql.ts', false],
  ['src/demo/prepare-demo.ts', 'src/import/run.ts', true],
  ['src/import/run.ts', 'src/demo/prepare-demo.ts', false],
  ['src/import/run.ts', 'src/ingest/stage-batch.ts', true],
  ['src/ingest/stage-batch.ts', 'src/import/run.ts', false],
  ['src/demo/prepare-demo.ts', 'tools/made-shop/generator/world.ts', false],
  ['tools/made-shop/freeze.ts', 'src/store/tables/all-tables.ts', true],
])('folders point one way: %s may import %s: %s', (file, target, isAllowed) => {
  expect(mayImport(file, target)).toBe(isAllowed);
});

it('lets no step of an import know another: run.ts hands each what the one before it returned', () => {
  expect(mayImport('src/sources/translate-files.ts', 'src/ingest/find-files.ts')).toBe(true);
  expect(mayImport('src/sources/translate-files.ts', 'src/ingest/stage-batch.ts')).toBe(false);
  expect(mayImport('src/snapshot/build-merged.ts', 'src/snapshot/publish.ts')).toBe(false);
});
