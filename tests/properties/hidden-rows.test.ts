import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { derived, type Known, minus, plus, type Sum } from '../oracle/linear-adversary.ts';
import { emptyStore, type Store } from '../oracle/store.ts';
import { runs } from '../support/runs.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';

/**
 * A reader of rows about people who were picked by something of theirs does not learn of 1 to 4 of them: no
 * number says it, and adding and subtracting the numbers of the row does not either.
 */
let test: TestInstance;

beforeAll(async () => {
  test = await createTestInstance();
});

afterAll(() => test[Symbol.asyncDispose]());

const RANGE = { from_date: '2024-03-01T00:00:00', to_date: '2024-03-31T23:59:59' };
const BEFORE = '2024-02-10T08:00:00';
const WITHIN = '2024-03-10T08:00:00';
const LATER = '2024-03-20T08:00:00';
const size = fc.constantFrom(1, 2, 3, 4, 5, 6, 7, 12, 20);
const isSmall = (count: number) => count >= 1 && count <= 4;

const alike = fc.record({
  size,
  joined: fc.constantFrom(BEFORE, BEFORE, WITHIN),
  source: fc.constantFrom('popup', 'checkout', 'import'),
  left: fc.constantFrom(undefined, undefined, undefined, 'link', 'call'),
  consent: fc.constantFrom(undefined, 'subscribed', 'subscribed', 'bounced', 'unsubscribed'),
  isSuppressedBySms: fc.constantFrom(false, false, false, true),
  isCustomer: fc.boolean(),
});
const lists = fc.array(fc.array(alike, { maxLength: 7 }), { minLength: 8, maxLength: 8 });
type Alike = typeof alike extends fc.Arbitrary<infer Value> ? Value : never;

/** Everybody is on the list that is made of their kind, and on no other. */
function storeOf(members: readonly (readonly Alike[])[]): Store {
  const store = emptyStore({ timezone: 'Europe/Prague', primary_currency: 'CZK' });
  for (const [index, kinds] of members.entries()) {
    const code = `list-${index}`;
    store.interest_lists.push({ code, name: `List ${index}` });
    for (const [number, kind] of kinds.entries()) {
      for (let person = 0; person < kind.size; person += 1) {
        const email = `p-${index}-${number}-${person}@example.com`;
        store.interest_list_events.push({
          ...{ code, email, at: kind.joined, kind: 'subscribed', source: kind.source },
        });
        if (kind.left !== undefined) {
          store.interest_list_events.push({
            ...{ code, email, at: LATER, kind: 'unsubscribed', source: kind.left },
          });
        }
        if (kind.consent !== undefined)
          store.consent_events.push({ email, channel: 'email', at: BEFORE, state: kind.consent });
        if (kind.isSuppressedBySms)
          store.consent_events.push({ email, channel: 'sms', at: BEFORE, state: 'suppressed' });
        if (kind.isCustomer)
          store.orders.push({ order_id: `o-${email}`, ordered_at: BEFORE, email, total: '10' });
      }
    }
  }
  store.orders.push({
    order_id: 'last',
    ordered_at: '2024-04-02T08:00:00',
    email: 'x@example.com',
    total: '1',
  });
  return store;
}

/** The members by all that a row tells of them, and how many these are. */
function cellsOf(kinds: readonly Alike[]): Map<string, number> {
  const cells = new Map<string, number>();
  for (const kind of kinds) {
    const isConsented = kind.consent === 'subscribed';
    const isSuppressed = kind.consent === 'bounced' || kind.isSuppressedBySms;
    const cell = [
      kind.joined === BEFORE ? 'old' : `new ${kind.source}`,
      kind.left === undefined ? 'stays' : `left ${kind.left}`,
      isConsented ? 'consented' : 'not-consented',
      isSuppressed ? 'suppressed' : 'clean',
      kind.isCustomer ? 'customer' : 'stranger',
    ].join('; ');
    cells.set(cell, (cells.get(cell) ?? 0) + kind.size);
  }
  return cells;
}

