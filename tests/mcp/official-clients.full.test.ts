import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { rowKeys } from '../../src/answers/row-formats.ts';
import { untabled } from '../../src/answers/rows-as-table.ts';
import type { Business } from '../../src/business/business.ts';
import { CATALOGUE } from '../../src/catalogue.ts';
import { signIn, startTestServer, type TestServer } from '../server/test-server.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';
import {
  type CalledTool,
  connectV1,
  connectV2,
  type ListedTool,
  type OfficialClient,
} from './official-clients.ts';

/**
 * The official clients over real HTTP: they check every answer against the advertised output schema
 * themselves.
 */
const FOLDER = fileURLToPath(new URL('../fixtures/hand-made-shop', import.meta.url));

let test: TestInstance;
let server: TestServer;
let business: Business;
let token: string;

beforeAll(async () => {
  test = await createTestInstance();
  business = await test.createBusiness({ name: 'Shop', timezone: 'Europe/Prague', currency: 'CZK' });
  await test.importFolder(business, FOLDER);
  server = await startTestServer(test);
  ({ token } = await signIn(test, [business]));
});

afterAll(async () => {
  await server.stop();
  await test[Symbol.asyncDispose]();
});

/** The required arguments of any tool, now and later, from what it advertises. */
function argumentsOf({ inputSchema }: ListedTool): Record<string, unknown> {
  return Object.fromEntries(
    (inputSchema.required ?? []).map((name) => [name, valueFor(name, inputSchema.properties?.[name] ?? {})]),
  );
}

function valueFor(
  name: string,
  schema: { readonly type?: string; readonly enum?: readonly unknown[] },
): unknown {
  if (name === 'business_id') return business.business_id;
  if (name === 'from_date') return '2024-01-01T00:00:00';
  if (name === 'to_date') return '2024-03-31T23:59:59';
  if (name === 'campaign_id') return 'C1';
  if (name === 'segment_id') return 'S1';
  if (name === 'segment_query') return { segments: [{ targetingBlocks: [] }] };
  if (schema.enum !== undefined) return schema.enum[0];
  if (schema.type === 'array') return ['P1'];
  if (schema.type === 'integer' || schema.type === 'number') return 1;
  return 'P1';
}

/** The methods that a client sent, in their order. */
let sent: string[] = [];
const spy = {
  fetch: (url: string | URL, init?: RequestInit) => {
    if (typeof init?.body === 'string') sent.push(JSON.parse(init.body).method);
    return fetch(url, init);
  },
};

describe.each([
  ['v1', '2025-11-25', () => connectV1(server.mcpUrl, token, spy)],
  ['v2, legacy', '2025-11-25', () => connectV2(server.mcpUrl, token, 'legacy', spy)],
  ['v2, modern', '2026-07-28', () => connectV2(server.mcpUrl, token, { pin: '2026-07-28' }, spy)],
] as const)('client %s', (_name, revision, connect) => {
  let client: OfficialClient;
  let tools: ListedTool[];

  beforeAll(async () => {
    client = await connect();
    tools = await client.listTools();
  });
  beforeEach(() => {
    sent = [];
  });
  afterAll(() => client.close());

  it('speaks its newest revision', () => {
    expect(client.revision()).toBe(revision);
  });

  it('is told that no list ever changes, and how to begin', () => {
    expect(client.capabilities()).toEqual({
      tools: {},
      resources: {},
      prompts: {},
      completions: {},
      extensions: { 'io.modelcontextprotocol/ui': {} },
    });
    expect(client.instructions()).toContain('list_businesses');
  });

  it('sees the catalogue, in its order', () => {
    expect(tools.map(({ name }) => name)).toEqual(CATALOGUE.map(({ name }) => name));
  });

  it('sees of every tool that it only reads', () => {
    for (const tool of tools) {
      const title = CATALOGUE.find(({ name }) => name === tool.name)?.title;
      expect(title).toBeTruthy();
      expect(tool).toMatchObject({
        title,
        annotations: { readOnlyHint: true, openWorldHint: false },
      });
    }
  });

  it('gets the businesses', async () => {
    const { structuredContent } = await client.callTool('list_businesses', {});
    expect(structuredContent).toEqual({
      result: [
        {
          business_id: business.business_id,
          name: 'Shop',
          link: null,
          timezone: 'Europe/Prague',
          primary_currency: 'CZK',
        },
      ],
    });
  });

  it.each(CATALOGUE.map(({ name }) => name))(
    'gets from %s an answer as advertised, in both forms',
    async (name) => {
      const tool = tools.find((listed) => listed.name === name) as ListedTool;
      const { isError, content, structuredContent } = await client.callTool(name, argumentsOf(tool));
      expect(isError, content[0]?.text).toBeFalsy();
      expectText(content, structuredContent, name);
      expect(z.fromJSONSchema(tool.outputSchema as never).safeParse(structuredContent).error).toBeUndefined();
    },
  );

  it('asks for the list again only where it was not told how long it stays', async () => {
    expect(await client.listTools()).toEqual(tools);
    expect(sent).toEqual(revision === '2026-07-28' ? [] : ['tools/list']);
  });

  it('gets the answers of calls at the same time, each its own', async () => {
    const names = ['order_statistics', 'list_products', 'order_statistics_trend', 'list_businesses'];
    const calls = names.map((name) => ({
      name,
      args: argumentsOf(tools.find((tool) => tool.name === name) as ListedTool),
    }));
    const alone = [];
    for (const { name, args } of calls) alone.push(await client.callTool(name, args));
    const together = await Promise.all(calls.map(({ name, args }) => client.callTool(name, args)));
    expect(together).toEqual(alone);
  });

  it('is answered also when it wants to be told of progress', async () => {
    const told: object[] = [];
    const onprogress = (progress: object) => told.push(progress);
    const { structuredContent } = await client.callTool('list_businesses', {}, { onprogress });
    expect(structuredContent?.result).toHaveLength(1);
    expect(told).toEqual([]);
  });

  it('gets a protocol error for a tool that does not exist', async () => {
    await expect(client.callTool('drop_tables', {})).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('drop_tables'),
    });
  });

  it('is told which argument does not exist', async () => {
    const args = { business_id: business.business_id, from_date: '2024-01-01', too_date: '2024-01-31' };
    const { isError, content } = await client.callTool('order_statistics', args);
    expect(isError).toBe(true);
    expect(content.map(({ text }) => text).join()).toContain('too_date');
  });

  it('is told what a wrong value should be', async () => {
    const args = {
      business_id: business.business_id,
      from_date: '2024-13-01T00:00:00',
      to_date: '2024-01-31',
    };
    const { isError, content } = await client.callTool('order_statistics', args);
    expect(isError).toBe(true);
    expect(content[0]?.text).toBe('from_date is not a valid date-time');
  });

  it('meets nothing else that is wrong', () => {
    expect(client.errors).toEqual([]);
  });
});

