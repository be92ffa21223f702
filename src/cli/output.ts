import { spinner } from '@clack/prompts';
import { InputError } from '../model/errors.ts';
import { ImportError } from '../ingest/errors.ts';

/** How a command speaks: one JSON document on stdout, or lines and progress for a person. */
export interface Output {
  readonly isJson: boolean;
  /** The result: the document, or the text for people. */
  result(document: object, text: string): void;
  /** Runs long work, telling its steps to a person who watches. */
  progress<Result>(title: string, work: (onStep: (step: string) => void) => Promise<Result>): Promise<Result>;
}

export function createOutput(isJson: boolean): Output {
  return {
    isJson,
    result: (document, text) => process.stdout.write(`${isJson ? JSON.stringify(document) : text}\n`),
    progress: (title, work) => {
      if (!isJson && process.stderr.isTTY) return withSpinner(title, work);
      if (!isJson) process.stderr.write(`${title} …\n`);
      return work(() => {});
    },
  };
}

async function withSpinner<Result>(
  title: string,
  work: (onStep: (step: string) => void) => Promise<Result>,
): Promise<Result> {
  const shown = spinner({ output: process.stderr });
  shown.start(title);
  try {
    const result = await work((step) => shown.message(`${title}: ${step}`));
    shown.stop(title);
    return result;
  } catch (error) {
    shown.error(title);
    throw error;
  }
}

/** Tells the user what went wrong; with `--json` also as the one document. */
export function reportFailure(error: unknown, isJson: boolean): void {
  const message = describe(error);
  if (isJson) {
    const report = error instanceof ImportError ? error.report : undefined;
    process.stdout.write(`${JSON.stringify({ error: message, ...report })}\n`);
  }
  process.stderr.write(`storesight: ${message}\n`);
}

function describe(error: unknown): string {
  if (error instanceof InputError && error.hint !== undefined) return `${error.message}\n${error.hint}`;
  if (error instanceof InputError || error instanceof ImportError) return error.message;
  if (!(error instanceof Error)) return String(error);
  return process.env.STORESIGHT_LOG_LEVEL === 'debug' ? (error.stack ?? error.message) : error.message;
}
