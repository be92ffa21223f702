/**
 * Makes a release: docs/releasing.md has the steps before and after.
 *
 * ```
 * npm run release -- --dry-run            # of the version of package.json
 * npm run release -- 0.2.0 --dry-run
 * npm run release -- 0.2.0                # writes, commits and tags; nothing is pushed or published
 * ```
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { CATALOGUE, EXTENSION_TOOLS } from '../../src/catalogue.ts';
import { releases } from './changelog.ts';
import { readManifest, repositoryPage } from './manifest.ts';
import { planRelease } from './plan-release.ts';
import { SERVER_JSON, serverJson } from './server-json.ts';
import { type Surface, surfaceOf } from './surface.ts';

const CHANGELOG = 'CHANGELOG.md';
const FOLDER = 'docs/releases';
/** These manifests name the image of a version. */
const KUBERNETES = ['one-server', 'several-servers'].map(
  (folder) => `deploy/kubernetes/${folder}/kustomization.yaml`,
);

const { values, positionals } = parseArgs({
  options: { 'dry-run': { type: 'boolean', default: false } },
  allowPositionals: true,
});
const isDry = values['dry-run'];
const manifest = readManifest();
const changelog = readFileSync(CHANGELOG, 'utf8');
const surface = surfaceOf([...CATALOGUE, ...EXTENSION_TOOLS]);
const plan = planRelease({
  changelog,
  surface,
  before: lastRelease(),
  version: positionals[0] ?? manifest.version,
  day: new Date().toISOString().slice(0, 10),
});
const problems = [...plan.problems, ...repositoryProblems()];

process.stdout.write(`Tag: ${plan.tag}\n\n${plan.notes}\n`);
for (const problem of problems) process.stderr.write(`Not ready: ${problem}\n`);
if (isDry) process.stderr.write('Nothing was written: this was a dry run.\n');
else if (problems.length === 0) write();
process.exitCode = problems.length === 0 || isDry ? 0 : 1;

function lastRelease(): { version: string; surface: Surface } | null {
  const [last] = releases(changelog);
  if (last === undefined) return null;
  const file = surfaceFile(last.version);
  if (!existsSync(file)) throw new Error(`${file} is missing: it says what tools of the last release were`);
  return { version: last.version, surface: JSON.parse(readFileSync(file, 'utf8')) };
}

function surfaceFile(version: string): string {
  return join(FOLDER, `${version}.json`);
}

function repositoryProblems(): string[] {
  const page = repositoryPage(manifest);
  const origin = git('config', '--default', '', 'remote.origin.url').replace(/\.git$/, '');
  const owner = new URL(page).pathname.slice(1);
  return [
    ...(git('status', '--porcelain') === '' ? [] : ['there are changes that are not committed']),
    ...(git('branch', '--show-current') === 'main' ? [] : ['this is not the branch main']),
    ...(git('tag', '--list', plan.tag) === '' ? [] : [`the tag ${plan.tag} is there already`]),
    ...(origin.endsWith(owner)
      ? []
      : [
          `package.json says that the repository is ${page}, and origin is ${origin === '' ? 'not set' : origin}`,
        ]),
  ];
}

/** A line for each tool, so that git shows which ones differ. */
function surfaceText(): string {
  const lines = Object.entries(surface).map(
    ([name, tool]) => `${JSON.stringify(name)}: ${JSON.stringify(tool)}`,
  );
  return `{\n${lines.join(',\n')}\n}\n`;
}

function write(): void {
  writeFileSync(CHANGELOG, plan.changelog);
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(surfaceFile(plan.version), surfaceText());
  if (manifest.version !== plan.version)
    execFileSync('npm', ['version', plan.version, '--no-git-tag-version'], { stdio: 'ignore' });
  writeFileSync(SERVER_JSON, serverJson());
  for (const file of KUBERNETES)
    writeFileSync(file, readFileSync(file, 'utf8').replace(/(?<=newTag: ).+/, plan.version));
  git('add', CHANGELOG, FOLDER, SERVER_JSON, ...KUBERNETES, 'package.json', 'package-lock.json');
  git('commit', '--quiet', '--message', `Release ${plan.version}`);
  git('tag', '--annotate', plan.tag, '--message', plan.notes);
  process.stderr.write(`Committed and tagged. To publish it: git push --follow-tags\n`);
}

function git(...args: string[]): string {
  return execFileSync('git', args, { encoding: 'utf8' }).trim();
}
