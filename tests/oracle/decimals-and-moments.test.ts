import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { amount, decimal, money, product, round4, sum, wholeNumber } from './decimals.ts';
import { prague, store } from './hand-made-months.ts';
import { argumentRange, importedMoment, isInRange, utcText } from './moments.ts';
import { periodOf } from './periods.ts';
import { readCsv, writeCsv } from './store.ts';
import { compareText } from './text-order.ts';

describe('decimals', () => {
  test('products are exact and rounded half away from zero', () => {
    expect(amount(money(product(decimal('10.0001'), decimal('24.5'))))).toBe(245.0025); // 245.00245
    expect(amount(money(product(decimal('-10.0001'), decimal('24.5'))))).toBe(-245.0025);
    expect(amount(money(product(decimal('0.0001'), decimal('0.4999'))))).toBe(0);
    expect(amount(money(decimal('.5')))).toBe(0.5);
  });
  test('sums and whole numbers', () => {
    expect(wholeNumber(sum([decimal('0.25'), decimal('0.250'), decimal('2')]))).toBe(3); // 2.5
    expect(wholeNumber(sum([decimal('-2.5')]))).toBe(-3);
    expect(wholeNumber(sum([decimal('2.4999')]))).toBe(2);
    expect(wholeNumber(sum([]))).toBe(0);
  });
  test('doubles to four decimals', () => {
    expect(round4(2 / 3)).toBe(0.6667);
    expect(round4(-2 / 3)).toBe(-0.6667);
    expect(() => decimal('1,5')).toThrow('not a decimal number');
  });
});

describe('time', () => {
  const zone = 'Europe/Prague';
  const imported = (text: string) => utcText(importedMoment(text, zone));
  test('imported times', () => {
    expect(imported('2024-01-31T23:59:59.700')).toBe('2024-01-31T22:59:59Z');
    expect(imported('2024-03-31T02:30:00')).toBe('2024-03-31T01:30:00Z'); // means 03:30 +02:00
    expect(imported('2024-10-27T02:30:00')).toBe('2024-10-27T01:30:00Z'); // second occurrence
    expect(imported('2024-10-27T02:30:00+02:00')).toBe('2024-10-27T00:30:00Z');
    expect(imported('2024-07-01 12:00')).toBe('2024-07-01T10:00:00Z');
  });
  test('bounds in the repeated and in the skipped hour', () => {
    const moment = (text: string) => importedMoment(text, zone);
    const repeated = argumentRange('2024-10-27T02:30:00', '2024-10-27T02:30:00', zone);
    expect(repeated).toEqual({ from: moment('2024-10-27T00:30:00Z'), to: moment('2024-10-27T01:30:00Z') });
    const skipped = argumentRange('2024-03-31T02:30:00', '2024-03-31T02:30:00', zone);
    expect(skipped.from).toBe(moment('2024-03-31T01:00:00Z'));
    expect(skipped.to).toBe(moment('2024-03-31T00:59:59.999999Z'));
    expect(isInRange(moment('2024-03-31T01:59:59.999'), { ...skipped, from: 0n })).toBe(true);
    expect(isInRange(moment('2024-03-31T01:00:00Z'), { ...skipped, from: 0n })).toBe(false);
  });
  test('the last second is covered whole and the next one not at all', () => {
    const day = argumentRange('2024-02-29T00:00:00', '2024-02-29T23:59:59', zone);
    expect(isInRange(importedMoment('2024-02-29T23:59:59.999999', zone), day)).toBe(true);
    expect(isInRange(importedMoment('2024-03-01T00:00:00', zone), day)).toBe(false);
  });
  test('periods', () => {
    expect(periodOf('2024-12-30', 'week')).toMatchObject({
      period: '2025-W01',
      period_start: '2024-12-30',
      lastDay: '2025-01-05',
    });
    expect(periodOf('2021-01-03', 'week').period).toBe('2020-W53');
    expect(periodOf('2024-02-10', 'month').lastDay).toBe('2024-02-29');
  });
});

describe('store', () => {
  test('a written store reads back the same', () => {
    const folder = mkdtempSync(join(tmpdir(), 'oracle-'));
    try {
      writeCsv(store, folder);
      expect(readCsv(folder, prague)).toEqual(store);
      expect(store.products[0]?.description).toBe('První řádek\ndruhý řádek');
      expect(store.products[3]?.brand).toBe('O"Neil, Ltd.');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
  test('text is in code point order', () => {
    expect(['🐴1', 'ﬀ1', 'P2', 'P10'].sort(compareText)).toEqual(['P10', 'P2', 'ﬀ1', '🐴1']);
  });
});
