/**
 * An error as the log has it. What databases say of the values of a row is no part of it: one may be a
 * person's.
 */
export interface LoggedError {
  readonly type: string;
  readonly message: string;
  readonly code?: string;
  /** Where it was thrown, without the message, which may go over several lines. */
  readonly stack: string;
  readonly cause?: LoggedError;
}

const MOST_CAUSES = 5;

/**
 * An error as it is logged. Of what drivers add to their errors only the code is kept: PostgreSQL's `detail`
 * has the row that was refused.
 *
 * @param error what was thrown, an `Error` or anything else
 */
export function loggedError(error: unknown, depth = 0): LoggedError | string {
  if (!(error instanceof Error)) return withoutValues(String(error));
  const { code, cause, stack = '' } = error as NodeJS.ErrnoException;
  const behind = cause instanceof Error && depth < MOST_CAUSES ? loggedError(cause, depth + 1) : undefined;
  return {
    type: error.constructor.name,
    message: withoutValues(error.message),
    ...(typeof code === 'string' && { code }),
    stack: stack
      .split('\n')
      .filter((line) => /^\s+at /.test(line))
      .join('\n'),
    ...(typeof behind === 'object' && { cause: behind }),
  };
}

/**
 * `Conversion Error: invalid date field format: "…"`. Databases quote the values that they complain of, or
 * the statement on the lines behind; long numbers may be phones. Paths of files and sizes, of which other
 * errors tell, are kept.
 */
function withoutValues(message: string): string {
  const [first = ''] = message.split('\n', 1);
  if (!/^[A-Z][A-Za-z ]* Error: /.test(first) || /^(IO|Out of Memory) Error: /.test(first)) return message;
  return first
    .replaceAll(/"[^"]*"|'[^']*'|"[^"]*$|'[^']*$/g, (quoted) => `${quoted[0]}…${quoted[0]}`)
    .replaceAll(/\d{7,}/g, '…');
}