/** The sum of all cells that an adversary has to think possible. */
function every(...parts: string[]): Sum {
  const joined = ['old', 'new popup', 'new checkout', 'new import'];
  const left = ['stays', 'left link', 'left call'];
  const all = joined.flatMap((a) =>
    left.flatMap((b) =>
      ['consented', 'not-consented'].flatMap((c) =>
        ['suppressed', 'clean'].flatMap((d) =>
          ['customer', 'stranger'].map((e) => [a, b, c, d, e].join('; ')),
        ),
      ),
    ),
  );
  const isMeant = (cell: string) => {
    const own = cell.split('; ');
    return parts.every((part) =>
      ['new', 'left'].includes(part) ? own.some((one) => one.startsWith(part)) : own.includes(part),
    );
  };
  return Object.fromEntries(all.filter(isMeant).map((cell) => [cell, 1]));
}

const END = every('stays');
/** What the numbers of a row count. */
const COUNTS: Record<string, Sum> = {
  subscribed_at_start_count: every('old'),
  subscribed_count: every('new'),
  unsubscribed_count: every('left'),
  net_growth: minus(every('new'), every('left')),
  subscribed_at_end_count: END,
  consented_count: every('stays', 'consented'),
  reachable_count: every('stays', 'consented', 'clean'),
  suppressed_count: every('stays', 'suppressed'),
  customers_count: every('stays', 'customer'),
};
/** What nobody may learn when it is of few. */
const SECRETS: Record<string, Sum> = {
  ...Object.fromEntries(Object.entries(COUNTS).filter(([name]) => name !== 'net_growth')),
  'old ones who left': every('old', 'left'),
  'old ones who stayed': every('old', 'stays'),
  'new ones who left': every('new', 'left'),
  'new ones who stayed': every('new', 'stays'),
  ...Object.fromEntries(
    ['consented', 'suppressed', 'customer'].map((what) => [
      `without: ${what}`,
      minus(END, every('stays', what)),
    ]),
  ),
  'consented and suppressed': every('stays', 'consented', 'suppressed'),
  'suppressed, not consented': every('stays', 'not-consented', 'suppressed'),
  'neither consented nor suppressed': every('stays', 'not-consented', 'clean'),
  'not reachable': minus(END, every('stays', 'consented', 'clean')),
  ...Object.fromEntries(['popup', 'checkout', 'import'].map((source) => [source, every(`new ${source}`)])),
  ...Object.fromEntries(['link', 'call'].map((source) => [source, every(`left ${source}`)])),
};

interface ListRow extends Record<string, unknown> {
  readonly code: string;
  readonly churn_rate: number | null;
  readonly is_hidden: boolean;
  readonly sources: readonly { source: string; subscribed_count: number }[];
  readonly leave_reasons: readonly { reason: string; unsubscribed_count: number }[];
}

/** Everything that a row says about people, as sums of cells. */
function knownOf(row: ListRow): Known[] {
  const known = Object.entries(COUNTS).flatMap(([name, sum]): Known[] => {
    const value = row[name];
    return typeof value === 'number' ? [{ sum, value }] : [];
  });
  const start = row.subscribed_at_start_count;
  if (typeof start === 'number' && row.churn_rate !== null) {
    known.push({ sum: every('old', 'left'), value: Math.round((start * row.churn_rate) / 100) });
  }
  for (const { source, subscribed_count } of row.sources) {
    known.push({ sum: every(`new ${source}`), value: subscribed_count });
  }
  for (const { reason, unsubscribed_count } of row.leave_reasons) {
    known.push({ sum: every(`left ${reason}`), value: unsubscribed_count });
  }
  return known;
}

const sizeOf = (sum: Sum, cells: Map<string, number>) =>
  Object.entries(sum).reduce((total, [cell, times]) => total + times * (cells.get(cell) ?? 0), 0);

it('a row of an interest list tells of no 1 to 4 people, also not by subtraction', async () => {
  await fc.assert(
    fc.asyncProperty(lists, async (members) => {
      const business = await test.createBusiness({ timezone: 'Europe/Prague', currency: 'CZK' });
      await test.importStore(business, storeOf(members));
      const call = { business_id: business.business_id, ...RANGE, limit: 1000 };
      const { interest_lists: rows } = (await test.ask('interest_list_statistics', call)) as {
        interest_lists: ListRow[];
      };
      expect(rows).toHaveLength(members.length);
      for (const row of rows) {
        const kinds = members[Number(row.code.slice('list-'.length))] ?? [];
        const cells = cellsOf(kinds);
        const told = `${JSON.stringify(row)} of ${JSON.stringify(kinds)}`;
        const known = knownOf(row);
        for (const { sum, value } of known) expect(value, told).toBe(sizeOf(sum, cells));
        for (const [name, secret] of Object.entries(SECRETS)) {
          expect(isSmall(derived(secret, known) ?? 0), `${name}: ${told}`).toBe(false);
        }
        // Nothing is hidden for nothing.
        if (Object.values(SECRETS).some((secret) => isSmall(sizeOf(secret, cells)))) continue;
        expect(row.is_hidden, told).toBe(false);
        expect(Object.keys(COUNTS).filter((name) => row[name] === null)).toEqual([]);
      }
    }),
    { numRuns: runs(2), endOnFailure: true },
  );
});

