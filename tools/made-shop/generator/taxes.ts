import { dayOf } from './calendar.ts';
import type { Customer } from './customers.ts';
import type { Product } from './product.ts';

type Country = Customer['country'];

/** VAT in percent at the place of delivery (OSS), standard and of food, from a local day on. */
const rates: Readonly<Record<Country, readonly { from: string; standard: number; food: number }[]>> = {
  CZ: [{ from: '2024-01-01', standard: 21, food: 12 }],
  SK: [
    { from: '2020-01-01', standard: 20, food: 10 },
    { from: '2025-01-01', standard: 23, food: 19 },
  ],
  DE: [{ from: '2021-01-01', standard: 19, food: 7 }],
  AT: [{ from: '2021-01-01', standard: 20, food: 10 }],
  PL: [{ from: '2020-01-01', standard: 23, food: 5 }],
};

/**
 * The tax rate of a product, or of shipping and fees without one. A voucher is taxed when something is bought
 * with it.
 */
export function taxRate(country: Country, day: number, product: Product | null): number {
  const current = rates[country].findLast(({ from }) => day >= dayOf(from));
  if (current === undefined) throw new Error(`no VAT of ${country} on that day`);
  if (product === null) return current.standard;
  if (product.categories.includes(voucherCategory)) return 0;
  return product.categories.some((category) => category.startsWith('Food')) ? current.food : current.standard;
}

export const voucherCategory = 'Gifts > Vouchers';
