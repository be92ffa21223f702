import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import type { Tool } from '../../src/answers/tool.ts';
import { runTool } from '../../src/asking/run-tool.ts';
import { CATALOGUE } from '../../src/catalogue.ts';
import { operatorCaller } from '../../src/control/people/callers.ts';
import { InputError } from '../../src/errors.ts';
import { isQuick } from '../support/runs.ts';
import { sampleArguments } from '../support/sample-arguments.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';

const FOLDER = fileURLToPath(new URL('../fixtures/hand-made-shop', import.meta.url));

let test: TestInstance;
let business_id: string;

beforeAll(async () => {
  test = await createTestInstance();
  const business = await test.createBusiness({ timezone: 'Europe/Prague', currency: 'CZK' });
  await test.importFolder(business, FOLDER);
  business_id = business.business_id;
});

afterAll(() => test[Symbol.asyncDispose]());

const toolsWith = (argument: string) =>
  CATALOGUE.filter(({ input }) => argument in input.shape).map(({ name }) => name);

/** The tools that take null for an argument. */
const leavesOpen = (argument: string) =>
  CATALOGUE.filter(
    ({ input }) => (input.shape[argument] as z.ZodType | undefined)?.safeParse(null).success,
  ).map(({ name }) => name);

/**
 * The message of the error that a call ends with; fails when it does not end with one that the caller may
 * see.
 */
async function messageOf(tool: string, args: Record<string, unknown>): Promise<string> {
  const call = { ...sampleArguments(tool, business_id), ...args };
  const error = await test.run(tool, call).then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(InputError);
  return (error as InputError).message;
}

/** What a tool asks of the warehouse first; nothing answers. */
async function firstQueries(name: string, args: Record<string, unknown>): Promise<unknown> {
  let queries: unknown;
  const query = (_snapshot: unknown, asked: unknown) => {
    queries = asked;
    throw new Error('asked');
  };
  const environment = { ...test.environment, warehouse: { ...test.warehouse, query } };
  const tool = CATALOGUE.find((each) => each.name === name) as Tool;
  const caller = operatorCaller(test.instance.control);
  await expect(runTool(environment as never, tool, args, caller)).rejects.toThrow('asked');
  return queries;
}

/** `npm test` compares the answers of these too; of the others it compares what they ask. */
const ANSWERING = ['order_statistics', 'subscriber_statistics', 'product_statistics_trend'];

describe.each(toolsWith('business_id'))('%s', (tool) => {
  it.each([
    undefined,
    null,
    1,
    '',
    'x',
    '123',
    'g1111111-1111-1111-1111-111111111111',
    '{}',
    `${'a'.repeat(36)}`,
  ])('refuses the business_id %j', async (business_id) => {
    expect(await messageOf(tool, { business_id })).toBe('business_id is not a valid UUID');
  });

  it('takes the business_id in capitals, and echoes it as given', async () => {
    const answer = await test.ask(tool, {
      ...sampleArguments(tool, business_id),
      business_id: business_id.toUpperCase(),
    });
    expect(answer).toMatchObject({ business_id: business_id.toUpperCase() });
  });

  it('names an argument that is misspelled, and those that there are', async () => {
    const message = await messageOf(tool, { busines_id: business_id });
    expect(message).toMatch(
      /^unknown argument busines_id: is business_id meant\? Arguments are business_id(, |\.$)/,
    );
  });

  it('ignores an argument that a client adds by itself, and says so in the first note', async () => {
    const args = sampleArguments(tool, business_id);
    const { result, notes } = await test.run(tool, { ...args, wait_for_previous: true });
    expect(notes?.[0]).toMatch(
      /^Ignored: "wait_for_previous"\. It is no argument of this tool\. Arguments are /,
    );
    if (ANSWERING.includes(tool)) expect(result).toEqual(await test.ask(tool, args));
  });
});

