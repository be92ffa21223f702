import { z } from 'zod';
import { breakdownArgument, namesFilter, oneOf } from '../../answers/arguments.ts';
import { CAMPAIGN_STATES } from '../../store/campaign-kinds.ts';
import { CAMPAIGN_CATEGORIES } from './definitions/campaign-categories.ts';
import { TIMES } from './queries/times-of-day.ts';

/** The arguments that the tools about messages share. */

export const optionalBreakdown = {
  breakdown: breakdownArgument.breakdown.nullable().default(null).describe('Adds periods.'),
};

export const timesArgument = {
  times: oneOf('times', TIMES).nullable().default(null).describe('Adds times.'),
};

export const campaignIdsFilter = { filter_campaign_ids: namesFilter() };

export const campaignTypesFilter = { filter_campaign_types: namesFilter() };

export const campaignFilters = {
  ...campaignIdsFilter,
  ...campaignTypesFilter,
  filter_campaign_categories: namesFilter(),
};

/** What nobody wants in the revenue of messages, for example the confirmation of an address. */
export const campaignExclusions = {
  exclude_types: namesFilter('Not these.'),
  exclude_categories: namesFilter('E.g. double_opt_in.'),
};

/** The values that filters of campaigns that send messages take. */
export const CAMPAIGN_FILTERS = {
  filter_channels: ['email', 'sms'],
  filter_campaign_categories: CAMPAIGN_CATEGORIES.map(({ key }) => key),
  filter_states: CAMPAIGN_STATES,
};

export const sentCampaignFilters = {
  filter_channels: namesFilter('email, sms.'),
  filter_campaign_categories: campaignFilters.filter_campaign_categories,
};

export const minDelivered = {
  min_delivered: z
    .int('min_delivered must be a whole number')
    .min(0, 'min_delivered must be at least 0')
    .default(0)
    .describe('Leaves out smaller campaigns.'),
};
