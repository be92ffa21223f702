import { expect, it } from 'vitest';
import { z } from 'zod';
import { checkAnswer } from '../../src/asking/check-answer.ts';
import { writeAnswer } from '../../src/asking/write-answer.ts';
import type { Pieces } from '../../src/main-thread/pieces.ts';
import { atOnce } from '../../src/main-thread/turns.ts';

const never = () => new Error('too long');
const rows = (count: number) =>
  Array.from({ length: count }, (_, id) => ({ id, text: `"${id}" \\ č 😀 \ud800`, none: null }));

function piecesOf(work: Pieces<unknown>): number {
  let pieces = 1;
  while (work.next().done !== true) pieces += 1;
  return pieces;
}

it.each<[string, Record<string, unknown>]>([
  ['nothing', {}],
  ['values', { a: 1, b: undefined, c: null, d: 'x' }],
  ['a short list', { rows: rows(3), after: true }],
  ['a list of as many as a part has', { rows: rows(100) }],
  [
    'long lists',
    { before: { deep: [1, 2] }, rows: rows(101), more: rows(250).map(({ id }) => [id, null]), last: 1 },
  ],
])('writes %s as it is written at once', (_name, data) => {
  const { parts, bytes } = atOnce(writeAnswer(data, Number.POSITIVE_INFINITY, never));
  const json = `${parts.join('')}}`;
  expect(json).toBe(JSON.stringify(data));
  expect(bytes).toBe(Buffer.byteLength(json));
});

it('gives the loop back within a long answer, and stops where it is too long', () => {
  const data = { rows: rows(5000) };
  expect(piecesOf(writeAnswer(data, Number.POSITIVE_INFINITY, never))).toBeGreaterThan(40);
  const cut = writeAnswer(data, 10_000, (bytes) => new Error(`too long: ${bytes}`));
  let pieces = 0;
  expect(() => {
    while (cut.next().done !== true) pieces += 1;
  }).toThrow('too long');
  expect(pieces).toBeLessThan(5);
});

const OUTPUT = z.strictObject({
  id: z.string(),
  rows: z.array(z.strictObject({ b: z.int(), a: z.string() })).nullable(),
  last: z.boolean(),
});
const row = (b: unknown = 1) => ({ a: 'x', b });

it('checks long lists in parts, as strictly as at once, and in the order of the fields', () => {
  const long = (last: unknown) => [...Array.from({ length: 1000 }, () => row()), last];
  const given = { last: true, rows: long(row()), id: 'x' };
  const checked = atOnce(checkAnswer(OUTPUT, given));
  expect(JSON.stringify(checked)).toBe(JSON.stringify(OUTPUT.parse(given)));
  expect(piecesOf(checkAnswer(OUTPUT, given))).toBeGreaterThan(10);
  expect(atOnce(checkAnswer(OUTPUT, { ...given, rows: null }))).toEqual({ ...given, rows: null });
  for (const wrong of [row(1.5), { ...row(), c: 1 }, { a: 'x' }, null]) {
    expect(() => atOnce(checkAnswer(OUTPUT, { ...given, rows: long(wrong) }))).toThrow();
  }
  expect(() => atOnce(checkAnswer(OUTPUT, { ...given, other: long(row()) }))).toThrow('other');
  expect(() => atOnce(checkAnswer(OUTPUT, { rows: long(row()) }))).toThrow('id');
});
