import { emptyStore, type Store } from '../oracle/store.ts';

type Rows = Partial<Omit<Store, 'business'>>;

/** What there is of somebody, whose id, e-mail and visitor are `who`, `${who}@example.com` and `v-${who}`. */
export type Kinds = Readonly<Record<string, (who: string) => Rows>>;

/**
 * A store with 5 people of the first kind, 10 of the second, 20 of the third, …: from a number of profiles it
 * is clear of which kinds they are, and it is never 1 to 4.
 *
 * @param kinds each person has a profile row, with what the kind says of it
 */
export function crowd(kinds: Kinds, timezone: string, rest: Rows = {}): Store {
  const store = emptyStore({ timezone, primary_currency: 'CZK' });
  const parts = [
    rest,
    ...Object.entries(kinds).flatMap(([kind, rowsOf], index) =>
      Array.from({ length: 5 * 2 ** index }, (_, number) => {
        const who = `${kind}-${number}`;
        const { profiles = [{}], ...rows } = rowsOf(who);
        const identities = [{ profile_id: who, kind: 'visitor', value: `v-${who}` }];
        const own = { profile_id: who, email: `${who}@example.com` };
        return { identities, ...rows, profiles: profiles.map((row) => ({ ...own, ...row })) };
      }),
    ),
  ];
  for (const [table, rows] of parts.flatMap((part) => Object.entries(part) as [keyof Rows, never[]][])) {
    store[table].push(...rows);
  }
  return store;
}

/** The kinds of which all people are in the count. */
export function kindsIn(count: number, kinds: Kinds): string[] {
  const names = Object.keys(kinds);
  if (count % 5 !== 0 || count / 5 >= 2 ** names.length)
    throw new Error(`${count} is not made of whole kinds`);
  return names.filter((_, index) => Math.floor(count / 5 / 2 ** index) % 2 === 1);
}

/** Tables whose rows are of a person, and the columns that name that person or the row. */
const PERSONAL_TABLES = [
  'profiles',
  'identities',
  'audience_members',
  'consent_events',
  'interest_list_events',
  'orders',
  'sends',
  'message_events',
  'product_events',
  'popup_events',
  'sessions',
  'order_items',
  'refunds',
] as const;
const NAMING = [
  ...(['profile_id', 'email', 'external_customer_id', 'value', 'visitor_id', 'session_id'] as const),
  ...(['order_id', 'refund_id', 'send_id', 'event_id'] as const),
];

/** The store with everybody in it five times, so that no group of people is small. */
export function fivefold(store: Store): Store {
  const copies = Object.fromEntries(
    PERSONAL_TABLES.map((table) => [
      table,
      [1, 2, 3, 4, 5].flatMap((copy) => store[table].map((row) => ({ ...row, ...namesOf(row, copy) }))),
    ]),
  );
  return { ...store, ...copies };
}

function namesOf(row: Readonly<Record<string, string | undefined>>, copy: number) {
  const names = NAMING.flatMap((column) => {
    const name = row[column]?.trim() ?? '';
    return name === '' ? [] : [[column, `${copy}-${name}`]];
  });
  // The last digit but one of a number changes, so that it stays one of its country.
  const phone = row.phone?.replace(/\d(?=\d$)/, String(copy));
  return { ...Object.fromEntries(names), ...(phone !== undefined && { phone }) };
}
