import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import type { Business } from '../../src/business/business.ts';
import { CATALOGUE } from '../../src/catalogue.ts';
import { revokeAccess } from '../../src/control/people/accounts.ts';
import { revokeGrant } from '../../src/control/tokens/grants.ts';
import { PROMPTS } from '../../src/prompts/all-prompts.ts';
import { csvRows, csvText } from '../oracle/csv-text.ts';
import { type Message, message, post, replies, toolCall } from '../server/requests.ts';
import { sampleArguments } from '../support/sample-arguments.ts';
import { inTurns } from './in-turns.ts';
import { report } from './report.ts';
import { Target } from './target.ts';

const SHOP = fileURLToPath(new URL('../fixtures/hand-made-shop', import.meta.url));
const OPTIONS = { timezone: 'Europe/Prague', currency: 'CZK' };

/** Stands in every name and text of the other shop, and in no call. */
const SECRET = 'tajemstvi-7f3a';
const TEXTS = ['name', 'brand', 'description', 'subject', 'html', 'sku', 'url', 'categories'];
/** What an attacker may know of it: the ids, which both shops share, and a part of the secret. */
const GUESSES = ['tajem', '%tajem%', 'P1', 'C1', 'S1', 'M1', 'Acme', "' or 1=1 --", '__proto__'];

const AT_ONCE = 8;
const ROUNDS = 2;

const REFUSALS = [
  'account is not assigned to this business',
  "business_id is not in this token's allowlist",
  'business_id is not a valid UUID',
  'Permission denied: this tool requires',
];

it('a business stays closed to whoever may not read it, whatever is asked', async () => {
  await using target = await Target.open();
  const own = await target.makeShop({ ...OPTIONS, name: 'Own shop' }, SHOP);
  const other = await target.makeShop({ ...OPTIONS, name: `Other ${SECRET}` }, await shopWithSecret(target));
  const server = await target.serve();
  const counts = { calls: 0, refused: 0, 'answers compared': 0 };

  /** The whole text of an answer, which holds the secret only for who may read it. */
  const text = async (token: string, sent: Message) => {
    counts.calls += 1;
    return JSON.stringify(await replies(await post(server.url, sent, { token })));
  };

  // The secret shows to its own account, or its absence elsewhere would say nothing.
  const tenant = await target.signIn([other]);
  const shown = await inTurns(AT_ONCE, CATALOGUE, ({ name }) =>
    text(tenant.token, toolCall(name, sampleArguments(name, other.business_id))),
  );
  expect(shown.filter((answer) => answer.includes(SECRET)).length).toBeGreaterThan(8);

  const attackers = [
    { who: 'an account of another business', ...(await target.signIn([own])) },
    { who: 'a grant for another business', ...(await target.signIn([own, other], { allowlist: [own] })) },
    { who: 'an account without permissions', ...(await target.signIn([own, other], { permissions: [] })) },
  ];
  for (const { who, token } of attackers.slice(0, 2)) {
    const reference = await inTurns(AT_ONCE, CATALOGUE, ({ name }) =>
      text(token, toolCall(name, sampleArguments(name, own.business_id))),
    );
    for (let round = 0; round < ROUNDS; round += 1) {
      const attacks = CATALOGUE.flatMap(({ name }, index) => [
        // Its own questions stand between the attacks: another's answer in their place would differ.
        { sent: toolCall(name, sampleArguments(name, own.business_id)), expected: reference[index] },
        ...foreignCalls(name, own, other).map((sent) => ({ sent, expected: undefined })),
      ]);
      await inTurns(AT_ONCE, attacks, async ({ sent, expected }) => {
        const answer = await text(token, sent);
        expect(answer, `${who}: ${JSON.stringify(sent)}`).not.toContain(SECRET);
        if (expected !== undefined) {
          counts['answers compared'] += 1;
          expect(answer).toBe(expected);
        } else if (REFUSALS.some((refusal) => answer.includes(refusal))) counts.refused += 1;
      });
    }
  }
  const [, , powerless] = attackers;
  await inTurns(AT_ONCE, CATALOGUE, async ({ name, scope }) => {
    const answer = await text(
      powerless?.token ?? '',
      toolCall(name, sampleArguments(name, other.business_id)),
    );
    if (scope === 'account') return;
    counts.refused += 1;
    expect(answer).toContain('Permission denied: this tool requires');
  });

  const revoked = await revokeWhileAsked(target, tenant, other, (sent) => post(server.url, sent, tenant));
  report('tenants', {
    counts: {
      ...counts,
      'ways to ask for another business': foreignCalls('list_products', own, other).length,
    },
    worst: {
      'answers with the secret': 0,
      'answers after a revocation': revoked,
      'memory, MB': await server.memoryMb(),
    },
  });
  expect(revoked).toBe(0);
  expect(server.isRunning).toBe(true);
  expect(server.log).not.toContain(SECRET);
});

