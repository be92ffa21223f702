import type { z } from 'zod';
import { InputError } from '../errors.ts';

type Issue = z.core.$ZodIssue;

/**
 * What was wrong with the arguments: the first problem, in the contract's words where it has them. A name
 * that does not exist within one comes before all others, since it is often a required one misspelled.
 *
 * @param error of a parse with `reportInput`
 */
export function argumentError(error: z.ZodError): InputError {
  const issue = error.issues.find(({ code }) => code === 'unrecognized_keys') ?? error.issues[0];
  if (issue === undefined) return new InputError('the arguments do not fit the input schema');
  return new InputError(describe(issue));
}

/** How many names that do not exist are told, and after how many characters each is cut. */
const NAMED = { names: 5, characters: 64 };

function describe(issue: Issue): string {
  const path = pathText(issue.path);
  if (issue.code === 'unrecognized_keys') {
    const keys = issue.keys
      .slice(0, NAMED.names)
      .map((key) => (path === '' ? key : `${path}.${key}`).slice(0, path.length + NAMED.characters));
    return `unknown argument ${keys.join(', ')}`;
  }
  if (issue.input === undefined && ['invalid_type', 'invalid_union'].includes(issue.code))
    return `${path} is required`;
  if (path.startsWith('filter_metrics[') && issue.message === 'unknown metric') {
    return `${pathText(issue.path.slice(0, 2))}: unknown metric`;
  }
  if (issue.code === 'invalid_type' && issue.message.startsWith('Invalid input'))
    return `${path}: must be ${CALLED[issue.expected] ?? issue.expected}, not ${called(issue.input)}`;
  // Messages of our own schemas name the argument already.
  return issue.message.startsWith(path) ? issue.message : `${path}: ${issue.message}`;
}

/** What the types of JSON are to a reader. */
const CALLED: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
};

function called(input: unknown): string {
  if (input === null) return 'null';
  if (typeof input === 'boolean') return String(input);
  return CALLED[Array.isArray(input) ? 'array' : typeof input] ?? typeof input;
}

/** `filter_metrics[0].metric` */
function pathText(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`;
    return text === '' ? String(part) : `${text}.${String(part)}`;
  }, '');
}
