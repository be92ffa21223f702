import type { AttributionWindows } from '../../business/attribution-windows.ts';
import type { ControlDatabase } from '../database/control-database.ts';
import { vatRateColumn } from './vat-rate.ts';

/** What a business is set to, and its data is built with. */
export interface BusinessSettings {
  readonly timezone: string | null;
  readonly primary_currency: string | null;
  readonly attribution_windows: AttributionWindows;
  /**
   * The VAT in percent that is in prices where orders do not tell it. Null means that it is not known, and
   * then profit is not known either.
   */
  readonly vat_rate: number | null;
}

/** Sets settings in the transaction that serves a snapshot which was built with them. */
export async function setBusinessSettings(
  control: ControlDatabase,
  businessId: string,
  { attribution_windows: windows, vat_rate, ...settings }: Partial<BusinessSettings>,
): Promise<void> {
  const set = {
    ...settings,
    ...(windows && {
      attribution_click_window_h: windows.click,
      attribution_open_window_h: windows.open,
      sms_delivery_window_h: windows.delivery,
    }),
    ...(vat_rate !== undefined && { vat_rate_hundredths: vatRateColumn(vat_rate) }),
  };
  if (Object.keys(set).length === 0) return;
  await control.updateTable('businesses').set(set).where('business_id', '=', businessId).execute();
}
