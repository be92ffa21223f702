// What clients add, misspell or leave at null.
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { knownArguments } from '../../src/asking/given-arguments.ts';
import { CATALOGUE } from '../../src/catalogue.ts';
import { InputError } from '../../src/errors.ts';
import { withoutNulls } from '../../src/text/without-nulls.ts';
import { everyThirdInQuick } from '../support/runs.ts';
import { requiredArguments, sampleArguments } from '../support/sample-arguments.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';

const namesOf = (tool: string) => Object.keys(CATALOGUE.find(({ name }) => name === tool)?.input.shape ?? {});

const ALL = new Set(CATALOGUE.flatMap(({ input }) => Object.keys(input.shape)));

describe('an argument that does not exist', () => {
  it.each([
    // Misspelled, written otherwise, or called as other systems call it.
    ['order_statistics', 'form_date', 'from_date'],
    ['order_statistics', 'fromDate', 'from_date'],
    ['order_statistics', 'FROM-DATE', 'from_date'],
    ['order_statistics', 'from', 'from_date'],
    ['order_statistics', 'start_date', 'from_date'],
    ['order_statistics', 'date_from', 'from_date'],
    ['order_statistics', 'since', 'from_date'],
    ['order_statistics', 'todate', 'to_date'],
    ['order_statistics', 'endDate', 'to_date'],
    ['order_statistics', 'until', 'to_date'],
    ['order_statistics', 'date', 'from_date or to_date'],
    ['order_statistics', 'store_id', 'business_id'],
    ['order_statistics', 'bussiness_id', 'business_id'],
    ['order_statistics_trend', 'granularity', 'breakdown'],
    ['order_statistics_trend', 'break_down', 'breakdown'],
    ['product_statistics', 'order_by', 'sort_by'],
    ['product_statistics', 'page_size', 'limit'],
    ['product_statistics', 'limits', 'limit'],
    ['product_statistics', 'skip', 'offset'],
    ['product_statistics', 'brands', 'filter_brands'],
    ['product_statistics', 'filter_category', 'filter_categories'],
    ['product_statistics', 'product_ids', 'filter_external_product_ids'],
    ['list_products', 'query', 'search'],
    ['list_products', 'min_stock', 'min_stock_quantity'],
  ])('is an error of %s, where %s is answered by %s', (tool, name, meant) => {
    expect(() => knownArguments({ [name]: 1 }, namesOf(tool), ALL)).toThrow(
      new RegExp(`^unknown argument ${name}: is ${meant} meant\\? Arguments are business_id, `),
    );
  });

  it.each(CATALOGUE.map(({ name }) => name))(
    'is ignored when a client adds it to %s by itself, and a note says so',
    (tool) => {
      const added = {
        ...{
          wait_for_previous: true,
          task_progress: '- [x]',
          sessionId: 'a',
          toolCallId: 'b',
          chatInput: 'c',
        },
        ...{ _meta: {}, explanation: 'why', requires_approval: false },
      };
      const { args, notes } = knownArguments(
        { business_id: 'x', ...added },
        ['business_id', ...namesOf(tool)],
        ALL,
      );
      expect(args).toEqual({ business_id: 'x' });
      expect(notes).toHaveLength(1);
      expect(notes[0]).toMatch(
        /^Ignored: "wait_for_previous", "task_progress", .* and 3 more\. They are no arguments of this tool\./,
      );
    },
  );

  it('is reported in few words, however long its name is and however many there are', () => {
    const names = namesOf('order_statistics');
    const long = {
      ['\u202e\n<b>'.repeat(10_000)]: 1,
      ...Object.fromEntries([1, 2, 3].map((n) => [`${'x'.repeat(5000)}${n}`, 1])),
    };
    const [note = ''] = knownArguments(long, names, ALL).notes;
    expect(note.length).toBeLessThan(700);
    expect(note).not.toMatch(/[\u202e\n]/);
    const many = Object.fromEntries(Array.from({ length: 60_000 }, (_, index) => [`x${index}`, index]));
    expect(() => knownArguments(many, names, ALL)).toThrow(
      '60000 arguments do not exist, such as "x0", "x1", "x2", "x3", "x4" and 59995 more; at most 20 are ignored. Arguments are business_id, from_date, to_date.',
    );
  });

  it.each([
    ['order_statistics', 'filter_brands'],
    ['order_statistics', 'filter_country'],
    ['order_statistics', 'min_revenue'],
    ['order_statistics', 'breakdown'],
    ['list_products', 'from_date'],
    ['get_product', 'limit'],
    ['list_businesses', 'business_id'],
  ])('is an error of %s when it asks for something: %s', (tool, name) => {
    expect(() => knownArguments({ [name]: 1 }, namesOf(tool), ALL)).toThrow(
      `unknown argument ${name}: this tool does not have it. `,
    );
  });

  it('is an error of a tool that takes none', () => {
    expect(knownArguments({ random: 1 }, [], ALL).notes).toEqual([
      'Ignored: "random". It is no argument of this tool. It takes none.',
    ]);
  });

  it('is refused as any other where it is called like a property of prototypes', () => {
    const args = JSON.parse('{"__proto__": 1, "constructor": 2, "toString": 3}');
    expect(knownArguments(args, ['business_id'], ALL).args).toEqual({});
  });
});

