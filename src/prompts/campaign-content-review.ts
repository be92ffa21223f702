import { InputError } from '../errors.ts';
import { chooseDates, type GivenDates, offerYearBefore, type PromptContext } from './default-range.ts';
import { definePrompt } from './prompt.ts';
import { call, callWith, message } from './prompt-message.ts';
import { readPromptRange } from './prompt-range.ts';
import { businessArgument, readBusiness } from './shared-arguments.ts';

/** The most campaigns, since each is three calls and a text to read. */
const MOST_CAMPAIGNS = 20;

export const campaignContentReview = definePrompt({
  name: 'campaign_content_review',
  title: 'Campaign content review',
  description: 'Review email campaigns by content and targeting, next to their results.',
  groups: ['email', 'campaigns'],
  arguments: {
    ...businessArgument,
    from_date: {
      description:
        'First day of sending, for example 2026-10-01. Left empty: the last whole month that is loaded.',
    },
    to_date: { description: 'Last day of sending, included.' },
    campaign_ids: {
      description: `Ids of e-mail campaigns with commas between them, at most ${MOST_CAMPAIGNS}. Without dates: whenever they were sent.`,
      suggestions: 'email_campaigns',
    },
    limit: {
      description: `How many campaigns of the range, the best by revenue: 1 to ${MOST_CAMPAIGNS}, else 5.`,
    },
  },
  message({ business_id, from_date, to_date, campaign_ids, limit }, context) {
    const ids = readIds(campaign_ids);
    const { range, notes } = readOptionalRange({ from_date, to_date }, ids, context);
    const chosen = {
      ...(ids === null ? {} : { filter_campaign_ids: ids }),
      limit: ids?.length ?? readLimit(limit),
    };
    return message({
      task: 'Review e-mail campaigns of an online store by content and targeting, next to their results.',
      shared: { business_id: readBusiness(business_id), ...(range !== null && { range }) },
      notes,
      resources: [
        'analytics://metrics',
        'analytics://comparisons',
        'analytics://campaign-categories',
        'segmentation://conditions',
      ],
      steps: [
        ...(range === null ? [findRange(ids ?? [])] : []),
        callWith('A', call('email_campaign_statistics', { sort_by: 'attributed_revenue', ...chosen })),
        `${callWith(
          'S',
          ...(range === null ? [] : [call('get_campaign', CAMPAIGN)]),
          call('get_campaign_content', CAMPAIGN),
          call('get_campaign_targeting', CAMPAIGN),
        )}\n   once for each of these campaigns.`,
        // Together they would not tell whose link was clicked: campaigns share URLs.
        `${callWith('A', call('email_link_statistics', { filter_campaign_ids: ['<campaign_id>'] }))}\n   once for each of these campaigns.`,
      ],
      report: [
        'A table of the campaigns: subject, preheader, length, number of links and the most clicked one, offer, audience, open_rate, click_rate with its interval, revenue_per_recipient, delivered_count.',
        'What differs between better and worse ones inside one campaign_category. Judge subjects by clicks where machines opened much.',
        'Findings as hypotheses to A/B test, not as causes: audience, day and offer differ too.',
      ],
    });
  },
});

const CAMPAIGN = { campaign_id: '<campaign_id>' };

function findRange(ids: readonly string[]): string {
  return `${callWith('S', ...ids.map((campaign_id) => call('get_campaign', { campaign_id })))}\n   A is S with from_date, the earliest first_sent_at, and to_date, the latest last_sent_at of them.`;
}

function readIds(text: string | undefined): string[] | null {
  if (text === undefined) return null;
  const ids = [...new Set(text.split(',').map((id) => id.trim()))].filter((id) => id !== '');
  if (ids.length === 0) throw new InputError('campaign_ids has no id', 'Take ids from list_campaigns.');
  if (ids.length > MOST_CAMPAIGNS) {
    throw new InputError(`campaign_ids: at most ${MOST_CAMPAIGNS} elements are allowed`);
  }
  return ids;
}

/** Campaigns that are named have dates of their own. */
function readOptionalRange(given: GivenDates, ids: readonly string[] | null, context: PromptContext) {
  const { from_date, to_date } = given;
  if (ids !== null && from_date === undefined && to_date === undefined) return { range: null, notes: [] };
  const { notes, ...dates } = chooseDates(given, { source: 'messages', months: 1 }, context);
  const range = readPromptRange(dates);
  return { range, notes: [...notes, ...offerYearBefore(range, context)] };
}

function readLimit(text = '5'): number {
  const limit = Number(text);
  if (/^\d+$/.test(text) && limit >= 1 && limit <= MOST_CAMPAIGNS) return limit;
  throw new InputError(`limit must be between 1 and ${MOST_CAMPAIGNS}`);
}
