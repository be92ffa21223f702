/**
 * Checks that imports in `src` point one way, as import-direction.ts says it, and in no circle. Type imports
 * count. Nor does an import of a merchant's files go back: no function is made in its `run.ts` that a later
 * step could call. Ours, because no checker of import direction reads TypeScript 7 yet
 * (docs/decisions/0003-dependencies.md).
 */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { mayImport } from './import-direction.ts';

const IMPORT = /(?:from|import)\s*\(?\s*'(\.[^']+)'/g;

const imports = new Map(
  globSync(['src/**/*.ts', 'tools/**/*.ts'], { exclude: ['src/domains/*/tests'] }).map((file) => [
    file,
    [...readFileSync(file, 'utf8').matchAll(IMPORT)].map(([, path = '']) =>
      normalize(join(dirname(file), path)),
    ),
  ]),
);

const problems = [...imports].flatMap(([file, targets]) => [
  ...targets
    .filter((target) => !mayImport(file, target))
    .map((target) => `${file} must not import ${target}`),
  ...(reaches(file, file) ? [`${file} imports itself in a circle`] : []),
]);
const RUN = 'src/import/run.ts';
if (readFileSync(RUN, 'utf8').includes('=>'))
  problems.push(`${RUN} makes a function: a step of the import takes a value and returns one`);
for (const problem of problems) console.error(problem);
process.exitCode = problems.length === 0 ? 0 : 1;

function reaches(from: string, goal: string, seen = new Set<string>()): boolean {
  return (imports.get(from) ?? []).some((target) => {
    if (target === goal) return true;
    if (seen.has(target)) return false;
    seen.add(target);
    return reaches(target, goal, seen);
  });
}
