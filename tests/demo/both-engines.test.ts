import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toolPages } from '../../scripts/tool-docs.ts';
import { CATALOGUE } from '../../src/catalogue.ts';
import { listBusinesses } from '../../src/control/businesses.ts';
import { sampleArguments } from '../support/sample-arguments.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';

/** Every tool on the two demo businesses. `test.ask` asks both engines and compares their answers to the last digit. */
let test: TestInstance;

beforeAll(async () => {
  test = await createTestInstance();
  await test.importDemos();
}, 120_000);

afterAll(() => test[Symbol.asyncDispose]());

const TOOLS = CATALOGUE.filter(({ scope }) => scope === 'business');
/** They ask for one thing by its id, and the real data have no campaigns and segments. */
const BY_ID = /^(get_campaign|campaign_|get_segment$)/;

const BUSINESSES = [
  {
    name: /Online Retail/,
    from_date: '2011-01-01T00:00:00',
    to_date: '2011-06-30T23:59:59',
    tools: TOOLS.filter(({ name }) => !BY_ID.test(name)),
  },
  { name: /Kamenice/, from_date: '2026-01-01T00:00:00', to_date: '2026-06-30T23:59:59', tools: TOOLS },
];

describe.each(BUSINESSES)('$name', ({ name, from_date, to_date, tools }) => {
  let business_id: string;
  let ids: Record<string, unknown>;

  beforeAll(async () => {
    const businesses = await listBusinesses(test.instance.control);
    business_id = businesses.find((business) => name.test(business.name))?.business_id ?? '';
    const { products } = (await test.ask('list_products', { business_id, limit: 1 })) as Listed;
    const { campaigns } = (await test.ask('list_campaigns', {
      ...{ business_id, limit: 1, filter_campaign_types: ['targeted-emailing-ab'] },
    })) as Listed;
    const { segments } = (await test.ask('list_segments', { business_id, limit: 1 })) as Listed;
    ids = { ...products?.[0], ...segments?.[0], ...campaigns?.[0] };
  });

  it.each(tools.map((tool) => [tool.name, tool] as const))('%s', async (_name, tool) => {
    const args: Record<string, unknown> = sampleArguments(tool.name, business_id);
    if ('from_date' in args) Object.assign(args, { from_date, to_date });
    for (const id of ['external_product_id', 'campaign_id', 'segment_id']) {
      if (id in args) args[id] = ids[id];
    }
    if ('campaign_ids' in args) args.campaign_ids = [ids.campaign_id];
    expect(await test.ask(tool.name, args)).toMatchObject({ business_id });
  });
});

it('answers what docs/tools shows (else run `npm run generate`)', async () => {
  const pages = await toolPages((tool, args) => test.ask(tool, args));
  expect(pages.size).toBeGreaterThan(10);
  for (const [path, text] of pages) expect(readFileSync(path, 'utf8'), path).toBe(text);
});

type Listed = Record<string, Record<string, unknown>[]>;
