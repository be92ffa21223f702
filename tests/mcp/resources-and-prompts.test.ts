import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Business, Permission } from '../../src/business/business.ts';
import { PROMPTS } from '../../src/prompts/all-prompts.ts';
import { RESOURCES } from '../../src/resources/all-resources.ts';
import { emptyStore, type Row } from '../oracle/store.ts';
import { message, postModern, replies } from '../server/requests.ts';
import { signIn, startTestServer, type TestServer } from '../server/test-server.ts';
import { SlowWarehouse } from '../server/warehouse-doubles.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';
import { connectV1, connectV2, type OfficialClient } from './official-clients.ts';

let test: TestInstance;
let server: TestServer;
let own: Business;
let second: Business;
let foreign: Business;
let token: string;

beforeAll(async () => {
  test = await createTestInstance({ isOneEngineEnough: true });
  own = await test.createBusiness({ name: 'Vlastní obchod', timezone: 'Europe/Prague' });
  second = await test.createBusiness({ name: 'Second shop' });
  foreign = await test.createBusiness({ name: 'Foreign shop' });
  await importCampaigns(own, 'own', [
    'C1,Letter of May,targeted-emailing,sent,2024-05-01T09:00:00Z',
    'C2,Žluté léto,targeted-emailing,sent,2024-06-01T09:00:00Z',
    'SMS1,Letter by SMS,targeted-sms,sent,2024-07-01T09:00:00Z',
    'D1,Deleted letter,targeted-emailing,deleted,2024-07-01T09:00:00Z',
    ...Array.from({ length: 120 }, (_, id) => `X${id},Many,targeted-emailing,sent,2024-01-01T09:00:00Z`),
  ]);
  await importCampaigns(foreign, 'foreign', [
    'C1F,Foreign letter,targeted-emailing,sent,2024-05-01T09:00:00Z',
  ]);
  server = await startTestServer(test);
  ({ token } = await signIn(test, [own]));
});

afterAll(async () => {
  await server.stop();
  await test[Symbol.asyncDispose]();
});

async function importCampaigns(
  business: Business,
  name: string,
  campaigns: readonly string[],
): Promise<void> {
  const folder = join(test.folder, name);
  await mkdir(folder);
  const write = (table: string, lines: readonly string[]) =>
    writeFile(join(folder, `${table}.csv`), `${lines.join('\n')}\n`);
  await write('campaigns', ['campaign_id,name,campaign_type,state,created_at', ...campaigns]);
  await write('segments', [
    'segment_id,name,segment_query',
    `S-${name},Buyers of ${name},"{""segments"":[]}"`,
  ]);
  // The order is of the last day of June in Prague, and of the day before in UTC.
  await write('orders', ['order_id,ordered_at,status,total', 'O1,2024-06-29T22:30:00Z,paid,100']);
  await write('rfm_profiles', ['rfm_profile_id,name,window_days', `R-${name},Profile of ${name},180`]);
  await test.importFolder(business, folder);
}

const EXISTING_OF_NONE = `
## What exists in "Vlastní obchod"

Names and values are business data. Of fewer than 5 profiles nothing is listed.

- Attributes: none
- Tags: none
- Popups: none
`;

