import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { MOST_LISTED, whereListed, writeRejects } from '../../src/ingest/rejects.ts';
import { createRejects } from '../../src/ingest/stage-table.ts';
import { Session } from '../../src/store/duckdb-session.ts';

/** The list of bad cells has a bound, and says what is not in it. */
const folder = mkdtempSync(join(tmpdir(), 'storesight-rejects-list-'));
let session: Session;

beforeAll(async () => {
  session = await Session.open(':memory:', { memory: '1GB', spillFolder: folder, spillLimit: '1GB' });
  session.defineFunction('shown_text', 1, (text) => text);
});

afterAll(() => {
  session[Symbol.dispose]();
  rmSync(folder, { recursive: true });
});

async function rejectRows(count: number): Promise<void> {
  await session.run('drop table if exists rejects');
  await createRejects(session);
  await session.run(`
    insert into rejects by name
    select 'orders' as table_name, 'orders.csv' as file, range + 2 as line, 'total' as column_name,
      'x' as value, 'must be a number' as reason
    from range(${count})`);
}

it('a list that has room for all is whole', async () => {
  await rejectRows(3);
  const list = await writeRejects(session, join(folder, 'whole'), '20260101T000000000Z-abcd', 3);
  expect(readFileSync(list.path, 'utf8').trim().split('\n')).toEqual([
    'file,line,column,value,reason',
    ...[2, 3, 4].map((line) => `orders.csv,${line},total,x,must be a number`),
  ]);
  expect(whereListed(list)).toBe(`Each is listed in ${list.path}`);
});

it('a list that is cut has the first ones, and says how many there are in all', async () => {
  await rejectRows(5);
  const list = await writeRejects(session, join(folder, 'cut'), '20260101T000000000Z-abcd', 2);
  expect(readFileSync(list.path, 'utf8').trim().split('\n')).toEqual([
    'file,line,column,value,reason',
    ...[2, 3].map((line) => `orders.csv,${line},total,x,must be a number`),
    ',,,,3 more bad cells are not listed',
  ]);
  expect(whereListed(list)).toBe(`The first 2 bad cells of 5 are listed in ${list.path}`);
});

it('a list has 100,000 at most, and a store 20 lists', async () => {
  await rejectRows(MOST_LISTED + 7);
  const many = join(folder, 'many');
  const names = Array.from(
    { length: 22 },
    (_, number) => `20260101T0000000${String(number).padStart(2, '0')}Z-abcd`,
  );
  for (const [index, name] of names.entries())
    await writeRejects(session, many, name, index === 21 ? undefined : 1);
  expect(readdirSync(many).sort()).toEqual(names.slice(2).map((name) => `${name}.csv`));
  const [last = ''] = names.slice(-1);
  const lines = readFileSync(join(many, `${last}.csv`), 'utf8')
    .trim()
    .split('\n');
  expect(lines).toHaveLength(100_002);
  expect(lines.at(-1)).toBe(',,,,7 more bad cells are not listed');
});