describe.each(toolsWith('from_date'))('%s', (tool) => {
  it.each([
    '',
    'yesterday',
    '2024-1-1',
    '2024-02-30',
    '0000-12-31',
    '2024-02-30T00:00:00',
    '2024-13-01T00:00:00',
    '2024-01-01T25:00:00',
    '2024-01-01T00:00:00+99:00',
    '01/02/2024 00:00:00',
    '2024-01-01T00:00:00 OR 1=1',
    '+002024-01-01T00:00:00',
    '0000-12-31T00:00:00',
  ])('refuses the date-time %j', async (value) => {
    expect(await messageOf(tool, { from_date: value })).toBe('from_date is not a valid date-time');
    expect(await messageOf(tool, { to_date: value })).toBe('to_date is not a valid date-time');
  });

  it('reads a date as the whole day', async () => {
    const ask = (from_date: string, to_date: string): Promise<unknown> => {
      const call = { ...sampleArguments(tool, business_id), from_date, to_date };
      return isQuick && !ANSWERING.includes(tool) ? firstQueries(tool, call) : test.run(tool, call);
    };
    expect(await ask('2024-01-01', '2024-01-31')).toEqual(
      await ask('2024-01-01T00:00:00', '2024-01-31T23:59:59'),
    );
  });

  if (!leavesOpen('from_date').includes(tool)) {
    it('an error names the required argument that is missing', async () => {
      expect(await messageOf(tool, { from_date: undefined })).toBe('from_date is required');
    });
  }

  it('refuses a range that ends before it starts', async () => {
    const range = { from_date: '2024-02-01T00:00:00', to_date: '2024-01-31T23:59:59' };
    expect(await messageOf(tool, range)).toBe('to_date is before from_date');
    const offsets = { from_date: '2024-02-01T00:00:00Z', to_date: '2024-02-01T00:30:00+01:00' };
    expect(await messageOf(tool, offsets)).toBe('to_date is before from_date');
  });
});

it('a tool asks the warehouse for something else when the range is another', async () => {
  const asked = (to_date: string) =>
    firstQueries('order_statistics', { business_id, from_date: '2024-01-01', to_date });
  expect(await asked('2024-01-30')).not.toEqual(await asked('2024-01-31'));
});

describe.each(toolsWith('breakdown'))('%s', (tool) => {
  it.each(['hour', '', 'DAY', 1])('refuses the breakdown %j', async (breakdown) => {
    expect(await messageOf(tool, { breakdown })).toBe('breakdown must be one of day, week, month');
  });

  // Null where periods stand beside totals.
  if (!leavesOpen('breakdown').includes(tool)) {
    it('refuses the breakdown null', async () => {
      expect(await messageOf(tool, { breakdown: null })).toBe('breakdown must be one of day, week, month');
    });
  }

  it('refuses more than 5000 rows', async () => {
    const range = { from_date: '2000-01-01T00:00:00', to_date: '2020-01-01T00:00:00', breakdown: 'day' };
    expect(await messageOf(tool, range)).toBe('the range gives more than 5000 rows; use a coarser breakdown');
  });
});

describe.each(toolsWith('limit'))('%s', (tool) => {
  const most = tool === 'subscriber_statistics' ? 200 : 1000;

  it.each([0, 1001, -1])('refuses the limit %j', async (limit) => {
    expect(await messageOf(tool, { limit })).toBe(`limit must be between 1 and ${most}`);
  });

  it.each([1.5, true, '10'])('says of the limit %j that it must be a number', async (limit) => {
    const quotes = typeof limit === 'string' ? ', without quotes' : '';
    expect(await messageOf(tool, { limit })).toBe(
      `limit must be a whole number between 1 and ${most}${quotes}`,
    );
  });
});

const pagingTools = toolsWith('limit').filter((tool) => toolsWith('offset').includes(tool));

describe.each(pagingTools)('%s', (tool) => {
  it('an offset far beyond the end gives no rows and no error', async () => {
    const answer = await test.ask(tool, {
      ...sampleArguments(tool, business_id),
      limit: 1000,
      offset: 1_000_000,
    });
    const rows = Object.values(answer as object).find(Array.isArray);
    expect(rows).toEqual([]);
  });
});

describe.each(toolsWith('offset'))('%s', (tool) => {
  it.each([-1, -1000])('refuses the offset %j', async (offset) => {
    expect(await messageOf(tool, { offset })).toBe('offset must be at least 0');
  });
});

it.each(
  CATALOGUE.flatMap(({ name, input }) =>
    Object.entries(input.shape)
      .filter(([, schema]) => (schema as z.ZodType).safeParse(['a']).success)
      .map(([argument]) => [name, argument] as const),
  ),
)('%s refuses more names in %s than it can take', async (tool, argument) => {
  const most = argument === 'campaign_ids' ? 50 : 1000;
  const names = Array.from({ length: most + 1 }, (_, index) => String(index));
  const message = `${argument}: at most ${most} elements are allowed`;
  expect(await messageOf(tool, { [argument]: names })).toBe(message);
});