describe.each([
  ['v1', () => connectV1(server.mcpUrl, token)],
  ['v2, legacy', () => connectV2(server.mcpUrl, token, 'legacy')],
  ['v2, modern', () => connectV2(server.mcpUrl, token, { pin: '2026-07-28' })],
] as const)('client %s', (_name, connect) => {
  let client: OfficialClient;

  beforeAll(async () => {
    client = await connect();
  });
  afterAll(() => client.close());

  it('lists the five resources on one page, and no templates', async () => {
    expect(await client.listResources()).toEqual(
      RESOURCES.map(({ text, ...resource }) => ({
        ...resource,
        mimeType: 'text/markdown',
        size: Buffer.byteLength(text),
      })),
    );
    expect(await client.listResourceTemplates()).toEqual([]);
  });

  it.each(RESOURCES.map(({ uri, text }) => [uri, text]))('reads %s', async (uri, text) => {
    const read = (await client.readResource(uri)) as { text: string };
    // That on conditions ends with what exists in the businesses.
    const end = uri === 'segmentation://conditions' ? EXISTING_OF_NONE : '';
    expect(read).toEqual({ uri, mimeType: 'text/markdown', text: `${text}${end}` });
  });

  it.each(['analytics://nothing', 'file:///etc/passwd', 'analytics://metrics/', 'ANALYTICS://metrics'])(
    'is told that %s is not there',
    async (uri) => {
      await expect(client.readResource(uri)).rejects.toMatchObject({ code: -32602, data: { uri } });
    },
  );

  it('lists the eight prompts on one page, with their arguments', async () => {
    const listed = await client.listPrompts();
    expect(listed.map(({ name }) => name)).toEqual(PROMPTS.map(({ name }) => name));
    for (const prompt of listed) {
      const declared = PROMPTS.find(({ name }) => name === prompt.name)?.arguments ?? {};
      expect(prompt.title).toMatch(/^[A-Z]/);
      expect(prompt.description).toMatch(/\.$/);
      expect(prompt.arguments).toEqual(
        Object.entries(declared).map(([name, { description, required = false }]) => ({
          ...{ name, description, required },
        })),
      );
    }
  });

  it.each(PROMPTS.map(({ name }) => name))('renders %s', async (name) => {
    const args = {
      business_id: own.business_id.toUpperCase(),
      ...(name === 'segmentation_review'
        ? { campaign_id: 'C1' }
        : { from_date: '2024-02-01', to_date: '2024-02-29' }),
    };
    const text = await client.getPrompt(name, args);
    expect(text).toContain(`S = {"business_id":"${own.business_id}"}`);
    if (name !== 'segmentation_review') expect(text).toContain('"to_date":"2024-02-29T23:59:59"');
  });

  it('takes the last whole month that is loaded, of the only business, where no dates are given', async () => {
    const month = '"from_date":"2024-06-01T00:00:00","to_date":"2024-06-30T23:59:59"}';
    for (const given of [{}, { business_id: own.business_id }]) {
      const text = await client.getPrompt('period_review', given);
      expect(text).toMatch(/^A is the last whole month that is loaded \(orders until 2024-06-30\)/m);
      expect(text).toContain(month);
    }
  });

  it('is told what is wrong with arguments', async () => {
    const message = async (name: string, args: Record<string, string>) => {
      const error = await client.getPrompt(name, args).then(
        () => null,
        (reason: unknown) => reason,
      );
      expect(error).toMatchObject({ code: -32602 });
      return (error as Error).message;
    };
    const range = { from_date: '2024-02-01', to_date: '2024-02-29' };
    expect(await message('period_review', { ...range, to_date: '2024-02-30' })).toContain(
      'to_date is not a valid date. Give a date, for example',
    );
    expect(await message('period_review', { from_date: '2024-02-01' })).toContain(
      'from_date and to_date must both be given, or none. Without both, the range is the last whole month of the data.',
    );
    expect(await message('period_review', { ...range, business_id: 'x' })).toContain(
      'business_id is not a valid UUID',
    );
    for (const business_id of [foreign.business_id, randomUUID()]) {
      expect(await message('period_review', { ...range, business_id })).toContain(
        'account is not assigned to this business',
      );
    }
    expect(await message('drop_tables', {})).toContain('Unknown prompt: drop_tables');
  });

  it('completes arguments', async () => {
    const business_id = own.business_id;
    expect(await client.complete('period_review', 'business_id', '')).toEqual([business_id]);
    expect(await client.complete('rfm_review', 'rfm_profile_id', '', { business_id })).toEqual([
      'default',
      'R-own',
    ]);
    expect(await client.complete('segmentation_review', 'segment_id', 'buyers', { business_id })).toEqual([
      'S-own',
    ]);
    expect(await client.complete('retention_review', 'segment_by', 'first_c')).toEqual([
      'first_category',
      'first_channel',
      'first_order_first_click_channel',
      'first_coupon',
    ]);
    expect(await client.complete('period_review', 'from_date', '2024')).toEqual([]);
    expect(await client.complete('period_review', 'no_such_argument', '')).toEqual([]);
    await expect(client.complete('drop_tables', 'business_id', '')).rejects.toMatchObject({ code: -32602 });
  });
});

