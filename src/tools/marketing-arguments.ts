import { z } from 'zod';
import { breakdownArgument, namesFilter } from './arguments.ts';

/** The arguments that the tools about messages share. */

export const optionalBreakdown = {
  breakdown: breakdownArgument.breakdown
    .nullable()
    .default(null)
    .describe('Adds periods of this length, widened to whole ones.'),
};

export const campaignIdsFilter = { filter_campaign_ids: namesFilter('Only these campaigns.') };

export const campaignTypesFilter = { filter_campaign_types: namesFilter('Only these types of campaigns.') };

export const campaignFilters = {
  ...campaignIdsFilter,
  ...campaignTypesFilter,
  filter_campaign_categories: namesFilter('Only these categories of campaigns.'),
};

export const minDelivered = {
  min_delivered: z
    .int('min_delivered must be a whole number')
    .min(0, 'min_delivered must be at least 0')
    .default(0)
    .describe('Leaves out campaigns with fewer delivered messages.'),
};
