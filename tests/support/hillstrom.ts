import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { csvRows } from '../oracle/csv-text.ts';

/**
 * Where it lies beside the repository: 64,000 customers of a shop, one third each got one of two e-mails, or
 * none.
 */
const HILLSTROM = fileURLToPath(new URL('../../../shared/data/hillstrom/hillstrom.csv', import.meta.url));

export const hasHillstrom = existsSync(HILLSTROM);

export const GROUPS = ['Mens E-Mail', 'Womens E-Mail', 'No E-Mail'] as const;

export interface Customer {
  readonly group: string;
  /** Whether the customer came in the two weeks after the e-mail. */
  readonly hasVisited: boolean;
  readonly hasBought: boolean;
  /** Dollars with at most two decimals, as in the file. */
  readonly spend: string;
}

export function readHillstrom(): Customer[] {
  const [, ...rows] = csvRows(readFileSync(HILLSTROM, 'utf8'));
  return rows.map(([, , , , , , , , group = '', visit, conversion, spend = '']) => ({
    group,
    hasVisited: visit === '1',
    hasBought: conversion === '1',
    spend,
  }));
}
