import { DuckDBInstance } from '@duckdb/node-api';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { LEAST_SHARING } from '../../src/answers/shared-values.ts';
import { groupsOfFew } from '../../src/answers/small-groups.ts';
import { render } from '../../src/sql/render.ts';
import { identifier, type Sql, sql } from '../../src/sql/sql.ts';
import { duckDbDialect } from '../../src/warehouse/duckdb-dialect.ts';
import { runs } from '../support/runs.ts';

const connection = await (await DuckDBInstance.create()).connect();

interface Member {
  readonly group: string;
  readonly part: number;
  readonly person: number;
}

async function asked(members: readonly Member[], alsoFew: readonly string[] | null): Promise<unknown[]> {
  const rows = members.map(({ group, part, person }) => `('${group}', ${part}, ${person})`);
  await connection.run(
    `create or replace temp table given (own_key varchar, part integer, person integer);
    ${rows.length === 0 ? '' : `insert into given values ${rows.join(', ')};`}
    create or replace temp table also as select unnest([${(alsoFew ?? []).map((group) => `'${group}'`).join(', ')}]::varchar[]) as own_key`,
  );
  const from = (table: string): Sql => sql`select * from ${identifier(table)}`;
  const few = alsoFew === null ? groupsOfFew(from('given')) : groupsOfFew(from('given'), from('also'));
  const { text, parameters } = render(
    sql`select own_key from (${few}) as f order by own_key`,
    duckDbDialect('main'),
  );
  const values = Object.fromEntries(
    Object.entries(parameters).map(([name, { value }]) => [name, Number(value)]),
  );
  return (await connection.runAndReadAll(text, values)).getRows().flat();
}

/** Those that are few in a part; and where these are few together in a part, the next smallest there. */
function expected(members: readonly Member[], alsoFew: readonly string[]): string[] {
  const people = (groups: ReadonlySet<string>, part: number) =>
    new Set(
      members
        .filter((member) => groups.has(member.group) && member.part === part)
        .map(({ person }) => person),
    ).size;
  const groups = [...new Set(members.map(({ group }) => group))].sort();
  const parts = [...new Set(members.map(({ part }) => part))];
  const isFew = (count: number) => count > 0 && count < LEAST_SHARING;
  const few = new Set([
    ...alsoFew,
    ...groups.filter((group) => parts.some((part) => isFew(people(new Set([group]), part)))),
  ]);
  const next = parts
    .filter((part) => isFew(people(few, part)))
    .flatMap((part) => {
      const others = groups.filter((group) => !few.has(group));
      const size = (group: string) => people(new Set([group]), part) || Number.POSITIVE_INFINITY;
      // Sorting keeps the order of names where sizes are equal.
      return others
        .toSorted((one, other) => (size(one) === size(other) ? 0 : size(one) - size(other)))
        .slice(0, 1);
    });
  return [...new Set([...few, ...next])].sort();
}

/**
 * Groups of persons whose numbers leave the same rest are tried too: a rough count of people must not take
 * them for one person.
 */
const person = fc.oneof(
  fc.nat(12),
  fc.nat(12).map((number) => number * 64),
);
const member = fc.record({ group: fc.constantFrom('a', 'b', 'c', 'd', 'e'), part: fc.nat(2), person });

it('hidden groups are those of few people in some part, and the next smallest where these are few together', async () => {
  let withNext = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(member, { maxLength: 120 }),
      fc.option(fc.uniqueArray(fc.constantFrom('a', 'b', 'c'), { maxLength: 1 })),
      async (members, alsoFew) => {
        const groups = expected(members, alsoFew ?? []);
        if (groups.length > 1) withNext += 1;
        expect(await asked(members, alsoFew)).toEqual(groups);
      },
    ),
    { numRuns: runs(100) },
  );
  expect(withNext).toBeGreaterThan(0);
});

it('five people whose numbers leave the same rest are not few', async () => {
  const members = [64, 128, 192, 256, 320].map((number) => ({ group: 'a', part: 0, person: number }));
  expect(await asked(members, null)).toEqual([]);
  expect(await asked(members.slice(1), null)).toEqual(['a']);
});
