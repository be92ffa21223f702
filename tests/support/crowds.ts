import { emptyStore, type Store } from '../oracle/store.ts';

type Rows = Partial<Omit<Store, 'business'>>;

/** What there is of somebody, whose id, e-mail and visitor are `who`, `${who}@example.com` and `v-${who}`. */
export type Kinds = Readonly<Record<string, (who: string) => Rows>>;

/**
 * A store with 5 people of the first kind, 10 of the second, 20 of the third, …: from a number of profiles it is clear of
 * which kinds they are, and it is never 1 to 4.
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
