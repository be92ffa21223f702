import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { CATALOGUE, EXTENSION_TOOLS } from '../../src/catalogue.ts';

const tools = [...CATALOGUE, ...EXTENSION_TOOLS];
const rows = [...readFileSync('docs/which-tool.md', 'utf8').matchAll(/^\| .+ \| (`.+) \|$/gm)].map(
  ([, cell = '']) => cell,
);
const words = rows.flatMap((cell) => [...cell.matchAll(/`([a-z_]+)`/g)].map(([, word = '']) => word));

it('the page of questions leads to every tool', () => {
  expect(tools.map(({ name }) => name).filter((name) => !words.includes(name))).toEqual([]);
});

it('… and to none, and to no argument or field, that is not there', () => {
  const known = new Set(
    tools.flatMap(({ name, input, fields }) => [name, ...Object.keys(input.shape), ...namesOf(fields)]),
  );
  expect(words.filter((word) => !known.has(word))).toEqual([]);
});

interface Named {
  readonly key: string;
  readonly fields?: readonly Named[];
}

function namesOf(fields: readonly Named[]): string[] {
  return fields.flatMap(({ key, fields: inner = [] }) => [key, ...namesOf(inner)]);
}
