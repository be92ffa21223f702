/** Writes the JSON Schema of each canonical table, and the list of columns in docs/import-format.md. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { importFormatFiles } from './import-format.ts';

mkdirSync('docs/import-format', { recursive: true });
for (const [file, text] of importFormatFiles(readFileSync('docs/import-format.md', 'utf8')))
  writeFileSync(file, text);
