import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { post, replies, toolCall } from '../server/requests.ts';
import { childrenOf } from '../warehouse/statements/children.ts';
import { mutatedStatements } from '../warehouse/statements/mutated-statements.ts';
import { REFUSED_STATEMENTS } from '../warehouse/statements/statements.ts';
import { inTurns } from './in-turns.ts';
import { report } from './report.ts';
import { Target } from './target.ts';

const SHOP = fileURLToPath(new URL('../fixtures/hand-made-shop', import.meta.url));
const OPTIONS = { timezone: 'Europe/Prague', currency: 'CZK' };

/** In a file of the data folder, in the server's environment and in the name of the other store. */
const SECRET = 'tajemstvi-7f3a';

/** How many mutated statements go to the server. */
const MUTATED = 100;

/** What takes all it can get. */
const GREEDY = [
  'with recursive x(i) as (select 1 union all select i + 1 from x) select count(*) from x',
  "with recursive x(t) as (select lpad('x', 1000, 'y') union all select t || t from x) select max(len(t)) from x",
  'select count(*) from range(1000000000000)',
  'select count(*) from orders a, orders b, orders c, range(1000000000)',
  'select list(range) from range(1000000000)',
  'select len(range(2000000000))',
  "select string_agg(lpad(range::varchar, 1000, 'x'), '') from range(100000000)",
  "select max(a || b) from (select string_agg(lpad('x', 1000, 'y'), '') a from range(200000)), (select string_agg(lpad('x', 1000, 'y'), '') b from range(200000))",
  'select * from range(100000000) order by random()',
  "select max(levenshtein(lpad(range::varchar, 1000, 'a'), lpad('y', 1000, 'b'))) from range(100000000)",
  "select max(regexp_replace(lpad(range::varchar, 1000, 'a'), '(a*)*b', '')) from range(100000000)",
];

it('a statement reads its own store, and takes no more than it may', async () => {
  await using target = await Target.open();
  await writeFile(join(target.cli.folder, 'secret.csv'), `${SECRET}\n`);
  const own = await target.makeShop({ ...OPTIONS, name: 'Own shop' }, SHOP);
  const other = await target.makeShop({ ...OPTIONS, name: `Other ${SECRET}` }, SHOP);
  const { token } = await target.signIn([own], { permissions: ['QUERY_DATA'] });
  const server = await target.serve({
    STORESIGHT_EXTENSIONS: 'sql',
    STORESIGHT_QUERY_TIMEOUT_S: '10',
    TAJEMSTVI: SECRET,
  });
  const counts = { answered: 0, refused: 0, 'of them as busy': 0 };
  const ask = async (sql: string, business_id = own.business_id) => {
    const sent = toolCall('query_sql', { business_id, sql });
    const text = JSON.stringify(await replies(await post(`${server.url}?extensions=sql`, sent, { token })));
    const isRefused = text.includes('"isError":true');
    counts[isRefused ? 'refused' : 'answered'] += 1;
    if (text.includes('busy with other')) counts['of them as busy'] += 1;
    expect(text, sql).not.toContain(SECRET);
    // A refusal repeats what the caller wrote.
    for (const foreign of [target.cli.folder, other.business_id])
      if (!sql.includes(foreign)) expect(text, sql).not.toContain(foreign);
    expect(text, sql).not.toContain('root:');
    expect(text, sql).not.toContain('unexpected');
    return { isRefused, text };
  };

  expect((await ask('select count(*) from orders')).isRefused).toBe(false);
  const before = await filesIn(target.cli.folder);

  expect((await ask('select 1', other.business_id)).text).toContain('not assigned to this business');
  const hostile = [
    ...REFUSED_STATEMENTS.map(([sql]) => sql),
    `select * from '${target.cli.folder}/secret.csv'`,
    `select * from read_text('${target.cli.folder}/**')`,
    `select * from "${other.business_id}".orders`,
    `attach '${target.cli.folder}' as x`,
  ];
  await inTurns(2, hostile, async (sql) => expect((await ask(sql)).isRefused, sql).toBe(true));
  await inTurns(2, [...mutatedStatements(MUTATED)], (sql) => ask(sql));

  let worstMb = 0;
  let isAttacking = true;
  const weighing = (async () => {
    while (isAttacking) {
      for (const pid of await childrenOf(Number(server.child.pid)))
        worstMb = Math.max(worstMb, await memoryMb(pid));
      await setTimeout(20);
    }
  })();
  for (const sql of GREEDY) {
    const { isRefused, text } = await ask(sql);
    // What can be answered at all is short.
    expect(isRefused || text.length < 1_000_000, sql).toBe(true);
  }
  isAttacking = false;
  await weighing;
  expect((await ask('select count(*) from orders')).isRefused).toBe(false);
  const serverMb = await server.memoryMb();

  // Killed in the middle, it leaves no process and no file.
  const left = ask(GREEDY[0] ?? '').catch(() => null);
  await setTimeout(2500);
  const children = await childrenOf(Number(server.child.pid));
  await server.kill();
  await left;
  await setTimeout(2500);
  const alive = children.filter(isAlive);
  const after = await filesIn(target.cli.folder);
  report('query_sql', {
    counts: { ...counts, 'endless or large': GREEDY.length },
    worst: {
      'answers with a secret': 0,
      'memory of a statement, MB': worstMb,
      'memory of the server, MB': serverMb,
    },
  });
  expect(children.length).toBeGreaterThan(0);
  expect(alive).toEqual([]);
  expect(after.filter((file) => !before.includes(file) && !/[.]sqlite|served-at/.test(file))).toEqual([]);
  // DuckDB's 512 MB, Node, and what grew within a tenth of a second.
  expect(worstMb).toBeLessThan(3000);
});

async function filesIn(folder: string): Promise<readonly string[]> {
  return (await readdir(folder, { recursive: true })).sort();
}

async function memoryMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Math.round(Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1024);
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
