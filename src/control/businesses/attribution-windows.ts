import {
  type AttributionWindows,
  DEFAULT_WINDOWS,
  LONGEST_WINDOW_H,
} from '../../business/attribution-windows.ts';
import { InputError } from '../../errors.ts';
import type { ControlDatabase } from '../database/control-database.ts';

const COLUMNS = ['attribution_click_window_h', 'attribution_open_window_h', 'sms_delivery_window_h'] as const;

/** The windows of a business, or the usual ones where it has none. */
export async function readAttributionWindows(
  control: ControlDatabase,
  businessId: string,
): Promise<AttributionWindows> {
  const row = await control
    .selectFrom('businesses')
    .select(COLUMNS)
    .where('business_id', '=', businessId)
    .executeTakeFirstOrThrow();
  return {
    click: row.attribution_click_window_h ?? DEFAULT_WINDOWS.click,
    open: row.attribution_open_window_h ?? DEFAULT_WINDOWS.open,
    delivery: row.sms_delivery_window_h ?? DEFAULT_WINDOWS.delivery,
  };
}

/** @throws InputError when the option is there and not a whole number of hours up to ninety days */
export function readHours(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const hours = Number(text);
  if (!/^\d+$/.test(text.trim()) || hours > LONGEST_WINDOW_H) {
    throw new InputError(
      `${option} must be a whole number of hours between 0 and ${LONGEST_WINDOW_H}; 0: never`,
    );
  }
  return hours;
}
