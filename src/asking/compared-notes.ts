import { wordedAround } from '../answers/sentences.ts';
import type { Arguments } from '../answers/tool.ts';

/**
 * The arguments, had the range that an answer compares with been asked for: what is said of a range is then
 * said of it, too. Null where the answer compares nothing.
 */
export function comparedArguments(args: Arguments, { compared_range: range }: Arguments): Arguments | null {
  return typeof range === 'object' && range !== null ? { ...args, ...range } : null;
}

/**
 * Notes of the compared range, named as such. What is told of the other range in the same words is told once.
 *
 * @param notes as if the compared range were the one asked for
 * @param told the same of the range that was asked for
 */
export function ofComparedRange(notes: readonly string[], told: readonly string[]): string[] {
  return notes.filter((note) => !told.includes(note)).map(nameCompared);
}

const QUOTED = /("(?:[^"\\]|\\.)*")/;

/** @example nameCompared('3 of these in the range') === '3 of these in the compared range' */
function nameCompared(note: string): string {
  const named = note
    .split(QUOTED)
    .map((part, index) => (index % 2 === 1 ? part : nameRange(part)))
    .join('');
  return wordedAround(named === note ? `In the compared range: ${note}` : named, note);
}

function nameRange(text: string): string {
  return text
    .replace(/\b(?:the|this) range\b/g, 'the compared range')
    .replace(/\bThe range\b/g, 'The compared range')
    .replace(/\bin these days\b/g, 'in the days of the compared range');
}
