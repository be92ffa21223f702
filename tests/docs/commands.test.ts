import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { expect, it } from 'vitest';
import { programWith } from '../../src/cli/run-command-line.ts';
import { readSettings } from '../../src/server/settings.ts';

/** Decisions tell what was; the others what is. */
const documents = execFileSync('git', ['ls-files', '*.md', ':!docs/decisions'], { encoding: 'utf8' })
  .trim()
  .split('\n');

const program = await programWith();

/** The words of `storesight …` in blocks of code, and of all inline code that begins as a command does. */
function commandsIn(document: string): string[] {
  const text = readFileSync(document, 'utf8').replaceAll('\\\n', ' ');
  const blocks = [...text.matchAll(/\bstoresight (?:-- )?((?:[a-z]+ |[a-z]+$)[^\n`]*)/gm)].map(
    ([, words = '']) => words,
  );
  const inline = [...text.matchAll(/(?<!`)`([a-z]+ [^`\n]+)`(?!`)/g)].map(([, words = '']) => words);
  return [...blocks, ...inline]
    .map((words) => words.replace(/ #.*/, ''))
    .filter((words) => program.commands.some((command) => command.name() === words.split(' ')[0]));
}

/** The first of the words that is no command or option; null if all are. */
function unknownIn(words: string): string | null {
  let command: Command = program;
  const [...rest] = words.split(/\s+/);
  while (command.commands.length > 0) {
    const name = rest.shift() ?? '';
    const next = command.commands.find((each) => each.name() === name);
    if (next === undefined) return name;
    command = next;
  }
  const known = command.options.flatMap(({ long, short }) => [long, short]);
  return (
    rest.find((word) => /^--?[a-z]/.test(word) && !known.includes(word.replace(/=.*|[,.;)]+$/, ''))) ?? null
  );
}

it('the commands and options of documents are those of the command line', () => {
  const named = documents.flatMap((document) => commandsIn(document).map((words) => ({ document, words })));
  expect(named.length).toBeGreaterThan(80);
  const wrong = named.flatMap(({ document, words }) => {
    const unknown = unknownIn(words);
    return unknown === null ? [] : [{ document, words, unknown }];
  });
  expect(wrong).toEqual([]);
});

it('the settings of documents are those that are read, with their defaults', () => {
  const read: string[] = [];
  readSettings(new Proxy({}, { get: (_, name) => void read.push(String(name)) }));
  const rows = [...readFileSync('docs/settings.md', 'utf8').matchAll(/^\| (`STORESIGHT_.*?) \| (.*?) \|/gm)];
  const told = rows.flatMap(([, names = '']) => [...names.matchAll(/\w+/g)].map(([name]) => name));
  expect(told.toSorted()).toEqual(read.toSorted());

  const settings: Record<string, unknown> = readSettings({});
  const defaults = rows.flatMap(([, name = '', given = '']) => {
    const [, number] = /^`(\d+)`$/.exec(given) ?? [];
    return number === undefined ? [] : [[name.replace(/`(STORESIGHT_)?/g, ''), Number(number)] as const];
  });
  expect(defaults.length).toBeGreaterThan(8);
  expect(defaults).toEqual(defaults.map(([name]) => [name, settings[name]]));
});
