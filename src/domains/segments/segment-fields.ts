import { field, type ObjectOf } from '../../answers/fields/field.ts';
import { shortText, shortTextOrNull } from '../../text/business-text.ts';

export const usedInCampaigns = field({
  key: 'used_in_campaigns_count',
  type: 'integer',
  unit: 'campaigns',
  definition: 'Campaigns, not deleted, that target or exclude by it.',
});

/** A saved segment, as the tools about segments show it. */
export const segmentFields = [
  field({ key: 'segment_id', type: 'text', definition: 'As other tools take it.' }),
  field({ key: 'name', type: 'text', definition: 'Business data.' }),
  field({ key: 'description', type: 'text', null: 'it has none', definition: 'Business data.' }),
  field({ key: 'created_at', type: 'moment', null: 'not known', definition: 'In UTC.' }),
  field({ key: 'updated_at', type: 'moment', null: 'not known', definition: 'In UTC.' }),
  usedInCampaigns,
];

/** Texts at a length that lists can bear. */
export function shownSegment({ name, description, ...row }: ObjectOf<typeof segmentFields>) {
  return { ...row, name: shortText(name, 300), description: shortTextOrNull(description, 2000) };
}
