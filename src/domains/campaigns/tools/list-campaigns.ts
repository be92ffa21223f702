import { z } from 'zod';
import {
  businessId,
  namesFilter,
  optionalMoment,
  pagingArguments,
  searchArgument,
  sortArguments,
} from '../../../answers/arguments.ts';
import { isOneOf, unknownAmong } from '../../../answers/existing-names.ts';
import { list } from '../../../answers/fields/kinds-of-fields.ts';
import { onlyRow, query } from '../../../answers/fields/query.ts';
import { businessIdField, totalCount } from '../../../answers/fields/shared-fields.ts';
import { defineTool, plan } from '../../../answers/tool.ts';
import { campaigns, popupEvents, sends } from '../../../model-table/table-names.ts';
import { sortedPage } from '../../../sql/page.ts';
import { hasPart } from '../../../sql/search.ts';
import { all, identifier, sql } from '../../../sql/sql.ts';
import { CAMPAIGN_CHANNELS, CAMPAIGN_STATES, CAMPAIGN_TYPES } from '../../../store/campaign-kinds.ts';
import { isBetween } from '../../../time/range.ts';
import { CAMPAIGN_CATEGORIES } from '../../messages/definitions/campaign-categories.ts';
import { campaignColumns, campaignFields, shownCampaign } from '../campaign-fields.ts';

/** The values that the filters take. */
const FILTERS = {
  filter_campaign_types: CAMPAIGN_TYPES,
  filter_channels: CAMPAIGN_CHANNELS,
  filter_campaign_categories: CAMPAIGN_CATEGORIES.map(({ key }) => key),
  filter_states: CAMPAIGN_STATES,
};

export const listCampaigns = defineTool({
  name: 'list_campaigns',
  title: 'List campaigns',
  group: 'Campaigns',
  description:
    'Finds campaigns of all channels, newest first: turns a name or subject into the campaign_id that other tools take.',
  permissions: ['LIST_CAMPAIGNS'],
  rows: { list: 'campaigns', uniqueBy: ['campaign_id'] },
  example: { limit: 2 },
  input: z.strictObject({
    business_id: businessId,
    search: searchArgument('Part of the name or of a subject.'),
    filter_campaign_types: namesFilter(`Of ${CAMPAIGN_TYPES.join(', ')}.`),
    filter_channels: namesFilter(`Of ${CAMPAIGN_CHANNELS.join(', ')}.`),
    filter_campaign_categories: namesFilter('newsletter, abandoned_cart, …'),
    filter_states: namesFilter(`Of ${CAMPAIGN_STATES.join(', ')}. null: all but deleted.`),
    sent_from: optionalMoment('Only with a send or display then or later.'),
    sent_to: optionalMoment('Only with one until then.'),
    ...sortArguments(['created_at', 'updated_at', 'last_sent_at', 'name'], {
      sort_by: 'created_at',
      sort_order: 'desc',
    }),
    ...pagingArguments(),
  }),
  fields: [businessIdField, totalCount, list('campaigns', 'The page of rows asked for.', campaignFields)],
  plan({ args, timezone }) {
    const { sent_from, sent_to } = args;
    const isInSpan = (column: 'sent_at' | 'happened_at') =>
      isBetween(identifier(column), [sent_from, sent_to], ['sent_from', 'sent_to'], timezone);
    const condition = all([
      hasPart(args.search ?? '', sql`search_text`),
      isOneOf(sql`campaign_type`, args.filter_campaign_types),
      isOneOf(sql`channel`, args.filter_channels),
      isOneOf(sql`campaign_category`, args.filter_campaign_categories),
      args.filter_states?.length ? isOneOf(sql`state`, args.filter_states) : sql`state <> 'deleted'`,
      sent_from === null && sent_to === null
        ? sql`true`
        : sql`campaign_key in (
            select campaign_key from ${sends} where ${isInSpan('sent_at')}
            union all
            select campaign_key from ${popupEvents} where kind = 'display' and ${isInSpan('happened_at')})`,
    ]);
    return plan({
      queries: {
        campaigns: query(
          campaignFields,
          sortedPage(
            sql`
          select ${campaignColumns}
          from ${campaigns}
          where ${condition}`,
            args,
            'campaign_id',
          ),
        ),
        total: query([totalCount], sql`select count(*) as total_count from ${campaigns} where ${condition}`),
      },
      answer: ({ campaigns, total }) => ({
        result: { business_id: args.business_id, ...onlyRow(total), campaigns: campaigns.map(shownCampaign) },
        notes: unknownAmong(FILTERS, args),
      }),
    });
  },
});
