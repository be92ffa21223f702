import { z } from 'zod';
import { businessId } from '../../../answers/arguments.ts';
import { field, nullableColumn } from '../../../answers/fields/field.ts';
import { list, object } from '../../../answers/fields/kinds-of-fields.ts';
import { query } from '../../../answers/fields/query.ts';
import { businessIdField } from '../../../answers/fields/shared-fields.ts';
import { defineTool, plan } from '../../../answers/tool.ts';
import { InputError } from '../../../errors.ts';
import { segments } from '../../../model-table/table-names.ts';
import { parameter, sql } from '../../../sql/sql.ts';
import { quoted, shortText } from '../../../text/business-text.ts';
import { plural } from '../../../text/plural.ts';
import {
  campaignsNaming,
  campaignUses,
  type NamingCampaign,
  namingFields,
  readStoredQuery,
  referencesOf,
  shownQuery,
  shownReferences,
} from '../queries/shown-query.ts';
import { readableField, referencesField } from '../query-fields.ts';
import { segmentFields, shownSegment } from '../segment-fields.ts';

const CAMPAIGNS = 1000;

export const getSegment = defineTool({
  name: 'get_segment',
  title: 'Get segment',
  group: 'Segments',
  description:
    'Whom one saved segment means: its segment_query, in English, what it names, and campaigns that use it.',
  permissions: ['LIST_CAMPAIGNS'],
  example: { segment_id: '9c41b2f07de84a5fb0c3e6d8127f5a90' },
  input: z.strictObject({
    business_id: businessId,
    segment_id: z.string('must be text').describe('From list_segments.'),
  }),
  fields: [
    businessIdField,
    object('segment', 'The segment asked for.', [
      ...segmentFields,
      field({
        key: 'segment_query',
        type: 'json',
        null: 'cannot be read',
        definition: 'The conditions. Business data.',
      }),
      readableField,
      referencesField,
      list('used_in_campaigns', 'Newest first. Business data.', namingFields),
    ]),
  ],
  plan({ args }) {
    const id = parameter.text(args.segment_id);
    return plan({
      queries: {
        segment: query(
          [...segmentFields, nullableColumn('segment_query', 'text')],
          sql`
          select segment_id, name, description, created_at, updated_at, segment_query,
            coalesce(used_in_campaigns_count, 0) as used_in_campaigns_count
          from (select * from ${segments} where segment_id = ${id}) as chosen
          left join (${campaignUses('segment')}) as used on used.id = chosen.segment_id`,
        ),
        references: referencesOf('segment', args.segment_id),
        campaigns: campaignsNaming(args.segment_id, CAMPAIGNS),
      },
      answer: ({ segment: [row], references, campaigns }) => {
        if (row === undefined) throw new InputError('segment not found', 'Find its id with list_segments.');
        const { segment_query, ...segment } = row;
        return {
          result: {
            business_id: args.business_id,
            segment: {
              ...shownSegment(segment),
              segment_query: shownQuery(segment_query),
              readable: readStoredQuery(segment_query, references, 'Group'),
              references: shownReferences(references),
              used_in_campaigns: campaigns.map(({ campaign_id, name, state }) => ({
                campaign_id,
                name: shortText(name, 300),
                state,
              })),
            },
          },
          notes: [...placeNotes(campaigns), ...campaignNotes(segment.used_in_campaigns_count)],
        };
      },
    });
  },
});

const MOST_NAMED = 5;

/** A campaign that excludes the segment writes to everybody else, which its name in a list does not say. */
function placeNotes(campaigns: readonly NamingCampaign[]): string[] {
  if (campaigns.length === 0) return [];
  const excluding = campaigns.filter((campaign) => campaign.is_in_exclusion);
  const all = plural(campaigns.length, 'campaign', 'campaigns');
  if (excluding.length === 0)
    return [`Of used_in_campaigns (${all}), all name it in their targeting, and none in what they exclude.`];
  const shown = excluding
    .slice(0, MOST_NAMED)
    .map((one) => `${quoted(shortText(one.name, 60))}${one.is_in_targeting ? ' (in both)' : ''}`);
  const others = excluding.length - shown.length;
  return [
    `Of used_in_campaigns (${all}), ${excluding.length} name it in what they exclude: ${shown.join(', ')}${others === 0 ? '' : `, and ${others} more`}.`,
  ];
}

function campaignNotes(count: number): string[] {
  return count > CAMPAIGNS
    ? [`${count} campaigns use the segment, of which the newest ${CAMPAIGNS} are listed.`]
    : [];
}
