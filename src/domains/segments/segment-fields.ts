import { field, type ObjectOf } from '../../answers/fields/field.ts';
import { moment, text } from '../../answers/fields/kinds-of-fields.ts';
import { shortText, shortTextOrNull } from '../../text/business-text.ts';

export const usedInCampaigns = field({
  key: 'used_in_campaigns_count',
  type: 'integer',
  unit: 'campaigns',
  definition: 'Campaigns, not deleted, that target or exclude by it.',
});

/** A saved segment, as the tools about segments show it. */
export const segmentFields = [
  text('segment_id', 'As other tools take it.'),
  text('name', 'Business data.'),
  text('description', 'Business data.', 'it has none'),
  moment('created_at', 'In UTC.', 'not known'),
  moment('updated_at', 'In UTC.', 'not known'),
  usedInCampaigns,
];

/** Texts at a length that lists can bear. */
export function shownSegment({ name, description, ...row }: ObjectOf<typeof segmentFields>) {
  return { ...row, name: shortText(name, 300), description: shortTextOrNull(description, 2000) };
}
