import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { persons } from '../../src/domains/identity/tables/identity.ts';
import {
  type BuildTable,
  MadeTable,
  type Need,
  type Relation,
  relation,
  workTable,
} from '../../src/model-table/model-table.ts';
import * as queried from '../../src/model-table/table-names.ts';
import { buildOrder } from '../../src/snapshot/build/build-order.ts';
import { makeTables } from '../../src/snapshot/build/make-tables.ts';
import { MODEL_TABLES } from '../../src/snapshot/build/model-tables.ts';
import { NAMES } from '../../src/snapshot/incremental/person-names.ts';
import {
  isOfPersons,
  PERSON_TABLES,
  SAME_FOR_SOME,
  WHOLE_TABLES,
} from '../../src/snapshot/incremental/person-tables.ts';
import { carryKeys } from '../../src/snapshot/key-parts.ts';
import { Session } from '../../src/store/duckdb-session.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';

const BUILD_ORDER = buildOrder(MODEL_TABLES);

let test: TestInstance;

beforeAll(async () => {
  test = await createTestInstance({ isOneEngineEnough: true });
});

afterAll(() => test[Symbol.asyncDispose]());

it('the model has each table that tools query', () => {
  const names = (tables: readonly { readonly name: string }[]) => tables.map(({ name }) => name).sort();
  expect(names(MODEL_TABLES)).toEqual(names(Object.values(queried)));
});

it('looks at a check as soon as its tables are made, and keeps no step for it any longer', async () => {
  const step = workTable({
    name: 'step',
    types: { n: 'integer' },
    hasRowsOfItsOwn: true,
    rows: relation`select 1 as n`,
  });
  const table = workTable({ name: 'made', types: { n: 'integer' }, rows: relation`select n from ${step}` });
  const last = workTable({
    name: 'last',
    types: { n: 'integer' },
    hasRowsOfItsOwn: true,
    rows: relation`select 1 as n`,
  });
  const make = async (condition: Relation, needs: readonly Need[] = []) => {
    using session = await openSession();
    const keys = await carryKeys(null, mkdtempSync(join(test.folder, 'keys-')));
    const looking: string[] = [];
    const onTable = (name: string) => looking.push(name);
    const checks = [{ name: 'the rows of the step are made', condition, needs }];
    const making = makeTables(session, [step, table, last], [], checks, keys, onTable);
    await making.catch((error: Error) => looking.push(error.message));
    return [looking, (await session.rows('show tables')).map(({ name }) => name)];
  };
  const equal = relation`(select count(*) from ${step}) = (select count(*) from ${table})`;
  expect(await make(equal)).toEqual([['step', 'made', 'last'], ['last']]);
  const unequal = relation`(select count(*) from ${step}) <> (select count(*) from ${table})`;
  expect(await make(unequal)).toEqual([
    ['step', 'made', 'the new snapshot fails its check: the rows of the step are made'],
    ['made', 'step'],
  ]);
  // A check holds, and is not asked, where there are no rows in what it needs.
  const empty = workTable({ name: 'empty', types: { n: 'integer' }, rows: relation`select 1 as n` });
  expect(await make(unequal, [empty])).toEqual([['step', 'made', 'last'], ['last']]);
  expect((await make(unequal, [[empty, step]]))[0]).toHaveLength(3);
});

it('knows all that a table reads', () => {
  const tables = new Set(BUILD_ORDER.map(({ name }) => name));
  for (const { name, rows } of BUILD_ORDER) {
    const own = new Set([...rows.text.matchAll(/([a-z_]+) as (?:materialized )?\(/g)].map(([, own]) => own));
    const named = [...rows.text.matchAll(/\b(?:from|join)\s+(store\.[a-z_]+|[a-z_]+)/g)].map(
      ([, table = '']) => table,
    );
    const read = rows.reads.map((table) => table.name);
    for (const table of named) {
      if (own.has(table) || !(tables.has(table) || table.startsWith('store.'))) continue;
      expect(read, name).toContain(table);
    }
  }
});

/**
 * Whatever a table of one person reads, by way of whatever others: rows that name persons reach it only as
 * that person's.
 */
it('makes the rows of one person of rows that name this person, and of what names nobody', () => {
  const namesSomebody = (table: BuildTable): boolean =>
    table instanceof MadeTable ? table.reads.some(namesSomebody) : table.name.replace('store.', '') in NAMES;
  const wholeTablesRead = (table: MadeTable): MadeTable[] =>
    table.reads.flatMap((read) => {
      if (!(read instanceof MadeTable) || isOfPersons(read)) return [];
      return read.scope === 'whole' ? [read] : wholeTablesRead(read);
    });
  for (const { table } of PERSON_TABLES) {
    const others = wholeTablesRead(table).filter((read) => namesSomebody(read) && !SAME_FOR_SOME.has(read));
    expect(others.map(String), table.name).toEqual([]);
    expect(table.rows.text, table.name).not.toContain('current_timestamp');
  }
});

/**
 * Else each import would resolve everybody, which takes longer than all that it does for affected persons.
 */
it('makes what is of all persons out of what is kept of each, without finding out again who is who', () => {
  const steps = (table: BuildTable): MadeTable[] =>
    table instanceof MadeTable && !isOfPersons(table) ? [table, ...table.reads.flatMap(steps)] : [];
  for (const table of WHOLE_TABLES) expect(steps(table), table.name).not.toContain(persons);
});

it('every table of one person has a column that says whose each row is', () => {
  for (const { table, key } of PERSON_TABLES) expect(Object.keys(table.types), table.name).toContain(key);
});

function openSession(): Promise<Session> {
  return Session.open(':memory:', { memory: '2GB', spillFolder: test.folder, spillLimit: '10GB' });
}
