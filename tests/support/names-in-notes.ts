import type { Field } from '../../src/answers/fields/field.ts';
import type { Answer, Tool } from '../../src/answers/tool.ts';
import { ASSUMPTION_KINDS } from '../../src/business/assumptions.ts';
import { CATALOGUE, EXTENSION_TOOLS } from '../../src/catalogue.ts';
import { CANONICAL_TABLES } from '../../src/store/tables/all-tables.ts';

/** Two words or more, as names of fields and arguments are written, and names of tools. */
const NAME = /\b[a-z]+[0-9]*(?:_[a-z0-9]+)+\b/g;

/**
 * Names in the notes of an answer that a reader finds nowhere else: the fields and arguments of the tool do
 * not have them, and the question and the answer do not either. A note may send to another tool: then that is
 * named, and what the tool has may be.
 */
export function strangeNames(tool: Tool, args: Readonly<Record<string, unknown>>, answer: Answer): string[] {
  const { notes = [], result } = answer;
  const values = JSON.stringify([args, result]);
  return notes.flatMap((note) => {
    const sentTo = [...CATALOGUE, ...EXTENSION_TOOLS].filter(({ name }) => note.includes(name));
    const known = new Set([tool, ...sentTo].flatMap(namesOf));
    return (note.match(NAME) ?? [])
      .filter((name) => !known.has(name) && !OUTSIDE.has(name) && !values.includes(name))
      .map((name) => `${name} in: ${note}`);
  });
}

/**
 * Files that a merchant imports, what links carry, and kinds of costs that the command line takes: readers of
 * a note know them from there.
 */
const OUTSIDE: ReadonlySet<string> = new Set([
  ...CANONICAL_TABLES.map(({ name }) => name),
  ...Object.keys(ASSUMPTION_KINDS),
  ...['utm_source', 'utm_medium', 'utm_campaign'],
]);

function namesOf({ name, fields, input }: Tool): string[] {
  return [name, ...namesIn(fields), ...Object.keys(input.shape)];
}

function namesIn(fields: readonly Field[]): string[] {
  return fields.flatMap(({ key, values = [], fields: its = [], either = [] }) => [
    key,
    ...values,
    ...namesIn([...its, ...either.flat()]),
  ]);
}
