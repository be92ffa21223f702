import { z } from 'zod';
import { chosenProfile, profileFields, requireProfile, segmentRules } from '../../model/rfm/profiles.ts';
import { businessId } from '../arguments.ts';
import { count } from '../output.ts';
import { rfmProfileArgument, rfmProfileFields, scoreNumber } from '../rfm-fields.ts';
import { defineTool, plan } from '../tool.ts';

const rule = z.strictObject({
  segment: z.string().describe('Key that other tools use.'),
  name: z.string(),
  description: z.string().describe('With the default thresholds.'),
  value_rank: count('1: best; a lower one is a move up. [rank]'),
  scores: z
    .array(
      z.strictObject({
        recency: z.array(scoreNumber),
        frequency: z.array(scoreNumber),
        monetary: z.array(scoreNumber).nullable(),
      }),
    )
    .describe('A customer whose scores are in all lists of one element belongs here; none for lost.'),
});

export const getRfmProfile = defineTool({
  name: 'get_rfm_profile',
  title: 'Get RFM profile',
  group: 'RFM',
  description:
    'What the RFM segments mean: the thresholds of one profile, and which scores make a customer a champion, new, at ' +
    'risk and so on. Use it before explaining segments; their sizes are in rfm_segment_statistics.',
  permissions: ['DISPLAY_ANALYTICS_DASHBOARD'],
  input: z.strictObject({ business_id: businessId, ...rfmProfileArgument }),
  output: z.strictObject({
    business_id: z.string(),
    rfm_profile: z.strictObject({
      ...rfmProfileFields,
      segments: z.array(rule).describe('Every pair of recency and frequency scores is in exactly one.'),
    }),
  }),
  plan({ args, facts }) {
    return plan({
      queries: { profile: chosenProfile(args.rfm_profile_id) },
      answer: ({ profile }) => {
        const row = requireProfile(profile);
        return {
          result: {
            business_id: args.business_id,
            rfm_profile: { ...profileFields(row, facts), segments: segmentRules(row) },
          },
        };
      },
    });
  },
});
