import { expect, it } from 'vitest';
import { generatedFiles, staleFiles } from '../../scripts/generated-files.ts';
import { readmeOf } from '../../scripts/readme.ts';
import { CATALOGUE } from '../../src/catalogue.ts';

it('files are what the code makes (else run `npm run generate`)', async () => {
  expect((await generatedFiles()).size).toBeGreaterThan(12);
  expect(await staleFiles()).toEqual([]);
});

it('the list of tools names every tool, and README how many there are', async () => {
  const files = await generatedFiles();
  for (const { name } of CATALOGUE) expect(files.get('docs/tools/README.md')).toContain(`\`${name}\``);
  const readme = files.get('README.md') ?? '';
  const count = `${CATALOGUE.length} tools`;
  expect(readme).toContain(count);
  expect(readmeOf(readme.replaceAll(count, '3 tools'))).toBe(readme);
});
