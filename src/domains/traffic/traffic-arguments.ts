import { z } from 'zod';
import { integerBetween, namesFilter } from '../../answers/arguments.ts';
import { field } from '../../answers/fields/field.ts';

const DEVICES = ['desktop', 'mobile', 'tablet', 'other'] as const;

/** The arguments that the session tools share. */
export const sessionArguments = {
  include_suspected_bots: z.boolean().default(false).describe('Counts them like others.'),
  filter_channels: namesFilter('For example Email, Paid Search.'),
  filter_sources: namesFilter(),
  filter_devices: z
    .array(
      z.enum(DEVICES, `must be one of ${DEVICES.join(', ')}`),
      'must be a list of texts, for example ["mobile"]',
    )
    .nullable()
    .default(null),
};

/** The argument of the tools about journeys, and its echo. */
export const lookbackArgument = {
  lookback_days: integerBetween('lookback_days', 1, 90)
    .default(30)
    .describe('Visits of so many days before the order are touches.'),
};

export const lookbackEcho = field({
  key: 'lookback_days',
  type: 'integer',
  unit: 'days',
  definition: 'As asked.',
});

/**
 * The note says what a reader who counts visits would get otherwise; every answer about journeys has it
 * first.
 */
export function touchNotes(collapsesRepeats: boolean): string[] {
  const repeats = collapsesRepeats
    ? ', and several from one place in a row are one touch (collapse_repeats: false counts each)'
    : '';
  return [`Touches are visits since the previous order of the visitor${repeats}: visits alone are more.`];
}