it('null says the same as nothing, at any depth of an object, and never in a list', () => {
  expect(
    withoutNulls({ a: null, b: { c: null, d: [null, { e: null, f: 1 }] }, g: false, h: 0, i: '' }),
  ).toEqual({ b: { d: [null, { f: 1 }] }, g: false, h: 0, i: '' });
  let deep: unknown = 1;
  for (let level = 0; level < 100_000; level += 1) deep = [deep];
  expect(() => withoutNulls({ deep })).not.toThrow();
});

let test: TestInstance;
let business_id: string;

beforeAll(async () => {
  test = await createTestInstance({ isOneEngineEnough: true });
  const business = await test.createBusiness({ timezone: 'Europe/Prague', currency: 'CZK' });
  await test.importFolder(business, fileURLToPath(new URL('../fixtures/hand-made-shop', import.meta.url)));
  business_id = business.business_id;
});

afterAll(() => test[Symbol.asyncDispose]());

it.each(everyThirdInQuick(CATALOGUE.map((tool) => [tool.name, tool] as const)))(
  '%s takes null for each optional argument',
  async (name, tool) => {
    const required = requiredArguments(tool);
    const optional = Object.keys(tool.input.shape).filter((argument) => !required.includes(argument));
    const args = sampleArguments(name, business_id);
    const nulls = Object.fromEntries(optional.map((argument) => [argument, null]));
    expect(await test.run(name, { ...args, ...nulls })).toEqual(await test.run(name, args));
  },
);

it('null inside an argument means that nothing was given there', async () => {
  const range = { business_id, from_date: '2024-01-01', to_date: '2024-12-31' };
  const filter = { metric: 'total_quantity', from_value: 1 };
  expect(
    await test.run('product_statistics', { ...range, filter_metrics: [{ ...filter, to_value: null }] }),
  ).toEqual(await test.run('product_statistics', { ...range, filter_metrics: [filter] }));
  await expect(test.run('product_statistics', { ...range, filter_metrics: [null] })).rejects.toThrow(
    new InputError('filter_metrics[0]: must be an object, not null'),
  );
  const block = { type: 'bought', of: { product: ['P1'] } };
  const query = (more: object) => ({
    business_id,
    segment_query: { segments: [{ targetingBlocks: [{ ...block, ...more }] }] },
  });
  expect(await test.run('estimate_segment_query', query({ negate: null, period: null }))).toEqual(
    await test.run('estimate_segment_query', query({})),
  );
  // As it is listed: a text with the same.
  const written = JSON.stringify(query({ negate: null, period: null }).segment_query);
  expect(await test.run('estimate_segment_query', { business_id, segment_query: written })).toEqual(
    await test.run('estimate_segment_query', query({})),
  );
});

it('every argument says what it must be in our words', async () => {
  for (const tool of everyThirdInQuick(CATALOGUE))
    for (const argument of Object.keys(tool.input.shape)) {
      if (argument === 'business_id') continue;
      for (const wrong of [7.5, '\u0000', true, { a: 1 }, [[]]]) {
        if ((tool.input.shape[argument] as z.ZodType).safeParse(wrong).success) continue;
        const call = { ...sampleArguments(tool.name, business_id), [argument]: wrong };
        const error = await test.run(tool.name, call).catch((reason: unknown) => reason);
        expect(error, `${tool.name}.${argument}`).toBeInstanceOf(InputError);
        expect((error as Error).message, `${tool.name}.${argument}`).not.toMatch(/Invalid|expected|received/);
        expect((error as Error).message, `${tool.name}.${argument}`).toContain(argument);
      }
    }
});
