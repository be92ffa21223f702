import type { Business } from '../business/business.ts';
import { ImportError } from '../snapshot/errors.ts';
import type { ImportContext } from '../snapshot/import-context.ts';
import type { ImportReport } from '../snapshot/report.ts';
import { businessGate } from '../store/personal-data/business-gate.ts';

/** A context whose steps are told without personal data, and which ends with a signal of the import too. */
export function shownContext(context: ImportContext, business: Business, ending: AbortSignal): ImportContext {
  const { onStep, signal, secret } = context;
  const gate = businessGate(secret, business);
  return {
    ...context,
    ...(onStep && { onStep: (step: string, doneShare: number) => onStep(gate.shown(step), doneShare) }),
    signal: signal === undefined ? ending : AbortSignal.any([signal, ending]),
  };
}

export function shownReport(secret: Buffer, business: Business, report: ImportReport): ImportReport {
  const gate = businessGate(secret, business);
  return { ...report, warnings: report.warnings.map((text) => gate.shown(text)) };
}

/** The same error, which other errors have as their cause. */
export function shownError(secret: Buffer, business: Business, error: unknown): unknown {
  if (error instanceof ImportError) error.message = businessGate(secret, business).shown(error.message);
  return error;
}
