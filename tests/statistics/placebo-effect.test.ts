import { describe, expect, it } from 'vitest';
import { type EffectSeries, neededDays, placeboEffect } from '../../src/statistics/placebo-effect.ts';
import { drawsOf } from './made-days.ts';

/**
 * Made stores with a season, weekdays, busy days of all, and a part that wanders on its own; the event is in
 * the last days.
 */
function made(
  seed: number,
  days: number,
  { rate = 60, noise = 0.03, drift = 0.003, effect = 1 } = {},
): EffectSeries {
  const draw = drawsOf(seed);
  const normal = () => Math.sqrt(-2 * Math.log(1 - draw())) * Math.cos(2 * Math.PI * draw());
  const count = (mean: number) => Math.max(0, Math.round(mean + Math.sqrt(mean) * normal()));
  const length = neededDays(days) + days + Math.floor(draw() * 60);
  const phase = draw() * 365;
  let [whole, own] = [0, 0];
  const series = Array.from({ length }, (_, day) => {
    [whole, own] = [0.97 * whole + 0.01 * normal(), 0.97 * own + drift * normal()];
    const season = 0.3 * Math.sin((day + phase) / 58) + whole + 0.1 * normal();
    const level = Math.exp(season) * (day % 7 > 4 ? 1.5 : 0.8);
    const moved = Math.exp(own + noise * normal()) * (day >= length - days ? effect : 1);
    return { affected: count(rate * level * moved), rest: count(5 * rate * level) };
  });
  const affected = series.map((one) => one.affected);
  return {
    affected,
    rest: series.map((one) => one.rest),
    pieces: affected,
    unknown: affected.map(() => false),
  };
}

function told(series: EffectSeries, days: number) {
  const effect = placeboEffect(series, days);
  if (!('p' in effect)) throw new Error(JSON.stringify(effect));
  return effect;
}

const SHOPS = Array.from({ length: 400 }, (_, place) => place + 1);

describe.each([7, 14])('an event of %d days', (days) => {
  const quiet = SHOPS.map((seed) => told(made(seed, days), days));

  it('has any p-value equally often on dates on which nothing happened', () => {
    const draw = drawsOf(5);
    // A rank has steps: within each of them any value is as likely.
    const values = quiet
      .map(({ p, placebos }) => p - draw() / (placebos + 1))
      .toSorted((one, other) => one - other);
    const distance = Math.max(
      ...values.flatMap((p, place) => [p - place / values.length, (place + 1) / values.length - p]),
    );
    // Kolmogorov and Smirnov: 1.63 / √n is passed once in a hundred times.
    expect(distance).toBeLessThan(1.63 / Math.sqrt(values.length));
  });

  it('has what was to be expected within its interval in 95 of 100 cases', () => {
    const within = quiet.filter(
      ({ actual, expectedLow, expectedHigh }) => expectedLow <= actual && actual <= expectedHigh,
    );
    expect(within.length / quiet.length).toBeGreaterThan(0.92);
  });

  it('is found at 20 percent in most shops, and in nearly all where it says that three fifths of that are detectable', () => {
    const planted = SHOPS.slice(0, 200).map((seed) => told(made(seed, days, { effect: 1.2 }), days));
    const found = (some: typeof planted) => some.filter(({ p }) => p <= 0.05).length / some.length;
    expect(found(planted)).toBeGreaterThan(days === 7 ? 0.6 : 0.8);
    const able = planted.filter(({ detectable }) => detectable <= 12);
    expect(able.length).toBeGreaterThan(10);
    expect(found(able)).toBeGreaterThan(0.95);
    const effects = planted.map(({ actual, expected }) => actual / expected);
    expect(effects.reduce((sum, one) => sum + one, 0) / effects.length).toBeCloseTo(1.2, 1);
  });
});

describe('no effect is given', () => {
  const series = made(1, 14);
  const from = (place: number): EffectSeries => ({
    affected: series.affected.slice(place),
    rest: series.rest.slice(place),
    pieces: series.pieces.slice(place),
    unknown: series.unknown.slice(place),
  });

  it('fewer than 20 placebos give no effect', () => {
    const { length } = series.affected;
    expect(placeboEffect(from(length - neededDays(14) - 14), 14)).toMatchObject({ placebos: 20 });
    expect(placeboEffect(from(length - neededDays(14) - 13), 14)).toEqual({
      ...{ reason: 'few placebos', placebos: 19, stepDays: 14 },
    });
  });

  it('unknown days, few pieces or a missing rest give no effect', () => {
    const { length } = series.affected;
    const unknown = series.unknown.with(length - 20, true);
    expect(placeboEffect({ ...series, unknown }, 14)).toEqual({ reason: 'unknown days' });
    // Earlier ones are no placebos alone.
    const earlier = { ...series, unknown: series.unknown.with(length - 80, true) };
    expect(placeboEffect({ ...from(0), ...earlier }, 14)).not.toMatchObject({ reason: 'unknown days' });
    expect(placeboEffect({ ...series, pieces: series.pieces.map(() => 1) }, 14)).toEqual({
      ...{ reason: 'few pieces', pieces: 14 },
    });
    expect(placeboEffect({ ...series, rest: series.rest.map(() => 0) }, 14)).toEqual({ reason: 'no rest' });
  });
});
