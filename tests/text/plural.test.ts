import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { DOUBTS } from '../../src/snapshot/warnings.ts';
import { SOURCES } from '../../src/sources/all-sources.ts';
import type { RawRows } from '../../src/sources/source.ts';
import { plural } from '../../src/text/plural.ts';

it('one is one, and all others are many', () => {
  const orders = [0, 1, 2].map((count) => plural(count, 'order is', 'orders are'));
  expect(orders).toEqual(['0 orders are', '1 order is', '2 orders are']);
  expect(plural(1234, 'row', 'rows', '1,234')).toBe('1,234 rows');
});

const RAW: RawRows = {
  ...{ relation: 'raw', present: new Set<string>(), presentIn: [], settings: {}, written: [], origins: [] },
  makesOrders: true,
};

it('things that sources find once, or an import doubts once, are said in the singular', () => {
  const findings = [...SOURCES.flatMap((source) => source.findings?.(RAW) ?? []), ...DOUBTS];
  const said = findings.map(({ says }) => says(1));
  expect(said.length).toBeGreaterThan(30);
  for (const text of said)
    expect(text).not.toMatch(/^1 \S+s (?:\S+ )*?(?:are|have|were|repeat|tell|came|name|belong)\b/);
});

/** `${count} orders are`, with a number that is no constant. */
const PLURAL_ALONE =
  /\$\{(?![A-Z_]+\b|plural\()[^}`]*\} \w+s (?:\w+ )?(?:are|were|have|repeat|tell|came|went)\b(?! (?:here|allowed))/;

/**
 * `${count} ${count === 1 ? 'order is' : …}`, or the one as a text of its own: `count === 1 ? '1 order' : …`.
 */
const SELF_MADE = /\$\{([\w.]+)\} \$\{\1 === 1 \?|=== 1 \? ['`]1 /;

it.each([
  ['`#{count} orders are stored`', true],
  ['`#{list.length} orders were read`', true],
  ["`#{count} #{count === 1 ? 'order is' : 'orders are'} new`", true],
  ["`#{rows.length} #{rows.length === 1 ? 'row' : 'rows'}`", true],
  ["`after #{count === 1 ? '1 second' : `#{count} seconds`}`", true],
  ["`#{plural(count, 'order is', 'orders are')} new`", false],
  ['`#{MOST} orders are allowed`', false],
  ["`Try again in #{minutes === 1 ? 'a minute' : `#{minutes} minutes`}`", false],
])('the scan finds what counts by itself: %s', (line, isFound) => {
  expect(countsItself(line.replaceAll('#{', '${'))).toBe(isFound);
});

it('every sentence that counts things uses it', () => {
  const files = globSync('src/**/*.ts').filter(
    (file) => !file.includes('/tests/') && file !== 'src/text/plural.ts',
  );
  expect(files.length).toBeGreaterThan(500);
  const found = files.flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .filter(countsItself)
      .map((line) => `${file}: ${line.trim()}`),
  );
  expect(found).toEqual([]);
});

function countsItself(line: string): boolean {
  return PLURAL_ALONE.test(line) || SELF_MADE.test(line);
}
