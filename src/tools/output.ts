import { z } from 'zod';

/** Fields that the rows of several tools share. */

export const periodFields = {
  period: z.string().describe('2026-10-05, 2026-W41 or 2026-10.'),
  period_start: z.iso.date().describe('First local day of the period.'),
};
