import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

/** A file to send, which no server shows. */
const FILES = ['reportPage'];

it('every page has a state in page-states.ts, in which a browser checks it', () => {
  const states = readFileSync('tests/web/pages/page-states.ts', 'utf8');
  const pages = globSync('src/web/pages/*.ts').flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/^export (?:async )?function (\w+Page)\(.*\): Html \{/gm)].map(
      ([, name]) => name,
    ),
  );
  expect(pages.length).toBeGreaterThan(20);
  expect(pages.filter((name) => !states.includes(`${name}(`))).toEqual(FILES);
});
