import { z } from 'zod';
import { businessId } from '../../../answers/arguments.ts';
import { field } from '../../../answers/fields/field.ts';
import { count, list, object, text } from '../../../answers/fields/kinds-of-fields.ts';
import { businessIdField } from '../../../answers/fields/shared-fields.ts';
import { defineTool, plan } from '../../../answers/tool.ts';
import {
  askedProfile,
  profileFields,
  requireProfile,
  segmentRules,
  shownProfile,
} from '../queries/profiles.ts';
import { BEST_SCORES, rfmProfileArgument } from '../rfm-fields.ts';

const scores = <const Key extends keyof typeof BEST_SCORES>(key: Key) =>
  field({ key, type: 'list', of: 'integer', unit: 'score', definition: BEST_SCORES[key] });

const ruleFields = [
  text('segment', 'Key that other tools use.'),
  text('name', 'In English.'),
  text('description', 'With the default thresholds.'),
  count('rank', 'value_rank', '1: best; a lower one is a move up.'),
  list(
    'scores',
    'A customer whose scores are in all lists of one element belongs here (quintiles: 1 order is frequency 1); none for lost.',
    [
      scores('recency'),
      scores('frequency'),
      field({
        key: 'monetary',
        type: 'list',
        of: 'integer',
        unit: 'score',
        null: 'any',
        definition: BEST_SCORES.monetary,
      }),
    ],
  ),
];

export const getRfmProfile = defineTool({
  name: 'get_rfm_profile',
  title: 'Get RFM profile',
  group: 'RFM',
  description:
    'What the RFM segments of a profile mean: thresholds, and which scores make a champion, new, at risk, lost.',
  permissions: ['DISPLAY_ANALYTICS_DASHBOARD'],
  input: z.strictObject({ business_id: businessId, ...rfmProfileArgument }),
  fields: [
    businessIdField,
    object('rfm_profile', 'The profile asked for.', [
      ...profileFields,
      list('segments', 'Every pair of recency and frequency scores is in exactly one.', ruleFields),
    ]),
  ],
  plan({ args, facts }) {
    return plan({
      queries: { profile: askedProfile(args.rfm_profile_id) },
      answer: ({ profile }) => {
        const row = requireProfile(profile);
        return {
          result: {
            business_id: args.business_id,
            rfm_profile: { ...shownProfile(row, facts), segments: segmentRules(row) },
          },
        };
      },
    });
  },
});
