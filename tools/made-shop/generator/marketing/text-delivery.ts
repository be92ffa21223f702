import { dayOf, momentOf } from '../calendar.ts';
import type { Customer } from '../customers.ts';
import { moneyText } from '../money.ts';
import type { RandomStream } from '../random-stream.ts';
import { addMessage, type Campaign, type Message } from './campaign.ts';
import type { Recipient } from './recipients.ts';
import type { MessageRow } from './rows.ts';
import type { Fate } from './send.ts';

/** What the gateway takes for a part, in hundredths of CZK. */
const prices: Record<Customer['country'], number> = { CZ: 95, SK: 140, DE: 210, AT: 195, PL: 120 };

/** The gateway reaches hardly anybody in this country from this day on. */
export const cutOff = { country: 'SK', date: '2026-09-01' } as const;

/** Adds an SMS; the address in its text is its link. */
export function addText(campaign: Campaign, row: Omit<MessageRow, 'message_id' | 'campaign_id' | 'channel'>) {
  const [url] = /https:\S+/.exec(row.text ?? '') ?? [];
  const links = url === undefined ? [] : [{ url, label: url, link_type: 'category' as const, position: 1 }];
  addMessage(campaign, null, { channel: 'sms', ...row }, links);
}

/**
 * Parts and encoding of a text: outside of ASCII nothing that the shop writes is of the telephones' alphabet.
 */
function partsOf(text: string): { sms_segments: number; sms_encoding: 'gsm7' | 'ucs2' } {
  const isPlain = [...text].every((character) => character <= '~' && !'^{}[]\\|~`'.includes(character));
  if (isPlain)
    return { sms_encoding: 'gsm7', sms_segments: text.length <= 160 ? 1 : Math.ceil(text.length / 153) };
  return { sms_encoding: 'ucs2', sms_segments: text.length <= 70 ? 1 : Math.ceil(text.length / 67) };
}

/** What becomes of an SMS, and what it costs. */
export function textFate(stream: RandomStream, { row }: Message, { country }: Recipient, at: number): Fate {
  const parts = partsOf(row.text ?? '');
  const details = { ...parts, sms_country: country, cost: moneyText(prices[country] * parts.sms_segments) };
  const chance = stream.next();
  if (country === cutOff.country && at >= momentOf(dayOf(cutOff.date), 0) && chance < 0.75) {
    return { outcome: 'failed', details: { ...details, failure_reason: 'no_route_to_operator' } };
  }
  if (country === 'CZ' && chance > 0.985) {
    return { outcome: 'failed', details: { ...details, failure_reason: 'absent_subscriber' } };
  }
  if (country === 'CZ' && chance > 0.975) {
    return { outcome: 'failed', details: { ...details, failure_reason: 'unknown_subscriber' } };
  }
  if (chance > 0.97) return { outcome: 'pending', details };
  return { outcome: 'delivered', details };
}
