import type { UploadAnswers } from '../control/businesses/uploads.ts';
import { InputError } from '../errors.ts';
import { readMaxRejects } from '../ingest/rejects.ts';
import { checkSettings } from '../sources/check-settings.ts';
import type { Settings } from '../sources/source.ts';
import { ORDER_STATUSES } from '../store/tables/orders.ts';

export { ORDER_STATUSES };

/**
 * Refuses, before an import begins, what the import itself would refuse. @throws InputError in words for a
 * page
 */
export function checkAnswers({ settings, max_rejects }: UploadAnswers): void {
  if (readMaxRejects(max_rejects) === null)
    throw new InputError('Rows that may be left out are a number, or a share such as 1%.');
  checkAnsweredSettings(settings);
}

/** @throws InputError in words for a page */
export function checkAnsweredSettings(settings: Readonly<Record<string, string>>): void {
  try {
    checkSettings(settings as Settings);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    // `--timezone Mars: it must be …`
    throw new InputError(`Not understood: ${error.message.replace(/^--/, '')}.`);
  }
}