it('product_statistics refuses more than 100 metric filters', async () => {
  const filter_metrics = Array.from({ length: 101 }, () => ({ metric: 'reach', from_value: 0 }));
  const message = 'filter_metrics: at most 100 elements are allowed';
  expect(await messageOf('product_statistics', { filter_metrics })).toBe(message);
});

it('first_purchase_cohorts refuses an answer of more rows than the limit', async () => {
  const range = { from_date: '2004-01-01T00:00:00', to_date: '2024-01-01T00:00:00', cohort_period: 'week' };
  const args = { ...range, segment_by: 'first_product', segment_limit: 50, max_periods: 36 };
  expect(await messageOf('first_purchase_cohorts', args)).toMatch(/^the range gives more than 5000 rows/);
});

describe.each(toolsWith('sort_by'))('%s', (tool) => {
  it('lists the columns when sort_by is none of them', async () => {
    const [, told = ''] =
      /^sort_by must be one of (.*)$/.exec(await messageOf(tool, { sort_by: 'entity; drop table orders' })) ??
      [];
    const columns = told.split(', ');
    const sortBy = CATALOGUE.find(({ name }) => name === tool)?.input.shape.sort_by as z.ZodType;
    expect(columns.filter((column) => !sortBy.safeParse(column).success)).toEqual([]);
    expect(columns.length).toBeGreaterThan(1);
  });

  it('refuses another sort_order', async () => {
    expect(await messageOf(tool, { sort_order: 'up' })).toBe('sort_order must be one of asc, desc');
  });
});

describe.each(toolsWith('filter_metrics'))('%s', (tool) => {
  it.each([
    [[{ metric: 'reach' }], 'filter_metrics[0]: at least one of from_value and to_value must be set'],
    [
      [
        { metric: 'reach', from_value: 1 },
        { metric: 'reach', from_value: null, to_value: null },
      ],
      'filter_metrics[1]: at least one of from_value and to_value must be set',
    ],
    [[{ metric: 'profit', from_value: 1 }], 'filter_metrics[0]: unknown metric'],
    [
      [{ metric: 'reach', from_value: '5' }],
      'filter_metrics[0].from_value: must be a number, without quotes',
    ],
    [[{ metric: 'reach', from_value: 1, also: 1 }], 'unknown argument filter_metrics[0].also'],
    ['reach', /^filter_metrics: /],
  ])('refuses %j', async (filter_metrics, message) => {
    expect(await messageOf(tool, { filter_metrics })).toEqual(
      typeof message === 'string' ? message : expect.stringMatching(message),
    );
  });

  it('lists the metrics of its rows for one that they do not have', async () => {
    const absent = tool === 'product_statistics' ? 'products_count' : 'purchase_price';
    const message = await messageOf(tool, { filter_metrics: [{ metric: absent, from_value: 0 }] });
    expect(message).toMatch(
      new RegExp(`^filter_metrics\\[0\\]: .*${absent}.* they have unique_orders_count, `),
    );
  });
});

describe.each(
  CATALOGUE.filter(({ group, name }) => group === 'Product analytics' && name.endsWith('_trend')).map(
    ({ name }) => name,
  ),
)('%s', (tool) => {
  const { shape = {} } = CATALOGUE.find(({ name }) => name === tool)?.input ?? {};
  const added = ['fields', 'format'];
  const entities = Object.keys(shape).findLast((argument) => !added.includes(argument)) ?? '';

  it.each([[[]], [['']], [null], ['P1'], [[1]]])(
    `refuses %j where a list of names is required`,
    async (value) => {
      expect(await messageOf(tool, { [entities]: value })).toMatch(new RegExp(`^${entities}`));
    },
  );

  it('says which names are unknown, and has no rows for them', async () => {
    const call = { ...sampleArguments(tool, business_id), [entities]: ['nobody knows this'] };
    const { result, notes } = await test.run(tool, call);
    expect(result).toEqual({ business_id, periods: [] });
    expect(notes?.[0]).toBe(`Unknown in ${entities}, so without rows: ["nobody knows this"]`);
  });
});
