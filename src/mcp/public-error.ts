import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { Logger } from 'pino';
import { InputError, OperatorError } from '../errors.ts';
import { UnreadableSnapshotError, WarehouseError } from '../warehouse/warehouse.ts';
import { outcomeOf } from './call-outcome.ts';
import { hideUnexpected } from './unexpected-error.ts';

/** What a caller may read of an error; null of one that nobody expected. */
export function publicTexts(error: unknown): string[] | null {
  if (error instanceof InputError) {
    return error.hint === undefined ? [error.message] : [error.message, error.hint];
  }
  return error instanceof WarehouseError || error instanceof OperatorError ? [error.message] : null;
}

/**
 * Logs that a caller was told why there is no answer. What only the operator can mend comes with what a
 * caller may not read: its cause, a path, say.
 */
export function logRefusal(log: Logger, error: unknown, facts: object, what: string): void {
  if (error instanceof OperatorError || error instanceof UnreadableSnapshotError) {
    log.error({ ...facts, err: error }, 'an operator is needed');
  } else if (error instanceof InputError) {
    log.info(facts, what);
  } else {
    log.warn(facts, what);
  }
}

export function shorten(text: string): string {
  return text.length <= 1000 ? text : `${text.slice(0, 1000)}…`;
}

/**
 * The answer to a request whose errors are those of the protocol; its use is logged.
 *
 * @param what was used
 * @param signal of a client that may go away
 */
export async function answerLogged<Answer>(
  log: Logger,
  what: string,
  facts: object,
  answer: () => Answer | Promise<Answer>,
  signal?: AbortSignal,
): Promise<Answer> {
  const startedAt = performance.now();
  const measured = () => ({ ...facts, ms: Math.round(performance.now() - startedAt) });
  try {
    const answered = await answer();
    log.info(measured(), what);
    return answered;
  } catch (error) {
    if (signal?.aborted) {
      log.info(measured(), `${what} cancelled`);
      throw new ProtocolError(ProtocolErrorCode.InternalError, 'cancelled');
    }
    const code =
      error instanceof InputError ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError;
    const texts = publicTexts(error);
    if (texts === null)
      throw new ProtocolError(code, hideUnexpected(log, error, `${what} failed`, measured()));
    logRefusal(log, error, { ...measured(), outcome: outcomeOf(error) }, `${what} refused`);
    throw new ProtocolError(code, shorten(texts.join('. ')));
  }
}