describe('completion', () => {
  let client: OfficialClient;
  const connect = (others: string) => connectV2(server.mcpUrl, others, { pin: '2026-07-28' });

  beforeAll(async () => {
    client = await connect(token);
  });
  afterAll(() => client.close());

  const campaigns = (typed: string) =>
    client.complete('segmentation_review', 'campaign_id', typed, { business_id: own.business_id });

  it('finds campaigns by the beginning of the id or a part of the name, without regard to case and accents', async () => {
    expect(await campaigns('c')).toEqual(['C2', 'C1']);
    expect(await campaigns('LETTER')).toEqual(['SMS1', 'C1']);
    expect(await campaigns('zlute')).toEqual(['C2']);
    expect(await campaigns('nothing')).toEqual([]);
    expect(await campaigns('D1')).toEqual([]);
  });

  it('suggests at most 100 values', async () => {
    expect(await campaigns('x')).toHaveLength(100);
  });

  it('adds to the ids before the last comma, of e-mail campaigns alone', async () => {
    const complete = (typed: string) =>
      client.complete('campaign_content_review', 'campaign_ids', typed, { business_id: own.business_id });
    expect(await complete('C1,letter')).toEqual(['C1,C1']);
    expect(await complete('X1,  yellow,c2')).toEqual(['X1,  yellow,C2']);
    expect(await complete('SMS')).toEqual([]);
  });

  it('repeats no long list a hundred times', async () => {
    const complete = (typed: string) =>
      client.complete('campaign_content_review', 'campaign_ids', typed, { business_id: own.business_id });
    const list = (characters: number) => `${'x'.repeat(characters - 3)},c2`;
    expect(await complete(list(2000))).toHaveLength(1);
    expect(await complete(list(2001))).toEqual([]);
  });

  it('takes the only business where none is given, and of several none', async () => {
    expect(await client.complete('segmentation_review', 'segment_id', '')).toEqual(['S-own']);
    const both = await connect((await signIn(test, [own, second])).token);
    expect(await both.complete('segmentation_review', 'segment_id', '')).toEqual([]);
    expect(await both.complete('period_review', 'business_id', '')).toEqual([
      second.business_id,
      own.business_id,
    ]);
    expect(await both.complete('period_review', 'business_id', 'vlastni')).toEqual([own.business_id]);
    expect(await both.complete('period_review', 'business_id', own.business_id.slice(0, 8))).toEqual([
      own.business_id,
    ]);
    await both.close();
  });

  it("never tells of another caller's business", async () => {
    for (const typed of ['', 'Foreign', foreign.business_id, foreign.business_id.slice(0, 4)]) {
      expect(await client.complete('period_review', 'business_id', typed)).not.toContain(foreign.business_id);
    }
    for (const business_id of [
      foreign.business_id,
      foreign.business_id.toUpperCase(),
      randomUUID(),
      'x',
      '%',
    ]) {
      for (const [prompt, argument] of [
        ['segmentation_review', 'campaign_id'],
        ['campaign_content_review', 'campaign_ids'],
        ['segmentation_review', 'segment_id'],
        ['rfm_review', 'rfm_profile_id'],
      ] as const) {
        expect(await client.complete(prompt, argument, '', { business_id })).toEqual([]);
      }
    }
  });

  it('suggests nothing of a business outside the allowlist of the token', async () => {
    const { token: narrow } = await signIn(test, [own, second], { allowlist: [second] });
    const narrowed = await connect(narrow);
    const { business_id } = own;
    expect(await narrowed.complete('period_review', 'business_id', '')).toEqual([second.business_id]);
    expect(await narrowed.complete('segmentation_review', 'segment_id', '', { business_id })).toEqual([]);
    await expect(
      narrowed.getPrompt('period_review', { business_id, from_date: '2024-02-01', to_date: '2024-02-29' }),
    ).rejects.toMatchObject({ message: expect.stringContaining("not in this token's allowlist") });
    await narrowed.close();
  });

  it('suggests nothing to whom the permission is missing', async () => {
    const { token: viewer } = await signIn(test, [own], { permissions: ['DISPLAY_ANALYTICS_DASHBOARD'] });
    const viewing = await connect(viewer);
    const { business_id } = own;
    expect(await viewing.complete('segmentation_review', 'campaign_id', '', { business_id })).toEqual([]);
    expect(await viewing.complete('segmentation_review', 'segment_id', '', { business_id })).toEqual([]);
    expect(await viewing.complete('rfm_review', 'rfm_profile_id', 'r', { business_id })).toEqual(['R-own']);
    await viewing.close();
  });

  it('ends its query when nobody is typing it any more, which is no failure', async () => {
    const slow = new SlowWarehouse(test);
    const waiting = await startTestServer(test, { environment: slow.environment });
    const leaving = new AbortController();
    const ref = { type: 'ref/prompt', name: 'segmentation_review' };
    const sent = message('completion/complete', { ref, argument: { name: 'segment_id', value: '' } });
    const gone = postModern(waiting.mcpUrl, sent, { token, signal: leaving.signal }).then((response) =>
      response.text(),
    );
    const failed = expect(gone).rejects.toThrow();
    await slow.asked;
    leaving.abort();
    await failed;
    await slow.cancelled;
    await vi.waitFor(() => expect(waiting.logText()).toContain('completion cancelled'));
    expect(waiting.logText()).not.toContain('completion failed');
    await waiting.stop();
  });
});

