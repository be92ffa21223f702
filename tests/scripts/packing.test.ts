import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

it('an object is not spread where it is written: its values stand one below the other', () => {
  const files = globSync('src/**/*.ts', { exclude: ['src/domains/*/tests/**', 'src/charts/view-script.ts'] });
  expect(files.length).toBeGreaterThan(500);
  expect(files.filter((file) => readFileSync(file, 'utf8').includes('...{'))).toEqual([]);
});
