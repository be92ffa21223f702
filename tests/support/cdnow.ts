import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * CDNOW: 69,659 purchases of 23,570 customers who all came in the first quarter of 1997; whole days, no time
 * zone.
 */
export const CDNOW = fileURLToPath(new URL('../../../shared/data/cdnow/CDNOW_master.txt', import.meta.url));

export interface Purchase {
  readonly customer: string;
  /** `1997-01-31` */
  readonly date: string;
  readonly dollars: string;
}

/** The purchases in the order of the file, which is that of time for each customer. */
export function readCdnow(): Purchase[] {
  return readFileSync(CDNOW, 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, date]) => /^\d{8}$/.test(date ?? ''))
    .map(([customer = '', date = '', , dollars = '']) => ({
      customer,
      date: `${date.slice(0, 4)}-${date.slice(4, 6)}-${date.slice(6)}`,
      dollars,
    }));
}

/** As a folder to import; order ids keep the order of the file. */
export function writeCdnow(purchases: readonly Purchase[], folder: string): void {
  mkdirSync(folder);
  const lines = purchases.map(
    ({ customer, date, dollars }, index) =>
      `${String(index).padStart(6, '0')},${customer},${date},${dollars}`,
  );
  writeFileSync(
    join(folder, 'orders.csv'),
    `order_id,external_customer_id,ordered_at,total\n${lines.join('\n')}\n`,
  );
}
