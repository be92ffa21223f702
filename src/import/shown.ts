import type { Business } from '../business/business.ts';
import type { ImportContext } from '../snapshot/import-context.ts';
import { ImportError } from '../snapshot/import-errors.ts';
import type { ImportReport } from '../snapshot/import-report.ts';
import { businessGate } from '../store/personal-data/business-gate.ts';

/** The context, with personal data removed from reported steps, aborted by `ending` too. */
export function shownContext(context: ImportContext, business: Business, ending: AbortSignal): ImportContext {
  const { onStep, signal, secret } = context;
  const gate = businessGate(secret, business);
  return {
    ...context,
    ...(onStep && { onStep: (step: string, doneShare: number) => onStep(gate.shown(step), doneShare) }),
    signal: signal === undefined ? ending : AbortSignal.any([signal, ending]),
  };
}

/**
 * A report is kept with its import and shown on pages. Names of files and columns are as many and as long as
 * somebody wrote them: a header may fill a file of 50 MB.
 */
const MOST = { notes: 300, ofNote: 2000, ofRefusal: 20_000 } as const;

export function shownReport(secret: Buffer, business: Business, report: ImportReport): ImportReport {
  const gate = businessGate(secret, business);
  const warnings = report.warnings.slice(0, MOST.notes).map((text) => gate.shown(cut(text, MOST.ofNote)));
  const more = report.warnings.length - warnings.length;
  if (more > 0) warnings.push(`${more} more notes are not kept`);
  return { ...report, warnings };
}

/** Cuts a long text and says how much is missing: `abc… (and 40 more characters)`. */
function cut(text: string, most: number): string {
  const more = text.length - most;
  return more <= 0 ? text : `${text.slice(0, most)}… (and ${more} more characters)`;
}

/** Shortens the message in place and returns the same error, since others hold it as their cause. */
export function shownError(secret: Buffer, business: Business, error: unknown): unknown {
  if (error instanceof ImportError)
    error.message = businessGate(secret, business).shown(cut(error.message, MOST.ofRefusal));
  return error;
}
