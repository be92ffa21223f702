import { at } from './random-stream.ts';
import type { World } from './world.ts';

/** CZK per EUR on a local day, in thousandths (25185 = 25.185): a slow walk around 25. */
export type EuroRates = (day: number) => number;

export function makeEuroRates(world: World): EuroRates {
  const stream = world.stream('exchange-rates');
  const rates: number[] = [];
  let rate = 25_200;
  for (let day = world.firstDay; day <= world.lastDay; day++) {
    const pull = Math.round((24_900 - rate) / 100);
    rate += stream.int(-45, 45) + pull;
    rates.push(rate);
  }
  return (day) => at(rates, day - world.firstDay);
}
