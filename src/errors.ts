/** An error whose message the caller may see: it says what was wrong and what is allowed. */
export class InputError extends Error {
  override readonly name: string = 'InputError';
  /** What to do next, given beside the message, whose wording is fixed. */
  readonly hint: string | undefined;

  constructor(message: string, hint?: string) {
    super(message);
    this.hint = hint;
  }
}

/** What only the operator can mend: a caller may read the message, and the log gets it with its cause. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';
}

/**
 * Why something cannot be done, in our own words: the end of a sentence that another place begins, which
 * knows what it is about. Of what else is thrown there nobody is told the words: they are a library's, for
 * programmers, and may hold names of folders and what it read.
 */
export class ReasonError extends Error {
  override readonly name = 'ReasonError';
}

/** The caller may not ask this. */
export class AccessError extends InputError {
  override readonly name = 'AccessError';
}
