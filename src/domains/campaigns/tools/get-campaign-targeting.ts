import { z } from 'zod';
import { businessId } from '../../../answers/arguments.ts';
import { column, field, nullableColumn, type ObjectOf } from '../../../answers/fields/field.ts';
import { query } from '../../../answers/fields/query.ts';
import { businessIdField } from '../../../answers/fields/shared-fields.ts';
import { defineTool, plan } from '../../../answers/tool.ts';
import { campaigns } from '../../../model-table/table-names.ts';
import { sql } from '../../../sql/sql.ts';
import { shortText } from '../../../text/business-text.ts';
import { fieldsOf, readStoredJson } from '../../../text/stored-json.ts';
import { excludedByRules } from '../../messages/queries/excluded-by-rules.ts';
import { campaignId, nameOfCampaign } from '../../messages/queries/message-fields.ts';
import {
  readStoredQuery,
  referencesOf,
  shownQuery,
  shownReferences,
} from '../../segments/queries/shown-query.ts';
import { readableField, referencesField } from '../../segments/query-fields.ts';
import { campaignIdArgument, ofCampaign, requireCampaign } from '../campaign-fields.ts';

const TARGETING = [
  column('name', 'text'),
  column('channel', 'text'),
  column('campaign_category', 'text'),
  nullableColumn('segment_query', 'text'),
  nullableColumn('exclude_segment_query', 'text'),
  nullableColumn('frequency_cap', 'text'),
];

export const getCampaignTargeting = defineTool({
  name: 'get_campaign_targeting',
  title: 'Get campaign targeting',
  group: 'Campaigns',
  description:
    'Whom one campaign goes to: its segment_query, in English, with the lists, segments and products that it names.',
  permissions: ['LIST_CAMPAIGNS'],
  example: { campaign_id: '2026-09-25-posledni-sance' },
  input: z.strictObject({ business_id: businessId, campaign_id: campaignIdArgument }),
  fields: [
    businessIdField,
    campaignId,
    nameOfCampaign,
    field({
      key: 'segment_query',
      type: 'json',
      null: 'no targeting',
      definition: 'Whom it goes to. Business data.',
    }),
    field({
      key: 'exclude_segment_query',
      type: 'json',
      null: 'nobody is left out',
      definition: 'Who is left out. Business data.',
    }),
    readableField,
    referencesField,
    field({
      key: 'excluded_by_rules',
      type: 'list',
      of: 'text',
      definition: 'Who is left out whatever the query says: the rules that apply to this campaign.',
    }),
  ],
  plan({ args }) {
    return plan({
      queries: {
        campaign: query(
          TARGETING,
          sql`
          select name, channel, campaign_category, segment_query, exclude_segment_query, frequency_cap
          from ${campaigns} where ${ofCampaign(args.campaign_id)}`,
        ),
        references: referencesOf('campaign', args.campaign_id),
      },
      answer: ({ campaign, references }) => {
        const row = requireCampaign(campaign);
        const { name, segment_query, exclude_segment_query } = row;
        return {
          result: {
            business_id: args.business_id,
            campaign_id: args.campaign_id,
            campaign_name: shortText(name, 300),
            segment_query: shownQuery(segment_query),
            exclude_segment_query: shownQuery(exclude_segment_query),
            readable: [
              ...(segment_query === null ? ['Everybody: the campaign has no targeting'] : []),
              ...readStoredQuery(segment_query, references, 'Group'),
              ...readStoredQuery(exclude_segment_query, references, 'Excluded group'),
            ],
            references: shownReferences(references),
            excluded_by_rules: rulesOf(row),
          },
        };
      },
    });
  },
});

function rulesOf({
  channel,
  campaign_category: category,
  frequency_cap,
}: ObjectOf<typeof TARGETING>): string[] {
  if (channel === 'popup') return [];
  const { messages, days } = fieldsOf(readStoredJson(frequency_cap));
  const cap = typeof messages === 'number' && typeof days === 'number' ? { messages, days } : null;
  return excludedByRules({ channel: channel === 'sms' ? 'sms' : 'email', category, cap });
}
