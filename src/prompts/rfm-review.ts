import { chooseDates, offerYearBefore } from './default-range.ts';
import { definePrompt } from './prompt.ts';
import { call, callWith, message } from './prompt-message.ts';
import { readPromptRange } from './prompt-range.ts';
import { businessArgument, rangeArguments, readBusiness } from './shared-arguments.ts';

export const rfmReview = definePrompt({
  name: 'rfm_review',
  title: 'RFM review',
  description: 'Review current RFM segments, how their mix changed, and who moved.',
  groups: ['rfm'],
  arguments: {
    ...businessArgument,
    ...rangeArguments,
    rfm_profile_id: {
      description: 'A profile, from list_rfm_profiles. Left empty: the default one.',
      suggestions: 'rfm_profiles',
    },
  },
  message(args, context) {
    const { notes, ...dates } = chooseDates(args, { source: 'orders', months: 1 }, context);
    const range = readPromptRange(dates);
    const profile = args.rfm_profile_id === undefined ? {} : { rfm_profile_id: args.rfm_profile_id };
    return message({
      task: 'Review the RFM segments of the customers of an online store at the end of a range (A), how their mix changed, and who moved.',
      shared: { business_id: readBusiness(args.business_id), range },
      notes: [...notes, ...offerYearBefore(range, context)],
      resources: ['analytics://rfm-segments', 'analytics://comparisons'],
      steps: [
        callWith(
          'S',
          call('list_rfm_profiles'),
          call('get_rfm_profile', profile),
          call('rfm_segment_statistics', { ...profile, as_of: range.to_date }),
        ),
        callWith(
          'A',
          call('rfm_segment_statistics_trend', { ...profile, breakdown: 'month' }),
          call('rfm_segment_transitions', profile),
        ),
      ],
      report: [
        'Each segment: customers_count, customers_share, revenue_share, and how many of them can be reached by e-mail and by SMS now. Say which part of revenue the best segments bring.',
        'How sizes developed; the state is of as_of or data_until, whichever is earlier.',
        'The largest flows with customers_count and share_of_from: won, kept, lost, reactivated. Of the lost first those from champions and loyal to at_risk, cant_lose, hibernating or lost: most flows down are of people who bought once, and hide them.',
        'What the segments mean by the thresholds of this profile, and no more.',
      ],
    });
  },
});
