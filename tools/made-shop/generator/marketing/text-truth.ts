import { plantedTexts } from '../../texts/one-off-texts.ts';
import { dateText, localDay } from '../calendar.ts';
import { moneyText } from '../money.ts';
import { mustBe, Tally } from '../tally.ts';
import type { Outcome } from './outcomes.ts';
import { cutOff } from './text-delivery.ts';

/** SMS by the messages that were sent. */
export type TextTruth = {
  /**
   * One character outside of the telephones' alphabet makes this one cost twice as much as the other, which
   * is as long.
   */
  unicode: { costly: TextCampaignTruth; usual: TextCampaignTruth };
  /** The month in which most messages to a country failed. In the one before, nearly none did. */
  failures: { country: string; reason: string; before: CountryTruth; month: CountryTruth };
};

type TextCampaignTruth = { campaign_id: string; sent_count: number; segments_count: number; cost: string };
type CountryTruth = { month: string; sent_count: number; delivered_count: number };

/** @param outcomes of SMS */
export function countTextTruth(outcomes: readonly Outcome[]): TextTruth {
  const [costly, usual] = [campaignOf(plantedTexts.unicode), campaignOf(plantedTexts.plain)];
  const isDouble =
    costly.segments_count === 2 * costly.sent_count && usual.segments_count === usual.sent_count;
  mustBe('SMS with a character too many', isDouble ? 'double' : 'other', 'double');
  const [before, month] = [countryIn('2026-08'), countryIn('2026-09')];
  const isCut =
    month.delivered_count < month.sent_count / 2 && before.delivered_count > before.sent_count / 2;
  mustBe('failures in a country', isCut ? 'cut off' : 'reached', 'cut off');
  mustBe('country of failures', mostFailed(), cutOff.country);
  const failures = { country: cutOff.country, reason: 'rejected', before, month };
  return { unicode: { costly, usual }, failures };

  function campaignOf(campaign_id: string): TextCampaignTruth {
    const own = outcomes.filter(({ send }) => send.campaign.row.campaign_id === campaign_id);
    const sum = (value: (outcome: Outcome) => number) =>
      own.reduce((total, outcome) => total + value(outcome), 0);
    return {
      campaign_id,
      sent_count: own.length,
      segments_count: sum(({ send }) => send.details.sms_segments ?? 0),
      cost: moneyText(sum(({ send }) => Math.round(Number(send.details.cost) * 100))),
    };
  }

  function countryIn(month: string): CountryTruth {
    const own = inMonth(month).filter(({ send }) => send.recipient.country === cutOff.country);
    const delivered = own.filter(({ send }) => send.outcome === 'delivered');
    return { month, sent_count: own.length, delivered_count: delivered.length };
  }

  function mostFailed(): string {
    const failed = new Tally();
    for (const { send } of inMonth('2026-09')) {
      if (send.outcome === 'failed') failed.add(send.recipient.country, 1);
    }
    return failed.largest().key;
  }

  function inMonth(month: string): Outcome[] {
    return outcomes.filter(({ send }) => dateText(localDay(send.at)).startsWith(month));
  }
}
