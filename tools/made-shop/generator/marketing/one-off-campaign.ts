import type { OneOffEmail } from '../../texts/one-off-emails.ts';
import { dayOf, momentText } from '../calendar.ts';
import type { Product } from '../product.ts';
import { queryOf } from './audiences.ts';
import { addMessage, type Campaign, makeCampaign } from './campaign.ts';
import { domainOfNewsletters } from './delivery.ts';
import { chooseProducts, writeEmail } from './email-content.ts';
import { savedSegments } from './segments.ts';

/** How long a test runs before the rest gets the winner. */
export const decisionTime = 4 * 3_600;

/**
 * The campaign of a one-off e-mail with its message; one with a test has both variants and the winner's
 * roll-out.
 */
export function makeOneOff(products: readonly Product[], email: OneOffEmail, at: number): Campaign {
  const { date, slug, name, category, audience, test } = email;
  const campaign_id = `${date}-${slug}`;
  const campaign = makeCampaign(
    {
      ...{ campaign_id, name, category, state: 'sent' },
      campaign_type: test === undefined ? 'targeted-emailing' : 'targeted-emailing-ab',
      labels: [...(email.labels ?? [])],
      ...{ utm_source: 'newsletter', utm_medium: 'email', utm_campaign: campaign_id },
      scheduled_at: momentText(at),
      segment_query: queryOf(audience),
      exclude_segment_query: email.isWithoutClimbers && withoutClimbers,
      ab_test: test && {
        ...{ variants: ['A', 'B'], test_share: test.share },
        ...{ decide_by: 'click_rate', decide_after_hours: decisionTime / 3_600 },
      },
      control_group_share: email.control_group_share,
      frequency_cap: email.frequency_cap,
      sender_name: 'Kamenice Outdoor',
      sender_address: `ahoj@${domainOfNewsletters(at)}`,
    },
    [
      [at - 5 * 86_400, 'created as draft'],
      [at - 86_400, 'draft → scheduled'],
      [at, 'scheduled → active'],
      [at + (test === undefined ? 1_800 : decisionTime + 1_800), 'active → sent'],
    ],
    email.appeal,
  );
  const day = dayOf(date);
  const shown = chooseProducts(products, email.shows, day, 4);
  const add = (part: string | null, subject: string, rest: object) => {
    const { links, html, text } = writeEmail(
      {
        ...{ preheader: email.preheader, headline: subject, paragraphs: email.paragraphs, products: shown },
        ...{ hasRecommendations: false, isMarketing: true },
        button: { label: email.button[0], path: email.button[1] },
        article: email.article ? { label: email.article[0], path: email.article[1] } : null,
      },
      campaign_id,
      day,
    );
    const product_ids = shown.map(({ external_product_id }) => external_product_id);
    const message = { channel: 'email' as const, position: 1, subject, preheader: email.preheader };
    addMessage(campaign, part, { ...message, html, text, product_ids, ...rest }, links);
  };
  if (test === undefined) {
    add(null, email.subject, {});
    return campaign;
  }
  const [a, b] = test.subjects;
  add('a', a, { variant: 'A', allocation: 50 });
  add('b', b, { variant: 'B', allocation: 50 });
  add('winner', test.winner === 'A' ? a : b, { variant: test.winner, is_winner_send: true });
  return campaign;
}

/** Nobody is in it, since the list that it names is gone. */
const withoutClimbers = {
  segments: [{ targetingBlocks: [{ type: 'segment', operator: 'in', value: [savedSegments.broken] }] }],
};
