import { z } from 'zod';
import { allProfiles, profileFields } from '../../model/rfm/profiles.ts';
import { businessId } from '../arguments.ts';
import { rfmProfileFields } from '../rfm-fields.ts';
import { defineTool, plan } from '../tool.ts';

export const listRfmProfiles = defineTool({
  name: 'list_rfm_profiles',
  title: 'List RFM profiles',
  group: 'RFM',
  description:
    'The ways in which the business scores customers by recency, frequency and monetary value: window and thresholds. ' +
    'Use it to find a profile; the tools about segments take the default one by themselves. ' +
    'The rules that make scores segments are in get_rfm_profile.',
  permissions: ['DISPLAY_ANALYTICS_DASHBOARD'],
  input: z.strictObject({ business_id: businessId }),
  output: z.strictObject({
    business_id: z.string(),
    rfm_profiles: z.array(z.strictObject(rfmProfileFields)),
  }),
  plan({ args, facts }) {
    return plan({
      queries: { profiles: allProfiles },
      answer: ({ profiles }) => ({
        result: {
          business_id: args.business_id,
          rfm_profiles: profiles.map((profile) => profileFields(profile, facts)),
        },
      }),
    });
  },
});
