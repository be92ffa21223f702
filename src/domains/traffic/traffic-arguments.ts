import { z } from 'zod';
import { integerBetween, namesFilter } from '../../answers/arguments.ts';
import { field } from '../../answers/fields/field.ts';

const DEVICES = ['desktop', 'mobile', 'tablet', 'other'] as const;

/** The arguments that the session tools share. */
export const sessionArguments = {
  include_suspected_bots: z.boolean().default(false).describe('Counts them like all others.'),
  filter_channels: namesFilter('Only these channels, for example Email, Paid Search, Direct.'),
  filter_sources: namesFilter('Only these sources.'),
  filter_devices: z
    .array(
      z.enum(DEVICES, `must be one of ${DEVICES.join(', ')}`),
      'must be a list of texts, for example ["mobile"]',
    )
    .nullable()
    .default(null)
    .describe('Only these devices.'),
};

/** Of the tools about journeys: the argument, and its echo. */
export const lookbackArgument = {
  lookback_days: integerBetween('lookback_days', 1, 90)
    .default(30)
    .describe('Days before the order, or the last visit, in which visits are touches.'),
};

export const lookbackEcho = field({
  key: 'lookback_days',
  type: 'integer',
  unit: 'days',
  definition: 'Before the order or last visit, in which visits are touches.',
});
