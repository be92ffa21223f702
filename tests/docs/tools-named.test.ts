import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { CATALOGUE } from '../../src/catalogue.ts';

const readme = readFileSync('README.md', 'utf8');

it.each(['README.md', 'docs/operations.md', 'docs/security.md'])(
  '%s knows how many tools there are',
  (path) => {
    const counts = [...readFileSync(path, 'utf8').matchAll(/\b(\d+) tools\b/g)].map(([, count]) =>
      Number(count),
    );
    expect(counts.length).toBeGreaterThan(0);
    expect(new Set(counts)).toEqual(new Set([CATALOGUE.length]));
  },
);

it('the table of README has every tool, and no other', () => {
  const table = /^## The tools\n(.*?)^## /ms.exec(readme)?.[1] ?? '';
  const firstCells = table
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.split('|')[1] ?? '');
  const named = firstCells.flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name));
  expect(named.toSorted()).toEqual(CATALOGUE.map(({ name }) => name).toSorted());
});
