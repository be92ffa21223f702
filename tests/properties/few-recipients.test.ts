import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { adversary, type Known, minus, type Sum } from '../oracle/linear-adversary.ts';
import { emptyStore, type Store } from '../oracle/store.ts';
import { runs } from '../support/runs.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';

/**
 * A reader of messages by the provider or domain of their recipients does not learn what 1 to 4 people of one
 * of these got, in the range or in a period: no row says it, and adding and subtracting all rows does not
 * either. The adversary even knows whose messages are in `(other)`.
 */
let test: TestInstance;

beforeAll(async () => {
  test = await createTestInstance();
});

afterAll(() => test[Symbol.asyncDispose]());

const GROUPS = ['gmail', 'seznam', 'yahoo', 'proton', 'other'] as const;
type Group = (typeof GROUPS)[number];
const DOMAIN: Record<Group, string> = {
  ...{ gmail: 'gmail.com', seznam: 'seznam.cz', yahoo: 'yahoo.fr', proton: 'proton.me', other: 'x.example' },
};
const COUNTRY: Record<Group, string> = { gmail: 'CZ', seznam: 'SK', yahoo: 'DE', proton: 'AT', other: 'PL' };
const DAYS = ['2024-03-04', '2024-03-05', '2024-03-12', '2024-03-13', '2024-04-02'] as const;
const isSmall = (people: number) => people >= 1 && people <= 4;

const cells = fc.array(
  fc.record({
    group: fc.constantFrom(...GROUPS),
    day: fc.constantFrom(...DAYS),
    people: fc.constantFrom(1, 3, 4, 5, 5, 6, 9, 20),
    first: fc.constantFrom(0, 0, 3, 10),
  }),
  { minLength: 1, maxLength: 14 },
);
type Cell = typeof cells extends fc.Arbitrary<(infer One)[]> ? One : never;
const ranges = fc.constantFrom(
  { from_date: '2024-03-01T00:00:00', to_date: '2024-04-30T23:59:59' },
  { from_date: '2024-03-05T00:00:00', to_date: '2024-03-12T23:59:59' },
);
type Range = typeof ranges extends fc.Arbitrary<infer One> ? One : never;

interface Message {
  readonly group: Group;
  readonly day: string;
  readonly person: string;
}

const messagesOf = (all: readonly Cell[]): Message[] =>
  all.flatMap(({ group, day, people, first }) =>
    Array.from({ length: people }, (_, index) => ({ group, day, person: `${group}-${first + index}` })),
  );

function storeOf(messages: readonly Message[]): Store {
  const channels = { email: 'targeted-emailing', sms: 'targeted-sms' };
  const store = emptyStore({ timezone: 'Europe/Prague', primary_currency: 'CZK' });
  for (const [channel, campaign_type] of Object.entries(channels)) {
    const created_at = '2024-01-01T00:00:00';
    store.campaigns.push({ campaign_id: channel, name: channel, campaign_type, state: 'sent', created_at });
    store.messages.push({ message_id: channel, campaign_id: channel, channel, subject: 'Hello' });
    for (const [index, { group, day, person }] of messages.entries()) {
      const email = `${person}@${DOMAIN[group]}`;
      const sms_country = channel === 'sms' ? COUNTRY[group] : undefined;
      const sent_at = `${day}T09:00:00`;
      store.sends.push({ send_id: `${channel}-${index}`, message_id: channel, email, sent_at, sms_country });
    }
  }
  return store;
}

interface Row {
  readonly key: string;
  readonly sent_count: number;
  readonly period?: string;
}

const periodOf: Record<string, (day: string) => string> = {
  day: (day) => day,
  week: (day) =>
    ({ '04': '2024-W10', '05': '2024-W10', '12': '2024-W11', '13': '2024-W11' })[day.slice(8)] ?? '2024-W14',
  month: (day) => day.slice(0, 7),
};

const isIn = ({ from_date, to_date }: Range, day: string) =>
  from_date.slice(0, 10) <= day && day <= to_date.slice(0, 10);

/** What was sent to a group on a day. */
const atom = (group: Group, day: string) => `${group} ${day}`;

