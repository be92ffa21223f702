import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Business } from '../../src/business/business.ts';
import { ALL_GROUPS } from '../../src/business/tool-groups.ts';
import { CATALOGUE } from '../../src/catalogue.ts';
import { instructionsOf } from '../../src/mcp/instructions.ts';
import { signIn, startTestServer, type TestServer } from '../server/test-server.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';
import { HOSTS } from './all-hosts.ts';
import type { Host } from './host.ts';
import { type Installed, install } from './install.ts';
import { isTool, type LastAsked, startMockModel, type Wanted } from './model/mock-model.ts';
import { runHost } from './run-host.ts';
import { expectTable, outcome } from './table.ts';

/**
 * Whole programs from the registry with a model that is a script: what reaches the model is docs/hosts.md.
 */
const SHOP = fileURLToPath(new URL('../fixtures/hand-made-shop', import.meta.url));
const TABLE = fileURLToPath(new URL('../../docs/hosts.md', import.meta.url));
const SERVER = 'storesight';
const INSTALL_MS = 330_000;
/** It is ended then; on a busy machine most take ten seconds. */
const HOST_MS = 120_000;
const DAY_MS = 86_400_000;
/** The days of daily answers, each about twice as long as the one before. */
const DAYS = [15, 30, 60, 120, 240];

let test: TestInstance;
let server: TestServer;
let business: Business;
let token: string;

beforeAll(async () => {
  test = await createTestInstance();
  business = await test.createBusiness({ name: 'Shop', timezone: 'Europe/Prague', currency: 'CZK' });
  await test.importFolder(business, SHOP);
  server = await startTestServer(test);
  ({ token } = await signIn(test, [business]));
});

afterAll(async () => {
  await server.stop();
  await test[Symbol.asyncDispose]();
});

const RANGE = { from_date: '2024-01-01T00:00:00', to_date: '2024-03-31T23:59:59' };

function daily(days: number): { readonly from_date: string; readonly to_date: string } {
  const last = new Date(Date.parse('2024-01-01') + (days - 1) * DAY_MS).toISOString().slice(0, 10);
  return { from_date: '2024-01-01T00:00:00', to_date: `${last}T23:59:59` };
}

/** What the model calls, in this order, and what it must be given of each answer. */
const CALLS: readonly {
  readonly column: string;
  readonly tool: string;
  readonly args: object;
  check(answer: string): void;
}[] = [
  {
    column: 'list of businesses',
    tool: 'list_businesses',
    args: {},
    check: (answer) => expectPart(answer, 'Europe/Prague'),
  },
  {
    column: 'trend of local dates',
    tool: 'order_statistics_trend',
    args: { ...RANGE, breakdown: 'month' },
    check: (answer) => {
      expectPart(answer, '2024-03');
      expectPart(answer, 'orders_revenues');
    },
  },
  {
    column: 'filters that are null',
    tool: 'product_statistics_trend',
    args: { ...RANGE, external_product_ids: ['P1'], breakdown: 'month', fields: null },
    check: (answer) => expectPart(answer, '2024-03'),
  },
  {
    column: 'an error',
    tool: 'order_statistics_trend',
    args: { ...RANGE, breakdown: 'century' },
    check: (answer) => expectPart(answer, 'breakdown'),
  },
];

/**
 * Key words that a model may look for, and the tool that it must then be given: with another, it takes a part
 * for the whole.
 */
const SEARCHES: Readonly<Record<string, string>> = {
  'list stores': 'list_businesses',
  'store sales revenue': 'order_statistics',
  'revenue trend by month': 'order_statistics_trend',
  'new returning customers': 'order_statistics',
  'best selling products': 'product_statistics',
  'sessions conversion rate': 'session_statistics',
  'email campaign open rate': 'email_campaign_statistics',
  'subscribers growth': 'subscriber_statistics_trend',
};

const LONG = DAYS.map((days) => ({
  tool: 'order_statistics_trend',
  args: { ...daily(days), breakdown: 'day' },
}));

/** The message of a failure is what the model was told, without how long it took. */
function expectPart(answer: string, part: string): void {
  if (answer.includes(part)) return;
  throw new Error(
    answer
      .trim()
      .replaceAll(/\s+/g, ' ')
      .replace(/[\d.]+ seconds/, '… seconds'),
  );
}

/**
 * How much of answers that grow reaches the model: not how many bytes, which another field of the tool would
 * change.
 */
function longAnswers(answers: readonly string[]): string {
  return DAYS.map((days, index) => `${days} days: ${part(answers[index] ?? '', days)}`).join('; ');
}

