import type { Business } from '../business/business.ts';
import type { StoreChange, UploadAnswers } from '../control/businesses/uploads.ts';
import { readVatRate } from '../control/businesses/vat-rate.ts';
import type { ImportContext } from '../snapshot/import-context.ts';
import { updateBusiness } from '../snapshot/update-business.ts';
import type { UploadOutcome } from './outcome.ts';

/**
 * Builds the data of a store with other settings, as `business update` does.
 *
 * @throws ImportError when they cannot be built so; nothing has changed then
 */
export async function changeSettings(
  context: ImportContext,
  business: Business,
  { store: asked = {} }: UploadAnswers,
): Promise<UploadOutcome> {
  const { timezone, primary_currency, business_id } = business;
  const before = { timezone, primary_currency, vat_rate: await readVatRate(context.control, business_id) };
  const { changed, settings } = await updateBusiness(context, business, asked);
  const only = (all: StoreChange): StoreChange =>
    Object.fromEntries(changed.map((name) => [name, all[name as keyof StoreChange]]));
  return { kind: 'settings', before: only(before), now: only(settings) };
}
