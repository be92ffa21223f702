/**
 * Checks that imports in `src` point one way, as ARCHITECTURE.md draws it, and in no circle. Type imports count.
 * Ours, because no checker of import direction reads TypeScript 7 yet (docs/decisions/0003-dependencies.md).
 */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

/** What each folder of `src` may import, beside itself: folders, or single files of one. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  sql: [],
  model: ['sql'],
  tools: ['model', 'sql'],
  warehouse: ['build', 'sql'],
  control: ['model'],
  build: ['model', 'ingest/session.ts', 'version.ts'],
  ingest: ['build', 'control', 'model', 'warehouse/interruptible.ts'],
  sources: ['ingest', 'control', 'model'],
  resources: ['catalogue.ts', 'tools', 'model'],
  prompts: ['model'],
  mcp: [
    'catalogue.ts',
    'tools',
    'resources',
    'prompts',
    'control',
    'warehouse',
    'model',
    'sql',
    'version.ts',
  ],
  demo: ['ingest', 'control', 'model'],
  oauth: ['control', 'model'],
  web: ['oauth', 'control', 'model'],
  server: ['mcp', 'oauth', 'web', 'build', 'ingest', 'control', 'warehouse', 'model', 'version.ts'],
  cli: [
    'catalogue.ts',
    'server',
    'oauth',
    'web/paths.ts',
    'mcp',
    'demo',
    'sources',
    'ingest',
    'control',
    'model',
    'version.ts',
  ],
};

const IMPORT = /(?:from|import)\s*\(?\s*'(\.[^']+)'/g;

const imports = new Map(
  globSync('src/**/*.ts').map((file) => [
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

function mayImport(file: string, target: string): boolean {
  const [, folder = '', ...rest] = file.split('/');
  if (rest.length === 0 || target.startsWith(`src/${folder}/`)) return true;
  const allowed = ALLOWED[folder] ?? [];
  return allowed.some((name) => target === `src/${name}` || target.startsWith(`src/${name}/`));
}

function reaches(from: string, goal: string, seen = new Set<string>()): boolean {
  return (imports.get(from) ?? []).some((target) => {
    if (target === goal) return true;
    if (seen.has(target)) return false;
    seen.add(target);
    return reaches(target, goal, seen);
  });
}