/** The hand-made shop, its texts marked. */
async function shopWithSecret(target: Target): Promise<string> {
  const folder = join(target.cli.folder, 'other-shop');
  await mkdir(folder);
  for (const file of await readdir(SHOP)) {
    if (!file.endsWith('.csv')) continue;
    const [header = [], ...rows] = csvRows(await readFile(join(SHOP, file), 'utf8'));
    const marked = rows.map((row) =>
      row.map((cell, index) => (TEXTS.includes(header[index] ?? '') && cell ? `${cell} ${SECRET}` : cell)),
    );
    await writeFile(join(folder, file), csvText([header, ...marked]));
  }
  return folder;
}

/** Ways to ask a tool, a prompt or a completion for the other business, or for what is in it. */
function foreignCalls(tool: string, own: Business, other: Business): Message[] {
  const sample = sampleArguments(tool, other.business_id);
  const ids = [
    other.business_id,
    other.business_id.toUpperCase(),
    ` ${other.business_id}`,
    `{${other.business_id}}`,
    [own.business_id, other.business_id],
    { business_id: other.business_id },
    `${own.business_id}' or business_id = '${other.business_id}`,
    `../${other.business_id}`,
    randomUUID(),
    null,
  ];
  const guesses = [
    'search',
    'filter_brands',
    'filter_categories',
    'external_product_id',
    'campaign_id',
    'segment_id',
  ];
  const prompt = PROMPTS[tool.length % PROMPTS.length];
  return [
    ...ids.map((business_id) => toolCall(tool, { ...sample, business_id })),
    toolCall(tool, { ...sample, business_id: own.business_id, businessId: other.business_id }),
    ...GUESSES.map((guess, index) => {
      const argument = guesses[index % guesses.length] ?? 'search';
      const value = argument.startsWith('filter_') ? [guess] : guess;
      return toolCall(tool, { ...sample, business_id: own.business_id, [argument]: value });
    }),
    message('prompts/get', { name: prompt?.name, arguments: { business_id: other.business_id } }),
    message('completion/complete', {
      ref: { type: 'ref/prompt', name: prompt?.name },
      argument: { name: 'business_id', value: other.business_id.slice(0, 4) },
      context: { arguments: { business_id: other.business_id } },
    }),
    message('resources/read', { uri: `analytics://metrics/../${other.business_id}` }),
  ];
}

/** How many answers came to requests that were sent after an access was taken away. */
async function revokeWhileAsked(
  target: Target,
  { account_id }: { readonly account_id: string },
  business: Business,
  send: (sent: Message) => Promise<Response>,
): Promise<number> {
  const { control } = target.instance;
  const sent = toolCall('list_products', { business_id: business.business_id });
  const ask = async () => JSON.stringify(await replies(await send(sent)));
  const wrong: string[] = [];
  const hammer = async (isTakenAway: () => boolean, refusal: string) => {
    for (let asked = 0; asked < 60; asked += 1) {
      const isLate = isTakenAway();
      const answer = await ask().catch((error: unknown) => String(error));
      if (isLate && !answer.includes(refusal)) wrong.push(answer);
    }
  };
  let isTakenAway = false;
  const takeAway = async (work: () => Promise<unknown>) => {
    await work();
    isTakenAway = true;
  };
  const all = (refusal: string) =>
    Promise.all(Array.from({ length: AT_ONCE }, () => hammer(() => isTakenAway, refusal)));
  await Promise.all([
    all('account is not assigned to this business'),
    takeAway(() => revokeAccess(control, account_id, business.business_id)),
  ]);
  isTakenAway = false;
  const grants = await control
    .selectFrom('grants')
    .select('grant_id')
    .where('account_id', '=', account_id)
    .execute();
  await Promise.all([
    all('invalid_token'),
    takeAway(() => Promise.all(grants.map(({ grant_id }) => revokeGrant(control, grant_id)))),
  ]);
  return wrong.length;
}
