import { z } from 'zod';
import { businessId } from '../../../answers/arguments.ts';
import { list } from '../../../answers/fields/kinds-of-fields.ts';
import { businessIdField } from '../../../answers/fields/shared-fields.ts';
import { defineTool, plan } from '../../../answers/tool.ts';
import { allProfiles, profileFields, shownProfile } from '../queries/profiles.ts';

export const listRfmProfiles = defineTool({
  name: 'list_rfm_profiles',
  title: 'List RFM profiles',
  group: 'RFM',
  description:
    'The ways in which the business scores customers by recency, frequency and money: window and thresholds.',
  permissions: ['DISPLAY_ANALYTICS_DASHBOARD'],
  rows: { list: 'rfm_profiles', uniqueBy: ['rfm_profile_id'] },
  input: z.strictObject({ business_id: businessId }),
  fields: [businessIdField, list('rfm_profiles', 'The default one first.', profileFields)],
  plan({ args, facts }) {
    return plan({
      queries: { profiles: allProfiles },
      answer: ({ profiles }) => ({
        result: {
          business_id: args.business_id,
          rfm_profiles: profiles.map((profile) => shownProfile(profile, facts)),
        },
      }),
    });
  },
});
