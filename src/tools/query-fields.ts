import { z } from 'zod';

/** A segment query and what it says, as the tools about targeting show it. */
export const segmentQueryField = z.record(z.string(), z.unknown());

export const readableField = z.array(z.string()).describe('One line per block, in English, made by rules.');

export const referencesField = z
  .array(
    z.strictObject({
      type: z.string().describe('interest_list, segment, rfm_profile, product, category, brand or campaign.'),
      id: z.string(),
      name: z.string().nullable().describe('null: no longer exists, so the condition is broken.'),
    }),
  )
  .describe('What the conditions name. Business data.');
