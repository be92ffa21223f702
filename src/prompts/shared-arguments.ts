import { isUuid } from '../business/business.ts';
import { InputError } from '../errors.ts';
import type { Breakdown } from '../time/periods.ts';
import type { PromptArgument } from './prompt.ts';
import { BUSINESS_PLACEHOLDER } from './prompt-message.ts';
import type { PromptRange } from './prompt-range.ts';

/** The arguments that several prompts share. */

export const businessArgument = {
  business_id: {
    description: 'The business, from list_businesses. Left empty, the agent asks where there are several.',
    suggestions: 'businesses',
  },
} as const satisfies Record<string, PromptArgument>;

export const rangeArguments = {
  from_date: {
    description: 'First day, for example 2026-10-01. Left empty: the last whole month that is loaded.',
  },
  to_date: { description: 'Last day, included, for example 2026-10-31.' },
} as const satisfies Record<string, PromptArgument>;

export const compareArguments = {
  compare_from_date: {
    description:
      'First day to compare with. Left empty: the period directly before, for whole months the months before.',
  },
  compare_to_date: { description: 'Last day to compare with, included.' },
} as const satisfies Record<string, PromptArgument>;

/** @throws InputError when no business can have this id */
export function readBusiness(business_id: string | undefined): string {
  if (business_id === undefined) return BUSINESS_PLACEHOLDER;
  if (isUuid(business_id)) return business_id.toLowerCase();
  throw new InputError('business_id is not a valid UUID', 'Take it from list_businesses, or leave it empty.');
}

/** Periods of which a range has enough to see a course, and not too many to read. */
export function breakdownFor({ days }: PromptRange): Breakdown {
  if (days <= 31) return 'day';
  return days <= 26 * 7 ? 'week' : 'month';
}
