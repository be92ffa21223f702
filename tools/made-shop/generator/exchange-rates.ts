import { at } from './random-stream.ts';
import type { Currency } from './tables.ts';
import type { World } from './world.ts';

/**
 * CZK per unit of a currency on a local day, in thousandths (25185 = 25.185): a slow walk around a usual
 * rate.
 */
export type ExchangeRates = (currency: Currency, day: number) => number;

export function makeExchangeRates(world: World): ExchangeRates {
  const euro = walk(world, 'exchange-rates', 25_200, 24_900, 45);
  const zloty = walk(world, 'exchange-rates of PLN', 5_850, 5_800, 14);
  return (currency, day) => {
    if (currency === 'CZK') return 1_000;
    return at(currency === 'EUR' ? euro : zloty, day - world.firstDay);
  };
}

function walk(world: World, name: string, start: number, usual: number, step: number): number[] {
  const stream = world.stream(name);
  const rates: number[] = [];
  let rate = start;
  for (let day = world.firstDay; day <= world.lastDay; day++) {
    rate += stream.int(-step, step) + Math.round((usual - rate) / 100);
    rates.push(rate);
  }
  return rates;
}
