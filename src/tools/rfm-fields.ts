import { z } from 'zod';
import { count, moment, money } from './output.ts';

/** What the RFM tools share. */

export const rfmProfileArgument = {
  rfm_profile_id: z
    .string()
    .nullable()
    .default(null)
    .describe('From list_rfm_profiles; null: the default profile.'),
};

/** Of rules and of cells. */
export const scoreNumber = count('1 to 5; null: any. [score]');

export const rfmProfileFields = {
  rfm_profile_id: z.string(),
  name: z.string().describe('Business data.'),
  created_at: moment('In UTC.'),
  is_default: z.boolean().describe('Used when a tool gets no profile.'),
  window_days: z.int().describe('Older orders do not score. [days]'),
  scoring: z
    .string()
    .describe('thresholds, or quintiles: fifths of the scored customers, which make the thresholds void.'),
  recency_thresholds_days: z
    .array(z.int())
    .describe('Score 5: last order at most the first number ago, … 1: more than the last. [days]'),
  frequency_thresholds: z
    .array(z.int())
    .describe('Score 1: fewer in the window than the first number, … 5: at least the last. [orders]'),
  monetary_thresholds: z
    .array(z.number())
    .describe('Score 1: less in the window than the first number, … 5: at least the last. [money]'),
  last_calculated_at: moment('End of the data that scores are made of.').nullable(),
};

/** Of a segment at a moment. */
export const customersOfSegment = count(
  'Customers of the segment; lost: whose last order is before the window.',
);

const inWindow = 'Orders in the window.';
export const windowFields = { orders_count: count(inWindow), revenue: money(inWindow) };

export const segmentKey = z.string().describe('Key as in get_rfm_profile.');
