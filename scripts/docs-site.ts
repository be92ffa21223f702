/**
 * Makes the documents a site, in `site/dist`: `npm run docs`. What it needs beside is installed into
 * `site/node_modules` at the first use.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, globSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PACKAGE_FOLDER } from '../src/version.ts';

const SITE = join(PACKAGE_FOLDER, 'site');
/** Vue's runtime is found from where the pages lie, so they are copied beside it. */
const PAGES = join(SITE, 'pages');

/** The files of the repository that are read as pages, and the pictures in them. */
const DOCUMENTS = [
  'docs/**/*.{md,svg,png}',
  '{README,ARCHITECTURE,CHANGELOG,CODE_OF_CONDUCT,CONTRIBUTING,SECURITY}.md',
  'bench/README.md',
];

if (!existsSync(join(SITE, 'node_modules/vitepress')))
  execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: SITE, stdio: 'inherit' });
rmSync(PAGES, { recursive: true, force: true });
for (const file of globSync(DOCUMENTS, { cwd: PACKAGE_FOLDER })) {
  mkdirSync(dirname(join(PAGES, file)), { recursive: true });
  cpSync(join(PACKAGE_FOLDER, file), join(PAGES, file));
}
execFileSync(join(SITE, 'node_modules/.bin/vitepress'), ['build', SITE, ...process.argv.slice(2)], {
  stdio: 'inherit',
});
