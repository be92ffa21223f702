import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { importFormatFiles } from '../../scripts/import-format.ts';

const repository = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string) =>
  existsSync(repository + path) ? readFileSync(repository + path, 'utf8') : null;

it('the documented import format is that of the code (else run `npm run generate`)', () => {
  const files = importFormatFiles(read('docs/import-format.md') ?? '');
  expect(files.size).toBeGreaterThan(8);
  for (const [path, text] of files) expect(read(path), path).toBe(text);
});
