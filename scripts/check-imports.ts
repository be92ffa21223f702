/**
 * Checks that imports in `src` point one way, as import-direction.ts says it, and in no circle. Type imports count.
 * Ours, because no checker of import direction reads TypeScript 7 yet (docs/decisions/0003-dependencies.md).
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
