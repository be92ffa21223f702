import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CATALOGUE } from '../../src/catalogue.ts';
import { listBusinesses } from '../../src/control/businesses/businesses.ts';
import { sampleArguments } from '../support/sample-arguments.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';

interface Demo {
  readonly name: RegExp;
  readonly from_date: string;
  readonly to_date: string;
  /** Tools that its data have nothing to ask for. */
  readonly without?: RegExp;
}

type Listed = Record<string, Record<string, unknown>[]>;

const TOOLS = CATALOGUE.filter(({ scope }) => scope === 'business');

/** Every tool on a demo business. `ask` asks both engines and compares their answers to the last digit. */
export function askEveryTool({ name, from_date, to_date, without }: Demo): void {
  let test: TestInstance;

  beforeAll(async () => {
    test = await createTestInstance();
    await test.importDemos(name);
  });

  afterAll(() => test[Symbol.asyncDispose]());

  describe(String(name), () => {
    let business_id: string;
    let ids: Record<string, unknown>;

    beforeAll(async () => {
      const [business] = await listBusinesses(test.instance.control);
      business_id = business?.business_id ?? '';
      const { products } = (await test.ask('list_products', { business_id, limit: 1 })) as Listed;
      const { campaigns } = (await test.ask('list_campaigns', {
        ...{ business_id, limit: 1, filter_campaign_types: ['targeted-emailing-ab'] },
      })) as Listed;
      const { segments } = (await test.ask('list_segments', { business_id, limit: 1 })) as Listed;
      ids = { ...products?.[0], ...segments?.[0], ...campaigns?.[0] };
    });

    const tools = TOOLS.filter((tool) => !without?.test(tool.name));
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
}