const audiences = fc.array(
  fc.record({
    sent: fc.constantFrom(1, 3, 5, 12),
    control: fc.constantFrom(0, 0, 1, 4, 5, 8),
    skipped_consent: fc.constantFrom(0, 2, 5),
    skipped_cap: fc.constantFrom(0, 0, 3, 6),
  }),
  { minLength: 6, maxLength: 6 },
);

it('a row of a campaign tells of no 1 to 4 people who got nothing', async () => {
  await fc.assert(
    fc.asyncProperty(audiences, async (campaigns) => {
      const store = emptyStore({ timezone: 'Europe/Prague', primary_currency: 'CZK' });
      for (const [index, outcomes] of campaigns.entries()) {
        const campaign_id = `c${index}`;
        store.campaigns.push({
          ...{ campaign_id, name: campaign_id, campaign_type: 'targeted-emailing', state: 'sent' },
          created_at: BEFORE,
        });
        const message_id = `m${index}`;
        store.messages.push({ message_id, campaign_id, channel: 'email', subject: 'Hello' });
        for (const [outcome, count] of Object.entries(outcomes)) {
          for (let person = 0; person < count; person += 1) {
            const email = `p-${outcome}-${person}@example.com`;
            store.audience_members.push({ campaign_id, email, entered_at: WITHIN, outcome });
            if (outcome !== 'sent') continue;
            store.sends.push({ send_id: `s${index}-${person}`, message_id, email, sent_at: WITHIN });
          }
        }
      }
      const business = await test.createBusiness({ timezone: 'Europe/Prague', currency: 'CZK' });
      await test.importStore(business, store);
      const call = { business_id: business.business_id, ...RANGE, limit: 1000 };
      const answer = (await test.ask('targeted_campaign_statistics', call)) as {
        campaigns: (Record<string, unknown> & { campaign_id: string; is_hidden: boolean })[];
      };
      for (const row of answer.campaigns) {
        const { sent, control, ...skipped } = campaigns[
          Number(row.campaign_id.slice(1))
        ] as (typeof campaigns)[0];
        const others = skipped.skipped_consent + skipped.skipped_cap;
        const sums = {
          audience_count: [{ sent: 1, control: 1, others: 1 }, sent + control + others],
          skipped_count: [{ control: 1, others: 1 }, control + others],
          control_group_count: [{ control: 1 }, control],
          sent_count: [{ sent: 1 }, sent],
        } as const;
        const told = `${JSON.stringify(row)} of ${JSON.stringify({ sent, control, others })}`;
        const known = Object.entries(sums).flatMap(([name, [sum, value]]): Known[] => {
          if (row[name] !== null) expect(row[name], told).toBe(value);
          return row[name] === null ? [] : [{ sum, value }];
        });
        const secrets = {
          control: { control: 1 },
          others: { others: 1 },
          skipped: { control: 1, others: 1 },
        };
        for (const [name, secret] of Object.entries(secrets)) {
          expect(isSmall(derived(secret, known) ?? 0), `${name}: ${told}`).toBe(false);
        }
        if ([sent, control, others, control + others].some(isSmall)) continue;
        expect(row.is_hidden, told).toBe(false);
      }
    }),
    { numRuns: runs(2), endOnFailure: true },
  );
});

it('the adversary adds and subtracts', () => {
  const known = [
    { sum: { a: 1, b: 1, c: 1 }, value: 20 },
    { sum: { a: 1, b: 1 }, value: 17 },
    { sum: { b: 1, c: 1, d: 1 }, value: 9 },
  ];
  expect(derived({ c: 1 }, known)).toBe(3);
  expect(derived({ b: 1 }, known)).toBeNull();
  expect(derived(plus({ b: 1 }, { d: 1 }), known)).toBe(6);
});
