import { InputError } from '../errors.ts';
import { ImportError, type RejectedRows, RejectsError } from '../snapshot/import-errors.ts';
import { type AskedQuestion, UnansweredError } from './unanswered.ts';

/** Why nothing was imported, for a page; the message of the error is for the command line. */
export type Refusal =
  /** Something must be said first. */
  | { readonly kind: 'questions'; readonly questions: readonly AskedQuestion[] }
  /** More rows are bad than allowed. */
  | { readonly kind: 'rejects'; readonly rows: RejectedRows }
  | { readonly kind: 'refused'; readonly message: string };

/** A status of a shop is shorter. */
const LONGEST_VALUE = 200;

function shownRows(
  { examples, cells = [], ...rows }: RejectedRows,
  shown: (text: string) => string,
): RejectedRows {
  return {
    ...rows,
    examples: examples.map(shown),
    cells: cells.map(({ file, column, value, reason, line }) => ({
      line,
      file: shown(file),
      reason: shown(reason),
      column: column === null ? null : shown(column),
      value: value === null ? null : shown(value),
    })),
  };
}

/**
 * What an error of an import is to a person.
 *
 * @param shown takes personal data, and names of folders, out of a text
 * @returns null for an error that nobody foresaw
 */
export function refusalOf(error: unknown, shown: (text: string) => string): Refusal | null {
  if (error instanceof UnansweredError)
    return {
      kind: 'questions',
      questions: error.questions.map((question) => ({
        ...question,
        text: shown(question.text),
        values: question.values.filter((value) => value.length <= LONGEST_VALUE && shown(value) === value),
      })),
    };
  if (error instanceof RejectsError) return { kind: 'rejects', rows: shownRows(error.rows, shown) };
  if (error instanceof ImportError || error instanceof InputError)
    return { kind: 'refused', message: shown(error.message) };
  return null;
}