function expectNothingOfFew(
  messages: readonly Message[],
  shown: { totals: number; rows: readonly Row[]; periods: readonly Row[]; nameOf: Record<Group, string> },
  { range, breakdown }: { range: Range; breakdown: string },
  told: string,
): void {
  const label = periodOf[breakdown] as (day: string) => string;
  const touched = new Set(shown.periods.map(({ period }) => period));
  const parts: { isMeant: (day: string) => boolean; rows: readonly Row[]; name: string }[] = [
    {
      isMeant: (day) => isIn(range, day),
      rows: [{ key: '(all)', sent_count: shown.totals }, ...shown.rows],
      name: 'range',
    },
    ...[...touched].map((period) => ({
      isMeant: (day: string) => label(day) === period,
      rows: shown.periods.filter((row) => row.period === period),
      name: String(period),
    })),
  ];
  const sumOf = (groups: readonly Group[], isMeant: (day: string) => boolean): Sum =>
    Object.fromEntries(
      groups.flatMap((group) => DAYS.filter(isMeant).map((day) => [atom(group, day), 1] as const)),
    );
  const of = (groups: readonly Group[], isMeant: (day: string) => boolean) =>
    messages.filter(({ group, day }) => groups.includes(group) && isMeant(day));
  const isTold = (day: string) => parts.some(({ isMeant }) => isMeant(day));
  const there = GROUPS.filter((group) => of([group], isTold).length > 0);
  const known: Known[] = [];
  const secrets: { name: string; sum: Sum; people: number }[] = [];
  for (const { isMeant, rows, name } of parts) {
    const own = GROUPS.filter((group) => rows.some(({ key }) => key === shown.nameOf[group]));
    const groupsOf = (key: string): readonly Group[] => {
      if (key === '(all)') return there;
      if (key === '(other)') return there.filter((group) => !own.includes(group));
      return GROUPS.filter((group) => shown.nameOf[group] === key);
    };
    for (const { key, sent_count } of rows) {
      expect(sent_count, `${key} of ${name}: ${told}`).toBe(of(groupsOf(key), isMeant).length);
      known.push({ sum: sumOf(groupsOf(key), isMeant), value: sent_count });
    }
    const peopleOf = (groups: readonly Group[]) =>
      new Set(of(groups, isMeant).map(({ person }) => person)).size;
    for (const group of there) {
      const sum = sumOf([group], isMeant);
      const others = there.filter((one) => one !== group);
      secrets.push({ name: `${group} of ${name}`, sum, people: peopleOf([group]) });
      // All but nobody are the whole, which is told.
      if (peopleOf([group]) === 0 || others.length === 0) continue;
      const rest = minus(sumOf(there, isMeant), sum);
      secrets.push({ name: `all but ${group} of ${name}`, sum: rest, people: peopleOf(others) });
    }
  }
  const derive = adversary(known, Object.keys(sumOf(GROUPS, () => true)));
  // One group is the whole.
  for (const { name, sum } of there.length > 1 ? secrets.filter(({ people }) => isSmall(people)) : []) {
    expect(derive(sum), `${name}: ${told}`).toBeNull();
  }
  // Nothing is hidden for nothing.
  if (secrets.some(({ people }) => isSmall(people))) return;
  expect(
    [...shown.rows, ...shown.periods].some(({ key }) => key === '(other)'),
    told,
  ).toBe(false);
}

it('answers about messages tell of no 1 to 4 recipients of a provider or domain', async () => {
  const breakdowns = fc.constantFrom('day', 'week', 'month');
  await fc.assert(
    fc.asyncProperty(cells, ranges, breakdowns, async (all, range, breakdown) => {
      // Groups that have periods and no row would leave open whether they are among the others.
      const messages = messagesOf(all).filter(({ group }) =>
        all.some((cell) => cell.group === group && isIn(range, cell.day)),
      );
      fc.pre(messages.length > 0);
      const business = await test.createBusiness({ timezone: 'Europe/Prague', currency: 'CZK' });
      const { business_id } = business;
      await test.importStore(business, storeOf(messages));
      const ask = (tool: string, args: object) =>
        test.ask(tool, { business_id, ...range, breakdown, ...args });
      const told = JSON.stringify({ all, range, breakdown });
      for (const group_by of ['mailbox_provider', 'recipient_domain']) {
        const nameOf =
          group_by === 'recipient_domain'
            ? DOMAIN
            : (Object.fromEntries(GROUPS.map((group) => [group, group])) as Record<Group, string>);
        const { totals, rows, periods } = (await ask('email_deliverability_statistics', { group_by })) as {
          totals: Row;
          rows: Row[];
          periods: Row[];
        };
        const shown = { totals: totals.sent_count, rows, periods, nameOf };
        expectNothingOfFew(messages, shown, { range, breakdown }, told);
      }
      // What the shop sent to which country is in its books, one message too.
      const { countries } = (await ask('sms_channel_statistics', {})) as {
        countries: { country: string; sent_count: number }[];
      };
      const inRange = messages.filter(({ day }) => isIn(range, day));
      expect(new Map(countries.map(({ country, sent_count }) => [country, sent_count])), told).toEqual(
        new Map(
          [...Map.groupBy(inRange, ({ group }) => COUNTRY[group])].map(([country, own]) => [
            country,
            own.length,
          ]),
        ),
      );
    }),
    { numRuns: runs(2), endOnFailure: true },
  );
});
