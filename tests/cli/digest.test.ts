import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Temporal } from 'temporal-polyfill';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { CommandLine } from './command-line.ts';

/** The page of what is unusual, of a store with twenty orders a day and three on the last two whole ones. */
const DAYS = 160;
const FIRST = Temporal.PlainDate.from('2026-01-01');
let cli: CommandLine;
let business_id: string;
let file: string;

beforeAll(async () => {
  cli = await CommandLine.openShared();
  const about = [
    '--name',
    '[A](https://example.com) <b>',
    '--timezone',
    'Europe/Prague',
    '--currency',
    'CZK',
  ];
  ({ business_id } = (await cli.json(['business', 'create', ...about])) as { business_id: string });
  const folder = join(cli.folder, 'watched');
  mkdirSync(folder);
  const rows = Array.from({ length: DAYS }, (_, place) => {
    const isLow = place === DAYS - 2 || place === DAYS - 3;
    const day = FIRST.add({ days: place });
    return Array.from({ length: isLow ? 3 : 18 + ((place * 7) % 5) }, (_, order) => {
      const at = `${day}T${String(8 + (order % 12)).padStart(2, '0')}:${String(order).padStart(2, '0')}:00`;
      return `${place}-${order},c${(place * 31 + order) % 900}@example.com,${at},${500 + ((order * 37) % 90)}`;
    });
  });
  writeFileSync(join(folder, 'orders.csv'), ['order_id,email,ordered_at,total', ...rows.flat()].join('\n'));
  await cli.json(['import', business_id, folder]);
  file = join(cli.folder, 'digest.md');
});

afterAll(() => cli[Symbol.asyncDispose]());

it('prints a page with the sentences that watch answers', async () => {
  const { stdout } = await cli.run(['digest', business_id]);
  const args = JSON.stringify({ business_id });
  const answer = (await cli.json(['call', 'watch', args])) as {
    summary: string;
    alerts: { sentence: string }[];
  };
  const plain = stdout.replaceAll('\\', '');
  expect(stdout).toContain(String.raw`# \[A\](https://example.com) \<b\>: 2026-06-02 to 2026-06-08`);
  expect(plain).toContain(answer.summary);
  expect(answer.alerts.length).toBeGreaterThan(0);
  for (const { sentence } of answer.alerts) expect(plain).toContain(`- ${sentence}`);
  expect(plain).toContain('2026-06-07 to 2026-06-08: 6');
});

it('writes a file where there is something to say, and none where nothing is unusual', async () => {
  const written = await cli.run(['digest', business_id, '--out', file]);
  expect(written.stdout).toContain(`Written to ${file}`);
  expect(readFileSync(file, 'utf8')).toContain('## Unusual');
  const quiet = join(cli.folder, 'quiet.md');
  const nothing = await cli.run(['digest', business_id, '--as-of', '2026-06-05', '--out', quiet]);
  expect(nothing.stdout).toContain('is unusual');
  expect(existsSync(quiet)).toBe(false);
});

it.each([
  [['--as-of', 'soon'], /as_of/],
  [['--since', '2026-01-01'], /at most 28 days can be judged at once/],
  [['--out', '/nowhere/at/all.md'], /\/nowhere\/at\/all.md cannot be written/],
])('refuses %j in words', async (more, why) => {
  const refused = await cli.run(['digest', business_id, ...more]);
  expect(refused.status).not.toBe(0);
  expect(refused.stderr).toMatch(why);
});
