import { progress } from '@clack/prompts';
import { InputError } from '../errors.ts';
import type { OnStep } from '../snapshot/import-context.ts';
import { ImportError } from '../snapshot/import-errors.ts';
import { visible, visibleLines } from '../text/visible.ts';

/** How a command speaks: one JSON document on stdout, or lines and progress for a person. */
export interface Output {
  readonly isJson: boolean;
  /** The result: the document, or the text for people. */
  result(document: object, text: string): void;
  /** Runs long work, telling its steps to a person who watches. */
  progress<Result>(title: string, work: (onStep: OnStep) => Promise<Result>): Promise<Result>;
}

export function createOutput(isJson: boolean): Output {
  return {
    isJson,
    result: (document, text) =>
      process.stdout.write(`${visibleLines(isJson ? JSON.stringify(document) : text)}\n`),
    progress: (asked, work) => {
      const title = visible(asked);
      if (!isJson && process.stderr.isTTY) return withProgressBar(title, work);
      if (!isJson) process.stderr.write(`${title} …\n`);
      return work(() => {});
    },
  };
}

async function withProgressBar<Result>(
  title: string,
  work: (onStep: OnStep) => Promise<Result>,
): Promise<Result> {
  const bar = progress({ max: 100, size: 20, output: process.stderr });
  let shown = 0;
  process.stderr.write(`${title}\n`);
  bar.start('starting');
  try {
    const result = await work((step, doneShare) => {
      const percent = Math.round(100 * doneShare);
      // The bar draws one line after the other when its text does not fit into one.
      bar.advance(percent - shown, step.slice(0, 40));
      shown = percent;
    });
    bar.advance(100 - shown);
    bar.stop(title);
    return result;
  } catch (error) {
    bar.error(title);
    throw error;
  }
}

/** Tells the user what went wrong; with `--json` also as the one document. */
export function reportFailure(error: unknown, isJson: boolean): void {
  const { message, hint, report } = describe(error);
  if (isJson) process.stdout.write(`${visible(JSON.stringify({ error: message, hint, ...report }))}\n`);
  process.stderr.write(`storesight: ${visibleLines([message, hint].filter(Boolean).join('\n'))}\n`);
}

function describe(error: unknown): {
  message: string;
  hint?: string | undefined;
  report?: object | undefined;
} {
  if (error instanceof InputError) return { message: error.message, hint: error.hint };
  if (error instanceof ImportError)
    return {
      message: error.message,
      hint: isDebugging() ? stackOf(error.cause) : undefined,
      report: error.report,
    };
  if (!(error instanceof Error)) return { message: String(error) };
  if (error.cause instanceof Error) return { message: error.message, hint: error.cause.message };
  return {
    message: error.message,
    hint: isDebugging() ? error.stack : undefined,
  };
}

function isDebugging(): boolean {
  return process.env.STORESIGHT_LOG_LEVEL === 'debug';
}

function stackOf(cause: unknown): string | undefined {
  return cause instanceof Error ? cause.stack : undefined;
}
