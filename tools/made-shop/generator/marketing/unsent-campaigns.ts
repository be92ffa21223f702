import { dayOf, momentOf, momentText } from '../calendar.ts';
import { queryOf } from './audiences.ts';
import { addMessage, type Campaign, makeCampaign } from './campaign.ts';
import { writeEmail } from './email-content.ts';
import type { CampaignState } from './rows.ts';

/** Campaigns that never sent anything: being written, planned, or given up. */
export function makeUnsentCampaigns(): Campaign[] {
  const next = momentOf(dayOf('2026-10-06'), 9 * 3_600);
  return [
    unsent('draft-zima', 'draft', '2026-09-28', 'Zimní kolekce (rozepsáno)', 'Zima se blíží'),
    unsent(
      'draft-script',
      'draft',
      '2026-09-14',
      `<script>alert('test')</script>; drop table campaigns; --`,
      'Test šablony: "uvozovky" & <značky>',
    ),
    unsent(
      '2026-10-06-rijnovy-newsletter',
      'scheduled',
      '2026-09-27',
      'Newsletter říjen 2026',
      'Říjen na hřebenech',
      {
        scheduled_at: momentText(next),
      },
    ),
    unsent('2026-05-26-den-deti', 'canceled', '2026-05-18', 'Den dětí (zrušeno)', 'Den dětí v přírodě'),
    unsent('2025-03-25-test-sablony', 'archived', '2025-03-20', 'Test nové šablony', 'Test'),
    unsent('2026-02-14-valentyn', 'deleted', '2026-02-02', 'Valentýn (smazáno)', 'Pro dva do jednoho stanu'),
    unsent('2026-06-30-interni', 'terminated', '2026-06-29', 'Interní oznámení', 'Inventura 30. června', {
      category: 'other',
    }),
  ];
}

function unsent(
  campaign_id: string,
  state: CampaignState,
  date: string,
  name: string,
  subject: string,
  rest: { scheduled_at?: string; category?: string } = {},
): Campaign {
  const made_at = momentOf(dayOf(date), 13 * 3_600);
  const campaign = makeCampaign(
    {
      ...{ campaign_id, name, campaign_type: 'targeted-emailing', category: 'newsletter', state },
      ...{ utm_source: 'newsletter', utm_medium: 'email', utm_campaign: campaign_id },
      ...{ segment_query: queryOf('everyone'), sender_name: 'Kamenice Outdoor', ...rest },
    },
    [
      [made_at, 'created as draft'],
      ...(state === 'draft' ? [] : [[made_at + 7_200, `draft → ${state}`] as const]),
    ],
  );
  const { html, text, links } = writeEmail(
    {
      ...{ preheader: '', headline: subject, paragraphs: ['Dobrý den,', 'text doplníme.'], products: [] },
      ...{ hasRecommendations: false, article: null, isMarketing: true },
      button: { label: 'Do obchodu', path: '/' },
    },
    campaign_id,
    dayOf(date),
  );
  addMessage(campaign, null, { channel: 'email', position: 1, subject, html, text }, links);
  return campaign;
}
