import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, it } from 'vitest';

const documents = execFileSync('git', ['ls-files', '*.md'], { encoding: 'utf8' }).trim().split('\n');

/** The text that is read as Markdown: of code blocks nothing is a link or a heading. */
const proseOf = (file: string) => readFileSync(file, 'utf8').replace(/^(```+).*?^\1/gms, '');

/** As GitHub makes them: `## An update, at last` is `#an-update-at-last`. */
const anchorsOf = (file: string) =>
  [...proseOf(file).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-'),
  );

function isBroken(document: string, link: string): boolean {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? document : normalize(join(dirname(document), path));
  return !existsSync(target) || (anchor !== undefined && !anchorsOf(target).includes(anchor));
}

it('leads to a file, and to a heading of it', () => {
  const links = documents.flatMap((document) =>
    [...proseOf(document).matchAll(/(?<!\\)\[[^\]]*\]\(([^)\s]+)\)/g)].map(([, link = '']) => ({
      document,
      link,
    })),
  );
  const own = links.filter(({ link }) => !/^\w+:/.test(link));
  expect(own.length).toBeGreaterThan(200);
  expect(own.filter(({ document, link }) => isBroken(document, link))).toEqual([]);
});

it('a link leads to a decision that exists, also where only its number is told', () => {
  const numbers = new Set(
    documents.flatMap((document) => /^docs\/decisions\/(\d{4})-/.exec(document)?.[1] ?? []),
  );
  const told = documents.flatMap((document) =>
    [...proseOf(document).matchAll(/\((0\d{3})\)/g)].map(([, number = '']) => ({ document, number })),
  );
  expect(told.length).toBeGreaterThan(50);
  expect(told.filter(({ number }) => !numbers.has(number))).toEqual([]);
});

it('the index of the decisions has each of them once, under its title', () => {
  const decisions = documents.filter((document) => /^docs\/decisions\/\d{4}-/.test(document));
  const entries = decisions.map((document) => {
    const [, number, title] = /^# (\d{4}): (.+)$/m.exec(readFileSync(document, 'utf8')) ?? [];
    return `- [${number}](${document.slice('docs/decisions/'.length)}): ${title}`;
  });
  const index = readFileSync('docs/decisions/README.md', 'utf8').split('\n');
  expect(index.filter((line) => line.startsWith('- [')).toSorted()).toEqual(entries.toSorted());
});

it('the index of the documents has each of them', () => {
  const index = readFileSync('docs/README.md', 'utf8');
  const own = documents.filter(
    (document) => /^docs\/[^/]+\.md$/.test(document) && document !== 'docs/README.md',
  );
  expect(own.filter((document) => !index.includes(`(${document.slice('docs/'.length)})`))).toEqual([]);
});
