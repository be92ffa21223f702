import { isValid, type Order } from '../orders.ts';
import type { MessageEvent, Send } from './send.ts';

/** What became of a send, by the definitions and not by what was planned; truths are counted over these. */
export type Outcome = {
  send: Send;
  /** Opens by people. */
  opens: MessageEvent[];
  machineOpens: number;
  clicks: number;
  botClicks: number;
  /** A person opened it, or clicked anywhere in it. */
  isOpened: boolean;
  isUnsubscribed: boolean;
  isComplained: boolean;
  /** Orders that are credited to it, by a click or by an open alone. */
  orders: { order: Order; kind: Touch['kind'] }[];
  /** Clicks by people on what it offers. */
  contentClicks: MessageEvent[];
};

/** @param orders in order of time */
export function findOutcomes(sends: readonly Send[], orders: readonly Order[]): Outcome[] {
  const outcomes = sends.map(findOutcome);
  const touches = Map.groupBy(outcomes.flatMap(touchesOf), ({ outcome }) => outcome.send.recipient.customer);
  for (const order of orders) {
    if (order.customer === null || !isValid(order)) continue;
    const credited = latestOf((touches.get(order.customer) ?? []).filter((touch) => isNear(touch, order)));
    credited?.outcome.orders.push({ order, kind: credited.kind });
  }
  return outcomes;
}

function findOutcome(send: Send): Outcome {
  const { events } = send;
  if (events.length === 0) return { ...nothing, send, orders: [] };
  const arrived_at = send.delivered_at ?? send.at;
  const isInstant = ({ at }: MessageEvent) => at < arrived_at + 3;
  const isFlagged = ({ isMachine, isFlagged }: MessageEvent) => isMachine && isFlagged;
  const clicks = events.filter(({ kind }) => kind === 'click');
  const byBots = clicks.filter((click) => isFlagged(click) || isInstant(click) || isInBurst(click, clicks));
  const byPeople = clicks.filter((click) => !byBots.includes(click));
  const opens = events.filter(({ kind }) => kind === 'open');
  const isSeen = byPeople.length > 0 || opens.some((open) => !isFlagged(open) && !isInstant(open));
  const machineOpens = opens.filter((open) => isFlagged(open) || (isInstant(open) && !isSeen));
  const contentClicks = byPeople.filter(isOnContent);
  return {
    send,
    opens: opens.filter((open) => !machineOpens.includes(open)),
    machineOpens: machineOpens.length,
    clicks: contentClicks.length,
    botClicks: byBots.filter(isOnContent).length,
    isOpened: opens.length > machineOpens.length || byPeople.length > 0,
    isUnsubscribed: events.some(({ kind }) => kind === 'unsubscribe'),
    isComplained: events.some(({ kind }) => kind === 'complaint'),
    orders: [],
    contentClicks,
  };
}

const nothing = {
  opens: [],
  machineOpens: 0,
  clicks: 0,
  botClicks: 0,
  isOpened: false,
  isUnsubscribed: false,
  isComplained: false,
  contentClicks: [],
};

function isOnContent({ link }: MessageEvent): boolean {
  return link !== null && !['unsubscribe', 'preferences', 'view_online'].includes(link.link_type);
}

/** Three links or more of one message within five seconds. */
function isInBurst(click: MessageEvent, clicks: readonly MessageEvent[]): boolean {
  if (clicks.length < 3) return false;
  return clicks.some((start) => {
    const within = clicks.filter(({ at }) => at >= start.at && at <= start.at + 5);
    return within.includes(click) && new Set(within.map(({ link }) => link)).size >= 3;
  });
}

type Touch = { outcome: Outcome; kind: 'click' | 'open'; at: number };

/**
 * Opens of an e-mail count for a day, clicks for a week; those of machines never. Transactional and double
 * opt-in messages reach people who are buying, so of these clicks alone count.
 */
function touchesOf(outcome: Outcome): Touch[] {
  const isByClicks = ['transactional', 'double_opt_in'].includes(outcome.send.campaign.row.category ?? '');
  const opens = isByClicks ? [] : outcome.opens;
  return [
    ...outcome.contentClicks.map(({ at }) => ({ outcome, kind: 'click' as const, at })),
    ...opens.map(({ at }) => ({ outcome, kind: 'open' as const, at })),
  ];
}

function isNear({ kind, at }: Touch, order: Order): boolean {
  const hours = kind === 'click' ? 168 : 24;
  return at <= order.at && at >= order.at - hours * 3_600;
}

/** The latest; at one moment a click before an open, then the later message. */
function latestOf(touches: readonly Touch[]): Touch | undefined {
  return touches.toSorted(
    (a, b) =>
      b.at - a.at ||
      (a.kind === b.kind ? 0 : a.kind === 'click' ? -1 : 1) ||
      (a.outcome.send.send_id < b.outcome.send.send_id ? 1 : -1),
  )[0];
}
