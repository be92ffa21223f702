import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { atOnce } from '../../src/main-thread/turns.ts';
import {
  aliveProbability,
  expectedOrders,
  fitBgNbd,
  type History,
  likelihoodWithoutLeaving,
} from '../../src/statistics/bg-nbd.ts';
import { expectedValue, fitGammaGamma, type Spending } from '../../src/statistics/gamma-gamma.ts';
import { logGamma } from '../../src/statistics/log-gamma.ts';
import { nelderMead } from '../../src/statistics/nelder-mead.ts';
import { CDNOW, readCdnow } from '../support/cdnow.ts';
import { cdnowSample } from '../support/cdnow-sample.ts';
import { randomNumbers } from '../support/seeded.ts';

describe('the logarithm of the gamma function', () => {
  it('is that of factorials, and of the square root of pi at one half', () => {
    let factorial = 1;
    for (let n = 1; n < 30; n += 1) {
      expect(logGamma(n)).toBeCloseTo(Math.log(factorial), 11);
      factorial *= n;
    }
    expect(logGamma(0.5)).toBeCloseTo(0.5 * Math.log(Math.PI), 13);
  });

  it('keeps to Γ(x + 1) = x Γ(x) for small and large numbers', () => {
    for (const x of [0.001, 0.3, 2.7, 9.99, 123.4, 1e4])
      expect(logGamma(x + 1) - logGamma(x)).toBeCloseTo(Math.log(x), 8);
  });
});

describe('the search for a minimum', () => {
  it('finds that of a curved valley', () => {
    const valley = ([x = 0, y = 0]: readonly number[]) => (1 - x) ** 2 + 100 * (y - x * x) ** 2;
    const found = atOnce(nelderMead(valley, [-1.2, 1]));
    expect(found?.point.map((value) => Math.round(1000 * value))).toEqual([1000, 1000]);
  });

  it('says that there is no minimum where there is none', () => {
    expect(atOnce(nelderMead(([x = 0]) => -x, [0]))).toBeNull();
  });
});

/** Calibrated on the first 39 weeks of 1997, in weeks, as the papers do; purchases of one day are one. */
function sample(): (History & Spending)[] {
  const days = (date: string) => Date.parse(date) / 86_400_000;
  const end = days('1997-09-30');
  const ids = cdnowSample();
  const purchases = readCdnow().filter(({ customer, date }) => ids.has(customer) && days(date) <= end);
  return [...Map.groupBy(purchases, ({ customer }) => customer).values()].map((own) => {
    const byDay = [...Map.groupBy(own, ({ date }) => date)];
    const [first, ...later] = byDay.map(([date]) => days(date)) as [number, ...number[]];
    const spent = byDay.slice(1).flatMap(([, all]) => all.map(({ dollars }) => Number(dollars)));
    return {
      repeats: later.length,
      recency: ((later.at(-1) ?? first) - first) / 7,
      age: (end - first) / 7,
      mean: later.length === 0 ? 0 : spent.reduce((sum, one) => sum + one, 0) / later.length,
      customers: 1,
    };
  });
}

/**
 * Customers of a known process, seen for 80 weeks: how often each orders differs, and after each order some
 * leave.
 */
function made(customers: number, leaving: number): History[] {
  const next = randomNumbers(7);
  return Array.from({ length: customers }, () => {
    const rate = -Math.log(1 - next()) / 20;
    const times: number[] = [];
    for (let time = 0; next() >= leaving; times.push(time)) {
      time += -Math.log(1 - next()) / rate;
      if (time > 80) break;
    }
    return { repeats: times.length, recency: times.at(-1) ?? 0, age: 80, customers: 1 };
  });
}

describe('a model without leaving', () => {
  const gainOf = (histories: readonly History[]) =>
    (atOnce(fitBgNbd(histories))?.log_likelihood ?? Number.NaN) -
    (atOnce(likelihoodWithoutLeaving(histories)) ?? Number.NaN);

  it('is as likely where nobody leaves, and far less where one in four does after each order', () => {
    expect(Math.abs(gainOf(made(800, 0)))).toBeLessThan(3);
    expect(gainOf(made(800, 0.25))).toBeGreaterThan(20);
  });

  it('has the probabilities of negative binomial counts', () => {
    // They are geometric when r = 1: with one rate for all but the gamma of shape 1, P(n) = p (1 - p)^n, p =
    // alpha / (alpha + age).
    const histories = made(800, 0);
    const mean = histories.reduce((sum, { repeats }) => sum + repeats, 0) / histories.length;
    const p = 1 / (1 + mean);
    const geometric = histories.reduce(
      (sum, { repeats, age }) =>
        sum + Math.log(p) + repeats * Math.log(1 - p) + logGamma(repeats + 1) - repeats * Math.log(age),
      0,
    );
    // The rates are of shape 1, so the most likely shape is hardly likelier.
    expect((atOnce(likelihoodWithoutLeaving(histories)) ?? Number.NaN) - geometric).toBeGreaterThan(-1e-6);
    expect((atOnce(likelihoodWithoutLeaving(histories)) ?? Number.NaN) - geometric).toBeLessThan(4);
  });
});

