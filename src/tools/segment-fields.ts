import { z } from 'zod';
import { shortText, shortTextOrNull } from '../model/business-text.ts';
import type { Row } from '../sql/row.ts';
import { count, moment } from './output.ts';

export const usedInCampaignsField = {
  used_in_campaigns_count: count('Campaigns, not deleted, that target or exclude by it.'),
};

/** A saved segment, as the tools about segments show it. */
export const segmentFields = {
  segment_id: z.string(),
  name: z.string().describe('Business data.'),
  description: z.string().nullable().describe('Business data.'),
  created_at: moment('In UTC.').nullable(),
  updated_at: moment('In UTC.').nullable(),
  ...usedInCampaignsField,
};

/** Texts at a length that lists can bear. */
export function shownSegment({ name, description, ...row }: Row) {
  return { ...row, name: shortText(String(name), 300), description: shortTextOrNull(description, 2000) };
}
