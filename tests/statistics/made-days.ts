import type { WatchedSeries } from '../../src/statistics/unusual-days.ts';

/**
 * Series of made shops, with trend, weekdays, season, days that were busier for all, and noise of their own.
 */

/** Draws that are the same for the same seed (mulberry32). */
export function drawsOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

type Draw = () => number;

function normal(draw: Draw): number {
  return Math.sqrt(-2 * Math.log(1 - draw())) * Math.cos(2 * Math.PI * draw());
}

function poisson(mean: number, draw: Draw): number {
  if (mean > 200) return Math.max(0, Math.round(mean + Math.sqrt(mean) * normal(draw)));
  let [count, product] = [0, draw()];
  const bound = Math.exp(-mean);
  while (product > bound) {
    count += 1;
    product *= draw();
  }
  return count;
}

/** Draws around 1, with this standard deviation of its logarithm. */
const around = (spread: number, draw: Draw) => Math.exp(spread * normal(draw) - spread ** 2 / 2);

export interface MadeList {
  readonly series: Readonly<Record<string, WatchedSeries>>;
  readonly days: number;
}

/** A fault in the last days of a list. */
export interface Fault {
  readonly days: number;
  readonly of: 'tracking' | 'product' | 'channel';
}

const CHANNELS = { search: 0.35, direct: 0.25, email: 0.2, social: 0.12, referral: 0.08 };
const COUNTRIES = { CZ: 0.7, SK: 0.22, PL: 0.08 };
const PRODUCTS = { shoes: 0.4, shirts: 0.3, hats: 0.2, belts: 0.1 };

/** All that one shop is made of, drawn once. */
function shopOf(draw: Draw) {
  const days = 150 + Math.floor(draw() * 700);
  const growth = (draw() - 0.4) * 0.6;
  const weekdays = Array.from({ length: 7 }, () => 0.6 + 0.8 * draw());
  const start = Math.floor(draw() * 365);
  const december = 0.3 + draw();
  const drift = 0.02 * draw();
  let wander = 0;
  const level = Array.from({ length: days }, (_, day) => {
    wander = 0.97 * wander + drift * normal(draw);
    const ofYear = (start + day) % 365;
    const rush = december * Math.exp(-(((ofYear - 345) / 14) ** 2));
    const wave = 0.15 * Math.sin((2 * Math.PI * ofYear) / 365);
    return Math.exp((growth * day) / 365 + wander + wave + rush) * (weekdays[day % 7] as number);
  });
  return { days, level, visits: 700 + 2300 * draw(), rate: 0.02 + 0.025 * draw() };
}

export function madeList(seed: number, fault: Fault | null = null): MadeList {
  const draw = drawsOf(seed);
  const { days, level, visits, rate } = shopOf(draw);
  const noise = 0.03 + 0.09 * draw();
  const unlike = new Array<boolean>(days).fill(false);
  const counts = (mean: (day: number) => number, spread = noise) =>
    Array.from({ length: days }, (_, day) => poisson(mean(day) * around(spread, draw), draw));
  const isFaulty = (day: number, of: Fault['of']) => fault?.of === of && day >= days - fault.days;
  const busy = Array.from({ length: days }, () => around(noise, draw));
  const sum = (all: readonly (readonly number[])[]) =>
    Array.from({ length: days }, (_, day) => all.reduce((added, one) => added + (one[day] as number), 0));
  const mean = (day: number) => visits * (level[day] as number) * (busy[day] as number);

  const real = Object.entries(CHANNELS).map(
    ([name, share]) =>
      [
        name,
        counts((day) => (isFaulty(day, 'channel') && name === 'email' ? 0.03 : 1) * share * mean(day)),
      ] as const,
  );
  const came = sum(real.map(([, values]) => values));
  const seen = real.map(
    ([name, values]) =>
      [
        name,
        values.map((value, day) => (isFaulty(day, 'tracking') ? Math.round(value * 0.05) : value)),
      ] as const,
  );
  const products = Object.entries(PRODUCTS).map(
    ([name, share]) =>
      [
        name,
        counts(
          (day) =>
            (isFaulty(day, 'product') && name === 'shoes' ? 0 : 1) *
            1.5 *
            rate *
            share *
            (came[day] as number),
        ),
      ] as const,
  );
  const countries = Object.entries(COUNTRIES).map(
    ([name, share]) => [name, counts((day) => rate * share * (came[day] as number))] as const,
  );
  const orders = sum(countries.map(([, values]) => values));
  const revenue = orders.map((count) => {
    let money = 0;
    for (let order = 0; order < count; order += 1) money += 900 * around(0.7, draw);
    return money;
  });
  const carts = counts((day) => 0.09 * (sum(seen.map(([, values]) => values))[day] as number));
  const total = sum(seen.map(([, values]) => values));
  const plain = (values: readonly number[], exposures: readonly number[] | null = null, unit = 1) => ({
    values,
    exposures,
    unlike,
    unit,
  });
  return {
    days,
    series: {
      visits: plain(total),
      orders: plain(orders),
      revenue: plain(revenue, null, 1400),
      'order value': plain(revenue, orders, 1400),
      conversion: plain(orders, total),
      carts: plain(carts, total),
      ...Object.fromEntries(seen.map(([name, values]) => [`visits ${name}`, plain(values)])),
      ...Object.fromEntries(countries.map(([name, values]) => [`orders ${name}`, plain(values)])),
      ...Object.fromEntries(products.map(([name, values]) => [`sold ${name}`, plain(values)])),
    },
  };
}
