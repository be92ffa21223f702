import { InputError } from '../../errors.ts';
import type { ControlDatabase } from '../database/control-database.ts';

/** The VAT rate in percent. It is null where the business has none. */
export async function readVatRate(control: ControlDatabase, businessId: string): Promise<number | null> {
  const { vat_rate_hundredths } = await control
    .selectFrom('businesses')
    .select('vat_rate_hundredths')
    .where('business_id', '=', businessId)
    .executeTakeFirstOrThrow();
  return vat_rate_hundredths === null ? null : vat_rate_hundredths / 100;
}

/** The VAT rate as the database keeps it. */
export function vatRateColumn(percent: number | null): number | null {
  return percent === null ? null : Math.round(percent * 100);
}

/** @throws InputError when it is not a rate in percent with at most two decimals, or `none` */
export function parseVatRate(text: string): number | null {
  if (text.trim() === 'none') return null;
  if (!/^(\d{1,2}([.]\d{1,2})?|100([.]00?)?)$/.test(text.trim())) {
    throw new InputError(
      `--vat-rate ${text} must be a rate in percent, 0 to 100 with at most two decimals, for example 21, or none`,
    );
  }
  return Number(text);
}
