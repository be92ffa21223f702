import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, it } from 'vitest';
import { VENDORS } from '../../src/live/vendors/all-vendors.ts';
import { SOURCES } from '../../src/sources/all-sources.ts';

const documents = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'AGENTS.md', ...globSync('docs/*.md')];
const tracked = execFileSync('git', ['ls-files'], { encoding: 'utf8' }).trim().split('\n');
const atTheTop = new Set(tracked.map((path) => path.split('/')[0]));
/** Written by a release or by the site of documents, so a fresh checkout does not have them. */
const MADE_LATER = ['site/dist', 'docs/releases'];
/** Methods of MCP, which look like paths. */
const METHODS = ['tools/list', 'tools/call'];

interface Named {
  readonly document: string;
  readonly path: string;
}

/**
 * The inline code that is a path of this repository: it begins in one of its folders, or is a file with an
 * ending of ours.
 */
function pathsIn(document: string): Named[] {
  const prose = readFileSync(document, 'utf8').replace(/^(```+).*?^\1/gms, '');
  const code = [...prose.matchAll(/(?<!`)`([^`\n]+)`(?!`)/g)].map(([, text = '']) => text);
  return code.filter(isPath).map((path) => ({ document, path: path.replace(/\/$/, '') }));
}

function isPath(text: string): boolean {
  if (!/^[\w.][\w./*<>-]+$/.test(text) || METHODS.includes(text)) return false;
  if (text.includes('/')) return atTheTop.has(text.split('/')[0] ?? '') || /\.ts$/.test(text);
  return /^[\w.*<>-]+\.ts$/.test(text);
}

/**
 * Whether there is such a file or folder; `<domain>` and `*` stand for any name, and a name alone for a file
 * of that name anywhere.
 */
function isThere(path: string): boolean {
  const pattern = path.replaceAll(/<[^>]+>/g, '*');
  if (MADE_LATER.some((each) => path.startsWith(each))) return true;
  if (!pattern.includes('*') && existsSync(pattern)) return true;
  const wanted = new RegExp(
    `(^|/)${pattern.replaceAll('.', '\\.').replaceAll('**', '@').replaceAll('*', '[^/]*').replaceAll('@', '.*')}($|/)`,
  );
  return tracked.some((file) => wanted.test(file) || wanted.test(dirname(file)));
}

it('every file and folder that a guide names is in the repository', () => {
  const named = documents.flatMap(pathsIn);
  expect(named.length).toBeGreaterThan(150);
  expect(named.filter(({ path }) => !isThere(path))).toEqual([]);
});

it('every folder of the sources has its row in the map', () => {
  const rows = readFileSync('ARCHITECTURE.md', 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.split('|')[1] ?? '');
  const names = rows.flatMap((cell) => [...cell.matchAll(/`(?:src\/)?([^`]+)`/g)].map(([, name]) => name));
  const folders = new Set(tracked.flatMap((file) => /^src\/([^/]+)\//.exec(file)?.[1] ?? []));
  expect(folders.size).toBeGreaterThan(25);
  expect([...folders].filter((folder) => !names.includes(folder))).toEqual([]);
});

it('every domain is told in the map', () => {
  const text = readFileSync('ARCHITECTURE.md', 'utf8');
  const domains = new Set(tracked.flatMap((file) => /^src\/domains\/([^/]+)\//.exec(file)?.[1] ?? []));
  expect([...domains].filter((domain) => !text.includes(`\`${domain}\``))).toEqual([]);
});

it('every source has its page, or a page of its kind', () => {
  const kinds: readonly (readonly [RegExp, string])[] = [
    [/-(fivetran|airbyte)$/, 'fivetran'],
    [/-xml$/, 'product-feeds'],
    [/^ecb-/, 'exchange-rates'],
  ];
  const pageOf = (name: string) => kinds.find(([kind]) => kind.test(name))?.[1] ?? name;
  const silent = SOURCES.filter(({ name }) => !existsSync(`docs/sources/${pageOf(name)}.md`));
  expect(silent.map(({ name }) => name)).toEqual([]);
});

it('every vendor is named among the connections, and has its page where it needs a key', () => {
  const connections = readFileSync('docs/live.md', 'utf8');
  expect(VENDORS.filter(({ name }) => !connections.includes(`\`${name}\``)).map(({ name }) => name)).toEqual(
    [],
  );
  const withKeys = VENDORS.map(({ name }) => name).filter((name) => name !== 'url');
  expect(withKeys.filter((name) => !existsSync(`docs/live/${name}.md`))).toEqual([]);
});
