/**
 * Refuses names of files and exports with words that docs/glossary.md lists as not to be used: `told.ts` says
 * nothing, `job-messages.ts` does. Refuses lines of comments that are too long to read, too.
 */
import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';

const EXPORT =
  /^export (?:abstract |async |declare )*(?:class|const|enum|function\*?|interface|let|type) (\w+)/gm;

/** The longest line of a comment, as .editorconfig asks. */
const MOST_CHARACTERS = 110;

/** Tables and calls of a program, whose lines are as long as they need. */
const LAYOUT = /\S {2,}\S|^ \* {3}node /;

const instead = new Map(
  [...readFileSync('docs/glossary.md', 'utf8').matchAll(/^\| \*([a-z]+)\* \| (.+) \|$/gm)].map(
    ([, word = '', better = '']) => [word, better],
  ),
);
if (instead.size === 0) throw new Error('docs/glossary.md has no table of words that names do not have');

const files = globSync(['src/**/*.ts', 'tools/**/*.ts', 'scripts/*.ts', 'tests/**/*.ts', 'bench/**/*.ts'], {
  exclude: ['src/charts/view-script.ts'],
});
const problems = files.flatMap((file) => {
  const text = readFileSync(file, 'utf8');
  return [
    ...problemsOf(basename(file), file),
    ...[...text.matchAll(EXPORT)].flatMap(([, name = '']) => problemsOf(name, file)),
    ...longComments(text).map(
      (line) =>
        `${file}:${line}: a line of this comment has more than ${MOST_CHARACTERS} characters; say less`,
    ),
  ];
});
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

/** The numbers of the lines of comments that are too long. */
function longComments(text: string): number[] {
  let isInside = false;
  return text.split('\n').flatMap((line, index) => {
    const begun = line.trimStart();
    isInside ||= begun.startsWith('/*');
    const isComment = isInside || begun.startsWith('//');
    if (line.includes('*/')) isInside = false;
    return isComment && line.length > MOST_CHARACTERS && !LAYOUT.test(line) ? [index + 1] : [];
  });
}
