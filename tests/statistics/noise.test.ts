import { expect, it } from 'vitest';
import { noiseUnder } from '../../src/statistics/noise.ts';

const TEXTS = Array.from({ length: 20_000 }, (_, number) => `count ${number}`);

it('noise is normal, and the same for the same text and key', () => {
  const noise = noiseUnder('a key');
  const draws = TEXTS.map(noise);
  const mean = draws.reduce((sum, draw) => sum + draw, 0) / draws.length;
  const variance = draws.reduce((sum, draw) => sum + (draw - mean) ** 2, 0) / draws.length;
  expect(Math.abs(mean)).toBeLessThan(0.03);
  expect(Math.abs(Math.sqrt(variance) - 1)).toBeLessThan(0.03);
  // In a normal distribution, 31.7 % lie beyond one deviation and 4.6 % beyond two.
  const beyond = (limit: number) => draws.filter((draw) => Math.abs(draw) > limit).length / draws.length;
  expect(Math.abs(beyond(1) - 0.317)).toBeLessThan(0.015);
  expect(Math.abs(beyond(2) - 0.0455)).toBeLessThan(0.007);
  expect(TEXTS.map(noise)).toEqual(draws);
});

it('noise has nothing to do with that of another key, or of a text that is nearly the same', () => {
  const [one, other] = [noiseUnder('a key'), noiseUnder('another')];
  const correlation = (pairs: readonly (readonly [number, number])[]) =>
    pairs.reduce((sum, [first, second]) => sum + first * second, 0) / pairs.length;
  expect(Math.abs(correlation(TEXTS.map((text) => [one(text), other(text)])))).toBeLessThan(0.03);
  expect(Math.abs(correlation(TEXTS.map((text) => [one(text), one(`${text}.`)])))).toBeLessThan(0.03);
});
