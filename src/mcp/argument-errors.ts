import type { z } from 'zod';
import { InputError } from '../errors.ts';

type Issue = z.core.$ZodIssue;

/**
 * What was wrong with the arguments: the first problem, in the contract's words where it has them. A name that does
 * not exist comes before all others, since it is often a required one misspelled.
 *
 * @param error of a parse with `reportInput`
 */
export function argumentError(error: z.ZodError, names: readonly string[]): InputError {
  const issue = error.issues.find(({ code }) => code === 'unrecognized_keys') ?? error.issues[0];
  if (issue === undefined) return new InputError('the arguments do not fit the input schema');
  return new InputError(describe(issue, names));
}

function describe(issue: Issue, names: readonly string[]): string {
  const path = pathText(issue.path);
  if (issue.code === 'unrecognized_keys') {
    const allowed = issue.path.length === 0 ? `; arguments are ${names.join(', ')}` : '';
    return `unknown argument ${issue.keys.map((key) => (path === '' ? key : `${path}.${key}`)).join(', ')}${allowed}`;
  }
  if (issue.input === undefined && issue.code === 'invalid_type') return `${path} is required`;
  if (path.startsWith('filter_metrics[') && issue.message === 'unknown metric') {
    return `${pathText(issue.path.slice(0, 2))}: unknown metric`;
  }
  // Messages of our own schemas name the argument already.
  return issue.message.startsWith(path) ? issue.message : `${path}: ${issue.message}`;
}

/** `filter_metrics[0].metric` */
function pathText(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`;
    return text === '' ? String(part) : `${text}.${String(part)}`;
  }, '');
}
