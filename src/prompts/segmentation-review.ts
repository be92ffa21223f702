import { InputError } from '../errors.ts';
import { chooseDates, offerYearBefore } from './default-range.ts';
import { definePrompt } from './prompt.ts';
import { call, callWith, message } from './prompt-message.ts';
import { readPromptRange } from './prompt-range.ts';
import { businessArgument, readBusiness } from './shared-arguments.ts';

const MONTHS_OF_LISTS = 3;
const MOST_GOAL_CHARACTERS = 1000;

export const segmentationReview = definePrompt({
  name: 'segmentation_review',
  title: 'Segmentation review',
  description: 'Explain who a campaign or saved segment targets, and suggest better conditions.',
  groups: ['campaigns', 'segments', 'interest-lists', 'rfm'],
  arguments: {
    ...businessArgument,
    campaign_id: {
      description: 'A campaign, from list_campaigns. Or give segment_id.',
      suggestions: 'campaigns',
    },
    segment_id: { description: 'A saved segment, from list_segments.', suggestions: 'segments' },
    goal: { description: 'What the targeting should reach, in your words.' },
  },
  message({ business_id, campaign_id, segment_id, goal }, context) {
    const target = readTarget(campaign_id, segment_id);
    const { notes, ...dates } = chooseDates({}, { source: 'list_events', months: MONTHS_OF_LISTS }, context);
    const range = readPromptRange(dates);
    return message({
      task: `Explain whom ${target.named} of an online store targets, and suggest better conditions.${goalText(goal)}`,
      shared: { business_id: readBusiness(business_id), range },
      notes: [...notes, ...offerYearBefore(range, context)],
      resources: ['segmentation://conditions', 'analytics://rfm-segments'],
      steps: [
        callWith('S', target.call),
        `${callWith('S', call('list_interest_lists'), call('list_rfm_profiles'), call('get_rfm_profile'), call('rfm_segment_statistics'))}\n   as far as the conditions name lists or RFM segments; get_rfm_profile and rfm_segment_statistics with the rfm_profile_id that they name.`,
        `${callWith('A', call('interest_list_statistics'))}\n   if lists are named.`,
        `${callWith('S', call('estimate_segment_query', { segment_query: '<segment_query>', exclude_segment_query: '<exclude_segment_query>' }))}\n   for the query as it is, then for at most 3 changed ones; exclude_segment_query is null where there is none.`,
      ],
      report: [
        'The targeting in plain words: who is in, who is out, and who is left out whatever the query says.',
        'Broken references, contradictions, duplicates and conditions that change nothing, by the counts of the blocks.',
        'Suggestions as complete segment_query JSON, each with its counts beside those of the query as it is. Counts are of now, rounded and with noise (null: notes tell why); who was sent to was decided then.',
      ],
    });
  },
});

function readTarget(campaign_id: string | undefined, segment_id: string | undefined) {
  if (campaign_id !== undefined && segment_id === undefined) {
    const named = `the campaign ${JSON.stringify(campaign_id)}`;
    return { named, call: call('get_campaign_targeting', { campaign_id }) };
  }
  if (segment_id !== undefined && campaign_id === undefined) {
    return {
      named: `the saved segment ${JSON.stringify(segment_id)}`,
      call: call('get_segment', { segment_id }),
    };
  }
  throw new InputError('one of campaign_id and segment_id is required, and only one');
}

function goalText(goal: string | undefined): string {
  if (goal === undefined) return '';
  if (goal.length > MOST_GOAL_CHARACTERS) {
    throw new InputError(`goal must be at most ${MOST_GOAL_CHARACTERS} characters`);
  }
  return ` The goal: ${JSON.stringify(goal)}`;
}