it('client v2 that finds out what a server speaks takes the newest revision', async () => {
  const client = await connectV2(server.mcpUrl, token, 'auto');
  expect(client.revision()).toBe('2026-07-28');
  expect(await client.listTools()).toHaveLength(CATALOGUE.length);
  await client.close();
});

describe('a client that chose groups of tools by its URL', () => {
  const connect = (groups: string) => connectV2(`${server.mcpUrl}?groups=${groups}`, token, 'legacy');

  it('sees their tools, prompts and instructions alone, and can call no other', async () => {
    const client = await connect('order-patterns,orders');
    expect((await client.listTools()).map(({ name }) => name)).toEqual([
      'list_businesses',
      'order_statistics',
      'order_statistics_trend',
      'repeat_purchase_cycle',
      'first_purchase_cohorts',
      'order_distribution_statistics',
      'product_affinity_statistics',
    ]);
    expect((await client.listPrompts()).map(({ name }) => name)).toEqual(['retention_review']);
    expect(client.instructions()).toContain('order_statistics');
    expect(client.instructions()).not.toMatch(/session_|email|SMS|segment/i);
    await expect(client.callTool('session_statistics', {})).rejects.toThrow(
      'Unknown tool: session_statistics',
    );
    expect((await client.callTool('list_businesses', {})).isError).toBeFalsy();
    await client.close();
  });

  it('is told which exist', async () => {
    await expect(connect('orders,e-mail')).rejects.toThrow(
      /there is no group e-mail; groups are businesses, orders,/,
    );
  });
});

describe('rows as they were asked for', () => {
  let client: OfficialClient;
  let tools: ListedTool[];

  beforeAll(async () => {
    client = await connectV2(server.mcpUrl, token, 'legacy');
    tools = await client.listTools();
  });
  afterAll(() => client.close());

  it.each(
    CATALOGUE.flatMap(({ name, rows, fields }) =>
      rows === undefined ? [] : [[name, rows, fields] as const],
    ),
  )('are the same numbers of %s, as table and with chosen fields', async (name, rows, fields) => {
    const tool = tools.find((listed) => listed.name === name) as ListedTool;
    const ask = async (more: object) => {
      const { isError, content, structuredContent } = await client.callTool(name, {
        ...argumentsOf(tool),
        ...more,
      });
      expect(isError, content[0]?.text).toBeFalsy();
      expectText(content, structuredContent, name);
      expect(z.fromJSONSchema(tool.outputSchema as never).safeParse(structuredContent).error).toBeUndefined();
      return structuredContent as Record<string, unknown>;
    };
    const { notes, [rows.list]: list, ...beside } = await ask({ format: 'objects' });
    const objects = (list ?? []) as Record<string, unknown>[];
    const keys = rowKeys(rows, fields);
    const chosen = keys.at(-1) as string;

    const table = await ask({ format: 'table' });
    if (list === null) expect(table[rows.list]).toBeNull();
    else {
      expect(table.rows).toHaveLength(objects.length);
      const { notes: told, [rows.list]: lines, ...others } = untabled(table, rows.list);
      expect(lines).toEqual(objects);
      expect(others).toEqual(beside);
      // A table is shorter.
      const withoutLength = (texts: unknown) =>
        ((texts ?? []) as string[]).filter((text) => !text.startsWith('This answer has '));
      expect(withoutLength(told)).toEqual(withoutLength(notes));
    }
    const few = await ask({ fields: [chosen], format: 'objects' });
    const kept = [...rows.uniqueBy, chosen];
    expect(few[rows.list] ?? []).toEqual(
      objects.map((row) => Object.fromEntries(Object.entries(row).filter(([key]) => kept.includes(key)))),
    );
    const { content, isError } = await client.callTool(name, { ...argumentsOf(tool), fields: ['no_such'] });
    expect(isError).toBe(true);
    expect(content[0]?.text.split(', or one within')[0]).toBe(`fields[0]: must be one of ${keys.join(', ')}`);
  });
});

/**
 * A text is the same as the data; that of a long answer is the same as tables, with all rows or, as it says,
 * the first.
 */
function expectText(
  content: CalledTool['content'],
  data: CalledTool['structuredContent'],
  tool: string,
): void {
  expect(content).toHaveLength(1);
  const list = CATALOGUE.find(({ name }) => name === tool)?.rows?.list ?? null;
  const [told, whole] = [JSON.parse(content[0]?.text ?? ''), data ?? {}].map((one) => untabled(one, list));
  const isPart = String((told?.notes as string[] | undefined)?.[0]).startsWith('This text has only');
  if (!isPart) expect(told).toEqual(whole);
}
