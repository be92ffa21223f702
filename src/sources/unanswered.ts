import { ImportError } from '../snapshot/import-errors.ts';
import type { SettingName } from './source.ts';

/** What must be said before files can be understood. */
export interface AskedQuestion {
  /** The name under which the answer is remembered. */
  readonly source: string;
  readonly setting: SettingName;
  /**
   * What the files do not say, and where:
   * `an order without a currency: 3 rows, the first is orders.csv line 2`.
   */
  readonly text: string;
  /** Statuses that nobody knows are listed here. */
  readonly values: readonly string[];
  /** What was said of the setting so far. */
  readonly said: string | null;
}

/** One error for what several sources or files ask. */
export function allUnanswered(errors: readonly UnansweredError[]): UnansweredError {
  const [first] = errors;
  if (first !== undefined && errors.length === 1) return first;
  return new UnansweredError(
    errors.map(({ message }) => message).join('\n'),
    errors.flatMap(({ questions }) => questions),
  );
}

/**
 * An error with questions. Its message asks in words of the command line; the questions are for callers that
 * ask in another way.
 */
export class UnansweredError extends ImportError {
  readonly questions: readonly AskedQuestion[];

  constructor(message: string, questions: readonly AskedQuestion[]) {
    super(message);
    this.questions = questions;
  }
}
