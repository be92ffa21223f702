import { findOwners } from '../attribution.ts';
import { dayOf, momentOf } from '../calendar.ts';
import type { Order } from '../orders.ts';
import { mustBe, Tally } from '../tally.ts';
import { bestPopup } from './popup-plans.ts';
import type { PopupEvent } from './popups.ts';

/** Popups in a quarter, by campaign. `unique_…` are visitors, of whom some are known to be one customer. */
export type PopupTruth = {
  from_date: string;
  to_date: string;
  /** The highest share of the visitors who saw it submitted it. */
  best_campaign_id: string;
  campaigns: {
    campaign_id: string;
    name: string;
    displays_count: number;
    unique_displays_count: number;
    closes_count: number;
    submissions_count: number;
    unique_submissions_count: number;
    /**
     * Submitters who were never subscribed before and were so after, most of them once they had confirmed.
     */
    new_subscribers_count: number;
  }[];
};

export function countPopupTruth(events: readonly PopupEvent[], orders: readonly Order[]): PopupTruth {
  const ownerOf = findOwners(orders);
  const range = { from_date: '2026-07-01', to_date: '2026-09-30' };
  const [start, end] = [momentOf(dayOf(range.from_date), 0), momentOf(dayOf(range.to_date) + 1, 0)];
  const inRange = events.filter(({ at }) => at >= start && at < end);
  const rates = new Tally();
  const campaigns = [...Map.groupBy(inRange, ({ campaign }) => campaign)].map(([campaign, own]) => {
    const ofKind = (kind: PopupEvent['kind']) => own.filter((event) => event.kind === kind);
    const visitors = (of: readonly PopupEvent[]) => new Set(of.map(ownerOf)).size;
    const submits = ofKind('submit');
    rates.add(campaign.row.campaign_id, visitors(submits) / visitors(ofKind('display')));
    return {
      campaign_id: campaign.row.campaign_id,
      name: campaign.row.name,
      displays_count: ofKind('display').length,
      unique_displays_count: visitors(ofKind('display')),
      closes_count: ofKind('close').length,
      submissions_count: submits.length,
      unique_submissions_count: visitors(submits),
      new_subscribers_count: submits.filter(subscribesAnew).length,
    };
  });
  mustBe('best popup', rates.largest().key, bestPopup);
  return { ...range, best_campaign_id: bestPopup, campaigns };
}

function subscribesAnew({ campaign, recipient, at }: PopupEvent): boolean {
  const channel = campaign.messages[0]?.row.popup_fields?.includes('phone') ? 'sms' : 'email';
  const subscribed = recipient?.consents[channel].filter(({ state }) => state === 'subscribed') ?? [];
  return subscribed.some((change) => change.at >= at) && !subscribed.some((change) => change.at < at);
}
