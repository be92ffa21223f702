import { z } from 'zod';

/** Fields that the rows of several tools share. */

export const periodFields = {
  period: z.string().describe('2026-10-05, 2026-W41 or 2026-10.'),
  period_start: z.iso.date().describe('First local day of the period.'),
};

/** Beside the echo of `business_id` in every answer of an analytics tool beyond the contract's. */
export const coverageFields = {
  business_id: z.string(),
  data_until: z.string().nullable().describe('Data are loaded up to here; judge no period after it.'),
};

/** Beside the array of every listing tool beyond the contract's. */
export const totalCountField = {
  total_count: z.int().describe('Rows that match, before limit and offset.'),
};

/** The values of single tools. */
export const count = (definition: string) => z.int().describe(definition);
export const money = (definition: string) => z.number().describe(`${definition} [money]`);
export const percent = (definition: string) => z.number().nullable().describe(`${definition} [percent]`);
export const moment = (definition: string) =>
  z.string().meta({ format: 'date-time', description: definition });

/** How many products of the catalogue a category or brand has. */
export const catalogueGroupCounts = {
  products_count: count('Products of the catalogue, also discontinued.'),
  active_products_count: count('Products of the catalogue, not discontinued.'),
};