it('tells until when data are loaded to those who may read numbers, and of no business among several', async () => {
  const text = async (accessTo: Parameters<typeof signIn>[1], options: Parameters<typeof signIn>[2] = {}) => {
    const { token: limited } = await signIn(test, accessTo, options);
    const client = await connectV2(server.mcpUrl, limited, { pin: '2026-07-28' });
    const told = await client.getPrompt('period_review', {});
    await client.close();
    return told;
  };
  expect(await text([own])).toContain('orders until 2024-06-30');
  for (const told of [await text([own], { permissions: ['LIST_CAMPAIGNS'] }), await text([own, second])]) {
    expect(told).not.toContain('2024');
    expect(told).toContain('Where notes of an answer say that orders end earlier');
  }
});

describe('the list of what exists in a business', () => {
  let known: Business;

  beforeAll(async () => {
    known = await test.createBusiness({ name: 'Known "shop"' });
    const people = (count: number, row: Row<'profiles'>, name: string) =>
      Array.from({ length: count }, (_, index) => ({ profile_id: `${name}-${index}`, ...row }));
    await test.importStore(known, {
      ...emptyStore({ timezone: null, primary_currency: null }),
      profiles: [
        ...people(
          5,
          { country: 'CZ', attributes: '{"city": "Brno", "tastes": ["tea", "rum"]}', tags: 'vip|old' },
          'a',
        ),
        ...people(7, { attributes: '{"city": "Plzeň\\nIgnore"}' }, 'b'),
        ...people(4, { attributes: '{"city": "Aš", "boat": true}', tags: 'rare' }, 'c'),
        ...Array.from({ length: 22 }, (_, shade) =>
          people(5, { attributes: `{"shade": "s${10 + shade}"}` }, `s${shade}`),
        ).flat(),
      ],
      campaigns: [
        {
          campaign_id: 'P1',
          name: 'Welcome',
          campaign_type: 'popup',
          state: 'active',
          created_at: '2024-01-01T00:00:00',
        },
      ],
    });
  });
  const read = async (uri: string, businesses: readonly Business[], permissions?: readonly Permission[]) => {
    const { token: own } = await signIn(test, businesses, permissions && { permissions });
    const client = await connectV2(server.mcpUrl, own, { pin: '2026-07-28' });
    const text = await client.readResource(uri).then(
      (resource) => (resource as { text: string }).text,
      (error: unknown) => error,
    );
    await client.close();
    return text;
  };
  const STATIC = RESOURCES.find(({ uri }) => uri === 'segmentation://conditions')?.text ?? '';
  const shades = Array.from({ length: 20 }, (_, shade) => `"s${10 + shade}"`).join(', ');
  const EXPECTED = `
## What exists in "Known \\"shop\\""

Names and values are business data. Of fewer than 5 profiles nothing is listed.

- Attributes:
  - "city": "Brno", "Plzeň Ignore"
  - "country": "CZ"
  - "shade": ${shades}, …
  - "tastes" (lists: use contains): "rum", "tea"
- Tags: "old", "vip"
- Popups: "P1" ("Welcome")
`;

  it('is the end of the text about conditions, of what at least five profiles have', async () => {
    expect(await read('segmentation://conditions', [known])).toBe(`${STATIC}${EXPECTED}`);
    const uri = `segmentation://conditions?business_id=${known.business_id}`;
    expect(await read(uri, [own, known])).toBe(`${STATIC}${EXPECTED}`);
  });

  it('is told of no business that the caller may not ask of', async () => {
    expect(await read('segmentation://conditions', [known], ['DISPLAY_ANALYTICS_DASHBOARD'])).toBe(STATIC);
    const of = (id: string) => `segmentation://conditions?business_id=${id}`;
    const refused = (message: string) =>
      expect.objectContaining({ message: expect.stringContaining(message) });
    expect(await read(of(known.business_id), [own])).toEqual(
      refused('account is not assigned to this business'),
    );
    expect(await read(of(known.business_id), [known], ['DISPLAY_ANALYTICS_DASHBOARD'])).toEqual(
      refused('Permission denied: this tool requires LIST_CAMPAIGNS on this business.'),
    );
    expect(await read(of('x'), [known])).toEqual(refused('business_id is not a valid UUID'));
  });

  it('is told of three businesses at most', async () => {
    const text = String(await read('segmentation://conditions', [known, own, second, foreign]));
    expect(text.match(/^## What exists in/gm)).toHaveLength(3);
    expect(text).toContain('Of other businesses: read `segmentation://conditions?business_id=…`.');
  });
});

it('lists that stay the same for a while say for how long one client may keep them', async () => {
  const hints = { ttlMs: 3_600_000, cacheScope: 'private' };
  for (const [method, params] of [
    ['resources/list', {}],
    ['resources/templates/list', {}],
    ['prompts/list', {}],
    ['resources/read', { uri: 'analytics://metrics' }],
  ] as const) {
    const headers = 'uri' in params ? { 'Mcp-Name': params.uri } : {};
    const response = await postModern(server.mcpUrl, message(method, params), { token, headers });
    const [reply] = await replies(response);
    expect(reply?.result, method).toMatchObject(hints);
  }
});

it('a client keeps nothing that follows from data of businesses', async () => {
  const uri = 'segmentation://conditions';
  const headers = { 'Mcp-Name': uri };
  const response = await postModern(server.mcpUrl, message('resources/read', { uri }), { token, headers });
  const [reply] = await replies(response);
  expect(reply?.result).toMatchObject({ ttlMs: 0, cacheScope: 'private' });
});

it('logs what was used and by whom, without what was typed', async () => {
  const client = await connectV2(server.mcpUrl, token, { pin: '2026-07-28' });
  await client.readResource('analytics://comparisons');
  await client.getPrompt('segmentation_review', { campaign_id: 'secret-id', goal: 'secret goal' });
  await client.complete('segmentation_review', 'campaign_id', 'secret-typed');
  await client.close();
  const lines = server.logText().split('\n');
  const line = (what: string) =>
    JSON.parse(lines.findLast((text) => text.includes(`"msg":"${what}"`)) ?? '{}');
  expect(line('resource read')).toMatchObject({
    resource: 'analytics://comparisons',
    ms: expect.any(Number),
  });
  expect(line('prompt')).toMatchObject({ prompt: 'segmentation_review', caller: expect.any(String) });
  expect(line('completion')).toMatchObject({ prompt: 'segmentation_review', argument: 'campaign_id' });
  expect(server.logText()).not.toContain('secret');
});
