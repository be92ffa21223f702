import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CATALOGUE } from '../../src/catalogue.ts';
import { listBusinesses } from '../../src/control/businesses.ts';
import { prepareDemo } from '../../src/demo/prepare-demo.ts';
import { sampleArguments } from '../support/sample-arguments.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';

/** Every tool on the two demo businesses. `test.ask` asks both engines and compares their answers to the last digit. */
let test: TestInstance;

beforeAll(async () => {
  test = await createTestInstance();
  await prepareDemo(test.instance, { progress: (_title, work) => work(() => {}) });
}, 120_000);

afterAll(() => test[Symbol.asyncDispose]());

const BUSINESSES = [
  { name: /Online Retail/, from_date: '2011-01-01T00:00:00', to_date: '2011-06-30T23:59:59' },
  { name: /Kamenice/, from_date: '2026-01-01T00:00:00', to_date: '2026-06-30T23:59:59' },
];
/** The demo has no campaigns and segments yet: these tools find nothing there to show. */
const TOOLS = CATALOGUE.filter(
  ({ scope, name }) => scope === 'business' && !/^(get_campaign|get_segment|campaign_variant)/.test(name),
);

describe.each(BUSINESSES)('$name', ({ name, from_date, to_date }) => {
  let business_id: string;
  let external_product_id: string;

  beforeAll(async () => {
    const businesses = await listBusinesses(test.instance.control);
    business_id = businesses.find((business) => name.test(business.name))?.business_id ?? '';
    const { products } = (await test.ask('list_products', { business_id, limit: 1 })) as {
      products: { external_product_id: string }[];
    };
    external_product_id = products[0]?.external_product_id ?? '';
  });

  it.each(TOOLS.map((tool) => [tool.name, tool] as const))('%s', async (_name, tool) => {
    const args: Record<string, unknown> = sampleArguments(tool.name, business_id);
    if ('from_date' in args) Object.assign(args, { from_date, to_date });
    if ('external_product_id' in args) args.external_product_id = external_product_id;
    expect(await test.ask(tool.name, args)).toMatchObject({ business_id });
  });
});
