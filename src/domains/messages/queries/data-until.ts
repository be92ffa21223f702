import { Temporal } from 'temporal-polyfill';
import type { AttributionWindows } from '../../../business/attribution-windows.ts';
import { earliest, type SnapshotFacts } from '../../../business/snapshot-facts.ts';
import { POPUP_WINDOWS_D } from '../definitions/popup-windows.ts';

/**
 * The moment until which the revenue of messages is known: the earlier of the ends of messages and orders.
 */
export function messageRevenueUntil({ messages_until, orders_until }: SnapshotFacts): string | null {
  return earliest(messages_until, orders_until);
}

/** The same of the revenue of popups. */
export function popupRevenueUntil({ popups_until, orders_until }: SnapshotFacts): string | null {
  return earliest(popups_until, orders_until);
}

/**
 * Whether the last message lies further back than any attribution window; if not, its revenue can still grow.
 */
export function isMature(lastSentAt: string, facts: SnapshotFacts): boolean {
  return isOver(lastSentAt, longestOf(facts.attribution_windows), messageRevenueUntil(facts));
}

/** Messages sent before this moment are mature, in UTC; none are where nothing is loaded. */
export function matureBefore(facts: SnapshotFacts): string {
  const until = Temporal.Instant.from(messageRevenueUntil(facts) ?? '1970-01-01T00:00:00Z');
  return until
    .subtract({ hours: longestOf(facts.attribution_windows) })
    .toString()
    .replace('Z', '');
}

function longestOf(windows: AttributionWindows): number {
  return Math.max(...Object.values(windows));
}

function isOver(from: string, hours: number, until: string | null): boolean {
  if (until === null) return false;
  const over = Temporal.Instant.from(from).add({ hours });
  return Temporal.Instant.compare(over, Temporal.Instant.from(until)) < 0;
}

/** The moment until which the revenue of a campaign of the channel is known. */
export function campaignRevenueUntil(channel: unknown, facts: SnapshotFacts): string | null {
  return channel === 'popup' ? popupRevenueUntil(facts) : messageRevenueUntil(facts);
}

/** `isMature` of a campaign of the channel, by its last message or submission. */
export function isCampaignMature(channel: unknown, lastAt: string, facts: SnapshotFacts): boolean {
  const windowH = channel === 'popup' ? POPUP_WINDOWS_D.order * 24 : longestOf(facts.attribution_windows);
  return isOver(lastAt, windowH, campaignRevenueUntil(channel, facts));
}
