import { type Automation, broken } from '../../texts/automations.ts';
import { dayOf, momentOf } from '../calendar.ts';
import type { Product } from '../product.ts';
import { addMessage, type Campaign, makeCampaign } from './campaign.ts';
import { sendingDomain } from './delivery.ts';
import { chooseProducts, writeEmail } from './email-content.ts';
import { addText } from './text-delivery.ts';

/** When it was stopped or broke; null: never. */
export function endOf({ campaign_id, to }: Automation): number | null {
  if (campaign_id === broken.campaign_id) return momentOf(dayOf(broken.date), broken.second_of_day);
  return to === null ? null : momentOf(dayOf(to), 18 * 3_600);
}

export function makeAutomation(products: readonly Product[], automation: Automation): Campaign {
  const { campaign_id, name, category, channel, state, type, description, re_entry_days, steps } = automation;
  const started_at = momentOf(dayOf(automation.from), 10 * 3_600);
  const ended_at = endOf(automation);
  const change = campaign_id === broken.campaign_id ? 'template changed' : `active → ${state}`;
  const utm_campaign = campaign_id.replace('auto-', '');
  const campaign = makeCampaign(
    {
      ...{ campaign_id, name, category, state },
      campaign_type: channel === 'sms' ? 'incremental-sms' : 'incremental-emailing',
      trigger: { type, description, delay_minutes: steps[0]?.delay_minutes ?? 0, re_entry_days },
      utm_source: channel === 'sms' ? 'sms' : 'newsletter',
      ...{ utm_medium: channel, utm_campaign },
      sender_name: channel === 'sms' ? 'Kamenice' : 'Kamenice Outdoor',
      sender_address: channel === 'sms' ? undefined : `ahoj@${sendingDomain}`,
    },
    [
      [started_at - 6 * 86_400, 'created as draft'],
      [started_at, 'draft → active'],
      ...(ended_at === null ? [] : [[ended_at, change] as const]),
    ],
    automation.appeal,
  );
  const day = dayOf(automation.from);
  for (const [index, step] of steps.entries()) {
    const message = { name: step.name, position: index + 1, delay_minutes: step.delay_minutes };
    const { subject, button, paragraphs, hasRecommendations = false } = step;
    if (subject === null || button === null) {
      addText(campaign, { ...message, text: paragraphs.join(' ') });
      continue;
    }
    const shown = hasRecommendations ? [] : chooseProducts(products, ['Clothing', 'Backpacks'], day, 2);
    const { links, html, text } = writeEmail(
      {
        ...{ preheader: '', headline: subject, paragraphs, products: shown },
        ...{ hasRecommendations, article: null },
        button: { label: button[0], path: button[1] },
        isMarketing: automation.consent !== 'not needed',
      },
      utm_campaign,
      day,
    );
    addMessage(
      campaign,
      String(index + 1),
      {
        ...{ ...message, channel: 'email', subject, html, text, has_recommendations: hasRecommendations },
        product_ids: shown.map(({ external_product_id }) => external_product_id),
      },
      links,
    );
  }
  return campaign;
}
