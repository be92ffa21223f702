import { expect, it } from 'vitest';
import { generatedFiles, staleFiles } from '../../scripts/generated-files.ts';
import { readmeOf } from '../../scripts/readme.ts';
import { CATALOGUE } from '../../src/catalogue.ts';

it('files are what the code makes (else run `npm run generate`)', async () => {
  expect((await generatedFiles()).size).toBeGreaterThan(12);
  expect(await staleFiles()).toEqual([]);
});

it('README names every tool, and how many there are', async () => {
  const readme = (await generatedFiles()).get('README.md') ?? '';
  for (const { name } of CATALOGUE) expect(readme).toContain(`\`${name}\``);
  const [first = ''] = readme.match(/\d+ tools/) ?? [];
  expect(readmeOf(readme.replace(first, '3 tools').replace('`order_statistics`, ', ''))).toBe(readme);
  expect(() => readmeOf('# Storesight')).toThrow('no place for its tools');
});