describe.skipIf(!existsSync(CDNOW))('CDNOW, the published sample', () => {
  it('has the published BG/NBD parameters (Fader, Hardie and Lee 2005, table 2)', () => {
    const customers = sample();
    expect(customers).toHaveLength(2357);
    const model = atOnce(fitBgNbd(customers));
    expect(model?.r).toBeCloseTo(0.243, 3);
    expect(model?.alpha).toBeCloseTo(4.414, 2);
    expect(model?.a).toBeCloseTo(0.793, 3);
    expect(model?.b).toBeCloseTo(2.426, 3);
    expect(model?.log_likelihood).toBeCloseTo(-9582.4, 1);
  });

  it('has the published gamma-gamma parameters (Fader and Hardie 2013)', () => {
    const spendings = sample().filter(({ repeats }) => repeats > 0);
    expect(spendings).toHaveLength(946);
    const model = atOnce(fitGammaGamma(spendings));
    expect(model?.p).toBeCloseTo(6.25, 2);
    expect(model?.q).toBeCloseTo(3.74, 2);
    expect(model?.gamma).toBeCloseTo(15.44, 2);
  });
});

/** Numbers between 0 and 1 that look like chance and are the same in every run (mulberry32). */
function chances(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** Gamma distributed with scale 1: the sum of exponentials for whole shapes. */
function gamma(shape: number, chance: () => number): number {
  return Array.from({ length: shape }, () => -Math.log(1 - chance())).reduce((sum, one) => sum + one, 0);
}

describe('customers that were made by the model', () => {
  it('give back its parameters, and what they do later', () => {
    const chance = chances(7);
    const [alpha, weeks, ahead] = [10, 80, 40];
    const made = Array.from({ length: 20_000 }, () => {
      const rate = gamma(1, chance) / alpha;
      const [left, right] = [gamma(1, chance), gamma(3, chance)];
      const leaves = left / (left + right);
      const moments: number[] = [];
      let now = -Math.log(1 - chance()) / rate;
      while (now <= weeks + ahead) {
        moments.push(now);
        if (chance() < leaves) break;
        now += -Math.log(1 - chance()) / rate;
      }
      const before = moments.filter((moment) => moment <= weeks);
      return {
        history: { repeats: before.length, recency: before.at(-1) ?? 0, age: weeks, customers: 1 },
        later: moments.length - before.length,
      };
    });
    const histories = made.map(({ history }) => history);
    const model = atOnce(fitBgNbd(histories));
    // Shape and scale within 6 %, leaving within 13 %; the seed is fixed.
    expect(model?.r).toBeCloseTo(1, 0.9);
    expect((model?.alpha ?? 0) / alpha).toBeCloseTo(1, 0.9);
    expect(model?.a).toBeCloseTo(1, 0.6);
    expect(model === null ? 0 : model.b / 3).toBeCloseTo(1, 0.6);
    const expected = histories.reduce(
      (sum, history) => sum + (model === null ? 0 : expectedOrders(model, history, ahead)),
      0,
    );
    const actual = made.reduce((sum, { later }) => sum + later, 0);
    expect(expected / actual).toBeCloseTo(1, 1.2);
  });
});

describe('the model of a customer', () => {
  const model = { r: 0.243, alpha: 4.414, a: 0.793, b: 2.426 };

  it('is what the papers publish: 1.226 purchases in 39 weeks of x = 2, t_x = 30.43, T = 38.86', () => {
    const history = { repeats: 2, recency: 30.43, age: 38.86, customers: 1 };
    expect(expectedOrders(model, history, 39)).toBeCloseTo(1.226, 2);
  });

  it('believes an average the more, the more orders it is of', () => {
    const worth = { p: 6.25, q: 3.74, gamma: 15.44 };
    expect(expectedValue(worth, { repeats: 0, mean: 0 })).toBeCloseTo((6.25 * 15.44) / 2.74, 9);
    const [few, many] = [1, 20].map((repeats) => expectedValue(worth, { repeats, mean: 100 }));
    expect(many).toBeGreaterThan(few ?? 0);
    expect(many).toBeLessThan(100);
  });

  it('has no chance of having left before the second order, and a great one after a long silence', () => {
    const history = { repeats: 0, recency: 0, age: 500, customers: 1 };
    expect(aliveProbability(model, history)).toBe(1);
    expect(aliveProbability(model, { ...history, repeats: 20, recency: 20, age: 100 })).toBeLessThan(0.001);
  });

  it('is nothing where nobody came again', () => {
    expect(atOnce(fitBgNbd([{ repeats: 0, recency: 0, age: 10, customers: 50 }]))).toBeNull();
    expect(atOnce(fitGammaGamma([{ repeats: 0, mean: 0, customers: 50 }]))).toBeNull();
  });
});
