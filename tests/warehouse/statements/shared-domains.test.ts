import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Business } from '../../../src/business/business.ts';
import { currentSnapshot } from '../../../src/control/businesses/businesses.ts';
import { runStatement } from '../../../src/warehouse/statements/run-statement.ts';
import { emptyStore } from '../../oracle/store.ts';
import { createTestInstance, type TestInstance } from '../../support/test-instance.ts';

/** A mailbox domain or a month of birth is shown where five people have it, and no way leads to others. */
let test: TestInstance;
let shop: Business;

/** How many people have each: the last of them has two e-mails. */
const PEOPLE: Readonly<Record<string, number>> = {
  'seznam.cz': 7,
  'email.cz': 5,
  'four-people.example': 4,
  'proton.me': 2,
};
const FEW = ['four-people.example', 'proton.me', 'proton'];

beforeAll(async () => {
  test = await createTestInstance({ isOneEngineEnough: true });
  shop = await test.createBusiness({ timezone: 'UTC', currency: 'CZK' });
  const store = emptyStore({ timezone: 'UTC', primary_currency: 'CZK' });
  store.campaigns.push({
    ...{ campaign_id: 'c', name: 'News', campaign_type: 'targeted-emailing', state: 'sent' },
    created_at: '2026-01-01T08:00:00',
  });
  store.messages.push({ message_id: 'm', campaign_id: 'c', channel: 'email', subject: 'Now' });
  for (const [domain, people] of Object.entries(PEOPLE))
    for (let person = 0; person < people; person += 1)
      for (let send = 0; send < (person === people - 1 ? 2 : 1); send += 1)
        store.sends.push({
          ...{ send_id: `${domain}-${person}-${send}`, message_id: 'm', email: `p${person}@${domain}` },
          ...{ sent_at: `2026-02-0${send + 1}T08:00:00`, outcome: 'delivered' },
        });
  // Five people were born in October, four in May, and of one nothing is known.
  for (const [person, month] of [10, 10, 10, 10, 10, 5, 5, 5, 5, null].entries())
    store.profiles.push({
      profile_id: `p${person}`,
      birthday: month === null ? undefined : `19${80 + person}-${String(month).padStart(2, '0')}-17`,
    });
  await test.importStore(shop, store);
});

afterAll(() => test[Symbol.asyncDispose]());

async function outcomeOf(statement: Parameters<typeof runStatement>[1]) {
  const { business_id } = shop;
  const snapshot = await currentSnapshot(test.instance.control, business_id);
  const id = snapshot?.snapshot_id ?? '';
  const { data } = test.instance;
  const files = { model: data.model(business_id, id), snapshot: data.snapshot(business_id, id) };
  return runStatement(files, statement, new AbortController().signal);
}

const rowsOf = async (sql: string) =>
  ((await outcomeOf({ sql })) as unknown as { answered: { rows: unknown[][] } }).answered.rows;

it('domains and providers of five people are shown with all their e-mails, and others as one', async () => {
  const by = (column: string) =>
    rowsOf(`select ${column}, count(*), count(distinct customer_key) from sends group by 1 order by 1`);
  expect(await by('recipient_domain')).toEqual([
    ['(other)', 8, 6],
    ['email.cz', 6, 5],
    ['seznam.cz', 8, 7],
  ]);
  expect(await by('mailbox_provider')).toEqual([
    ['(other)', 8, 6],
    ['seznam', 14, 12],
  ]);
});

it.each([
  'select * from sends',
  'from sends select recipient_domain, mailbox_provider order by all',
  "select s.* from sends s where recipient_domain like '%example' or mailbox_provider = 'proton'",
  'select min(recipient_domain), max(recipient_domain), list(distinct mailbox_provider), string_agg(recipient_domain) from sends',
  'select columns(*)::varchar from sends',
  'select any_value(recipient_domain) from sends group by customer_key',
  'select to_json(s) from sends s',
  'select a.recipient_domain from sends a join sends b using (send_key) where a.customer_key = b.customer_key',
  "with few as (select send_key from sends where recipient_domain = '(other)') select * from sends join few using (send_key)",
  "select recipient_domain from sends except select recipient_domain from sends where sent_date > date '2026-02-01'",
  "select count(*) filter (where recipient_domain = 'four-people.example') from sends",
])('a domain of four people is in no answer: %s', async (sql) => {
  const text = JSON.stringify(await rowsOf(sql));
  for (const value of FEW) expect(text).not.toContain(`"${value}`);
  expect(text).not.toContain('people.example');
});

it.each([
  'select recipient_domain::integer from sends',
  'select error from (select cast(mailbox_provider as date) as error from sends)',
])('nor in an error: %s', async (sql) => {
  const told = await rowsOf(sql).then(JSON.stringify, (error: Error) => error.message);
  expect(told).toMatch(/Could not convert|invalid|Conversion/);
  for (const value of FEW) expect(told).not.toContain(value);
});

it.each(['recipient_domain', 'reason_text'])('%s as imported is in no table', async (column) => {
  await expect(rowsOf(`select ${column} from store.sends`)).rejects.toThrow(/not found|failed/);
});

it('nor in what describe_tables tells of the table', async () => {
  const text = JSON.stringify(await outcomeOf({ describe: ['sends', 'store.sends'] }));
  expect(text).toContain('seznam.cz');
  expect(text).not.toContain('people.example');
  expect(text).not.toContain('proton');
});

it('a month of birth is shown where five people have it, and no day of birth is', async () => {
  const months = await rowsOf(
    'select birth_month, count(*) from profiles where birth_month is not null group by 1',
  );
  expect(months).toEqual([[10, 5]]);
  await expect(rowsOf('select birth_day from profiles')).rejects.toThrow(/not found/);
  await expect(rowsOf('select birthday from store.profiles')).rejects.toThrow(/not found/);
});