function part(answer: string, days: number): string {
  const notes = answer.includes('Orders are loaded from') ? '' : ', no notes';
  // The answer has objects, or a table whose first columns are the period and its first day.
  const shown = new Set(answer.match(/2024-\d\d-\d\d(?=\\*",\\*"(?:period_start|2024-))/g));
  if (shown.size === days) return `whole${notes}`;
  const last = daily(days).to_date.slice(0, 10);
  if (shown.has(last)) return `without the middle${notes}`;
  return shown.size === 0 ? `nothing${notes}` : `the beginning${notes}`;
}

const results = new Map<string, string[]>();

function titleOf({ name, version }: Host): string {
  return `${name} ${version}`;
}

describe.each(HOSTS)('$name $version', (host: Host) => {
  let installed: Installed | string = 'it was not tried';

  beforeAll(async () => {
    installed = await install(host);
    if (typeof installed === 'string') console.warn(`skipped: ${installed}`);
  }, INSTALL_MS);

  afterAll(async () => {
    if (typeof installed !== 'string') await installed[Symbol.asyncDispose]();
  });

  it(
    'gives its model the tools and their answers',
    async ({ skip }) => {
      if (typeof installed === 'string') return skip(installed);
      const script = [...CALLS, ...LONG].map(
        ({ tool, args }): Wanted => ({
          tool,
          args: tool === 'list_businesses' ? args : { business_id: business.business_id, ...args },
        }),
      );
      await using model = await startMockModel({ searches: Object.keys(SEARCHES), calls: script }, SERVER);
      const place = { folder: installed.folder, modelUrl: model.url, mcpUrl: server.mcpUrl, token };
      const output = await runHost(host, place, HOST_MS);
      const asked = model.last();
      const names = [...new Set(asked.tools.filter((name) => name.includes(SERVER)))];
      expect(names, `${output}\n${model.unknown.join('\n')}`).toHaveLength(CATALOGUE.length);
      expect(asked.answers, output).toHaveLength(script.length);
      results.set(titleOf(host), await rowOf(asked, names));
    },
    HOST_MS + 30_000,
  );
});

async function rowOf({ answers, body, found }: LastAsked, names: readonly string[]): Promise<string[]> {
  const short = await Promise.all(
    CALLS.map(({ check }, index) => outcome(async () => check(answers[index] ?? 'not called'))),
  );
  const name = names.find((one) => isTool(one, SERVER, 'list_businesses'));
  return [
    `${names.length} as \`${name}\``,
    searched(found),
    instructions(body),
    ...short,
    longAnswers(answers.slice(CALLS.length)),
  ];
}

function searched(found: LastAsked['found']): string {
  if (found === null) return 'all are offered';
  const searches = Object.entries(SEARCHES);
  const missed = searches.flatMap(([query, tool], index) =>
    found[index]?.some((name) => isTool(name, SERVER, tool)) === true ? [] : [`“${query}” finds no ${tool}`],
  );
  return missed.length === 0 ? 'all are found' : `no: ${missed.join('; ')}`;
}

/** Finds the server's instructions, by the last words of their first and of their last line. */
function instructions(body: string): string {
  const [first, ...others] = instructionsOf(ALL_GROUPS).split('\n').map(asJson);
  if (first === undefined || !body.includes('Read-only answers about online stores')) return 'not given';
  if (!body.includes(first.slice(-80))) return 'a part of the first line';
  return body.includes(others.at(-1) as string) ? 'whole' : 'the first line, with every rule';
}

/** As it stands in the body of a request. */
function asJson(line: string): string {
  return JSON.stringify(line).slice(1, -1);
}

it('and the table says so', async () => {
  await expectTable(
    TABLE,
    ABOUT,
    ['host', 'tools', 'searches', 'instructions', ...CALLS.map(({ column }) => column), 'answers that grow'],
    HOSTS.map(titleOf),
    results,
  );
});

const ABOUT = `# Hosts that were tried

\`npm run test:full -- tests/clients\` installs these programs from the registry, each in a folder of its own, and runs them against
a server over HTTP, with a model on loopback that calls tools by a script. It writes this page with \`-- -u\`, and fails when it would
say something else. The table says what the model was given: the tools and what one is called, the server's
instructions, and the answers. The last column asks for a row for each day, of about 430 characters: how many of them the model was
shown, and whether it was shown the notes. Each host is one small file in \`tests/clients/hosts\`; libraries are in [clients.md](clients.md).

Some hosts tell the model nothing of the tools, or their names alone, and give it a tool that searches for them. There the model
first searches in its own words, with the limit that the host has, and then for all tools of the server. Codex does so for its model
gpt-5.5, as here; newer models of it call tools from programs that they write.
`;
