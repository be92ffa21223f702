/**
 * Refuses names of files and exports with words that docs/glossary.md lists as not to be used: `told.ts` says
 * nothing, `job-messages.ts` does.
 */
import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';

const EXPORT =
  /^export (?:abstract |async |declare )*(?:class|const|enum|function\*?|interface|let|type) (\w+)/gm;

const instead = new Map(
  [...readFileSync('docs/glossary.md', 'utf8').matchAll(/^\| \*([a-z]+)\* \| (.+) \|$/gm)].map(
    ([, word = '', better = '']) => [word, better],
  ),
);
if (instead.size === 0) throw new Error('docs/glossary.md has no table of words that names do not have');

const files = globSync(['src/**/*.ts', 'tools/**/*.ts', 'scripts/*.ts', 'tests/**/*.ts', 'bench/**/*.ts'], {
  exclude: ['src/charts/view-script.ts'],
});
const problems = files.flatMap((file) => [
  ...problemsOf(basename(file), file),
  ...[...readFileSync(file, 'utf8').matchAll(EXPORT)].flatMap(([, name = '']) => problemsOf(name, file)),
]);
for (const problem of problems) console.error(problem);
process.exitCode = problems.length === 0 ? 0 : 1;

function problemsOf(name: string, file: string): string[] {
  return wordsOf(name).flatMap((word) => {
    const better = instead.get(word);
    return better === undefined ? [] : [`${file}: the name ${name} has the word ${word}; write ${better}`];
  });
}

/** `keepToldStock` and `keep-told-stock.ts` have the words keep, told and stock. */
function wordsOf(name: string): string[] {
  return name.split(/[^A-Za-z]+|(?<=[a-z])(?=[A-Z])/).map((word) => word.toLowerCase());
}
