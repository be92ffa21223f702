import { type DestinationStream, destination, type Logger, pino } from 'pino';
import { loggedError } from './logged-error.ts';
import type { Settings } from './settings.ts';

/**
 * JSON lines on standard error. Arguments, answers, tokens and e-mail addresses are never passed to it, and
 * of errors it has no values of rows.
 */
export function createLog(
  settings: Pick<Settings, 'LOG_LEVEL'>,
  stream: DestinationStream = destination({ dest: 2, sync: true }),
): Logger {
  return pino(
    {
      level: settings.LOG_LEVEL,
      serializers: { err: (error: unknown) => loggedError(error) },
      redact: ['*.authorization', '*.token', '*.access_token', '*.email', '*.password'],
    },
    stream,
  );
}
