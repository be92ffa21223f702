import { chartStore } from '../asking/chart-store.ts';
import type { ToolEnvironment } from '../asking/run-tool.ts';
import type { Business } from '../business/business.ts';
import { localDay } from '../charts/dates.ts';
import type { DrawnStore } from '../charts/drawn-store.ts';
import { newKnownFrom } from '../domains/orders/queries/first-order-notes.ts';
import { lateRefunds } from '../domains/orders/queries/late-refund-notes.ts';
import type { Messages } from '../messages/messages.ts';
import { type AskedPeriod, type Days, daysOfPeriod } from './page-periods.ts';

/** What a page is about: the store, the days and those that they are compared with. */
export interface PageRange {
  readonly store: DrawnStore;
  /** The last local day with orders. */
  readonly lastDay: string;
  readonly days: Days;
  /** It is null when it is compared with nothing. */
  readonly before: Days | null;
  /** Why there is nothing before, though it was asked for. */
  readonly notCompared: string | null;
  /** The first local day on which it is known who is new; null: nobody says. */
  readonly newFrom: string | null;
  /** The first local day whose orders will have more refunds; null: nothing tells. */
  readonly lateRefundsFrom: string | null;
  /** Whether any e-mail or SMS is loaded. */
  readonly hasMessages: boolean;
  readonly messages: Messages;
}

/** Null where no orders are loaded. @param environment of one snapshot */
export async function readRange(
  environment: ToolEnvironment,
  business: Business,
  asked: AskedPeriod,
  messages: Messages,
): Promise<PageRange | null> {
  const served = await environment.findServed(business.business_id);
  if (served === null || served.facts.orders_until === null) return null;
  const store = { ...chartStore(business, served.facts), locale: messages.locale, words: messages };
  const lastDay = localDay(served.facts.orders_until, store);
  if (lastDay === null) return null;
  const { days, before } = daysOfPeriod(asked, lastDay);
  const known = {
    newFrom: newKnownFrom(served.facts),
    lateRefundsFrom: lateRefunds(served.facts, store.timezone)?.since.toString() ?? null,
    hasMessages: served.facts.messages_until !== null,
  };
  const firstDay = served.facts.history_starts_at && localDay(served.facts.history_starts_at, store);
  if (before === null || firstDay === null || before.from_date >= firstDay)
    return { store, lastDay, days, before, notCompared: null, ...known, messages };
  const notCompared = messages.say('overview.not-compared', { day: messages.day(firstDay) });
  return { store, lastDay, days, before: null, notCompared, ...known, messages };
}
