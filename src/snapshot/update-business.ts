import type { Business } from '../business/business.ts';
import { readAttributionWindows } from '../control/businesses/attribution-windows.ts';
import type { BusinessSettings } from '../control/businesses/business-settings.ts';
import { readVatRate } from '../control/businesses/vat-rate.ts';
import { buildSnapshot } from './build-snapshot.ts';
import type { ImportContext } from './import-context.ts';

export interface BusinessUpdate {
  /** The settings that have changed. */
  readonly changed: readonly (keyof BusinessSettings)[];
  readonly settings: BusinessSettings;
  /** The snapshot that was built with them; null when nothing changed. */
  readonly snapshot: string | null;
  /** What does not change with them. */
  readonly notes: readonly string[];
}

/**
 * Changes settings of a business and builds its data with them. Both are served at one moment: when the build
 * fails or is killed, the business has the settings and the data of before.
 *
 * @throws ImportError when the data cannot be built so; nothing has changed then
 */
export async function updateBusiness(
  context: ImportContext,
  business: Business,
  asked: Partial<BusinessSettings>,
): Promise<BusinessUpdate> {
  const { timezone, primary_currency, business_id } = business;
  const attribution_windows = await readAttributionWindows(context.control, business_id);
  const vat_rate = await readVatRate(context.control, business_id);
  const before: BusinessSettings = { timezone, primary_currency, attribution_windows, vat_rate };
  const settings = { ...before, ...asked };
  const names = Object.keys(before) as (keyof BusinessSettings)[];
  const changed = names.filter((name) => JSON.stringify(settings[name]) !== JSON.stringify(before[name]));
  if (changed.length === 0) return { changed, settings: before, snapshot: null, notes: [] };
  const changes = Object.fromEntries(changed.map((name) => [name, settings[name]]));
  const { snapshot, warnings } = await buildSnapshot(context, business, { settings: changes });
  return { changed, settings, snapshot, notes: [...notesOn(before, settings), ...warnings] };
}

function notesOn(before: BusinessSettings, after: BusinessSettings): string[] {
  const notes: string[] = [];
  if (after.timezone !== before.timezone) {
    notes.push(
      'dates, days, weeks and months are those of the new time zone. Times that were imported without an offset stay the ' +
        `moments as which they were read, in ${before.timezone ?? 'UTC'}; where that was wrong, import those files again`,
    );
  }
  if (after.primary_currency !== before.primary_currency) {
    notes.push(
      `amounts are not converted: orders without a currency of their own, their refunds, prices and costs count as ` +
        `${after.primary_currency}, with the same numbers. Orders in another currency keep their amounts, and count by the rates in fx_rates`,
    );
  }
  return notes;
}
