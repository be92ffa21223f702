import type { AttributionWindows } from './attribution-windows.ts';

/** What is known of a snapshot beside its tables. */
export interface SnapshotFacts {
  /** The tables of the canonical format that hold rows. */
  readonly loaded_tables: readonly string[];
  /** Moment of the first loaded order, ISO 8601 in UTC; null when there is none. */
  readonly history_starts_at: string | null;
  /** Latest moment up to which orders are loaded; null when there is none. */
  readonly orders_until: string | null;
  /** The same of sessions. */
  readonly sessions_until: string | null;
  /** Latest moment up to which sends and what happened to them are loaded; null when there is none. */
  readonly messages_until: string | null;
  /** The same of what happened with popups. */
  readonly popups_until: string | null;
  /** The same of consent events. */
  readonly consents_until: string | null;
  /** The same of joining and leaving interest lists. */
  readonly list_events_until: string | null;
  /**
   * Latest moment of anything that happened, whatever it is; that of the import when nothing loaded has a
   * moment.
   */
  readonly latest_at: string;
  /**
   * The time zone of the business when the snapshot was built. Moments got their local dates by it, so
   * questions are read by it too.
   */
  readonly timezone: string | null;
  /** The currency of the business when the snapshot was built. Its money is in it. */
  readonly primary_currency: string | null;
  /** The windows by which orders were credited to messages. */
  readonly attribution_windows: AttributionWindows;
  /**
   * The VAT rate of the business when the snapshot was built, in percent, for orders that do not tell their
   * own. Null means that it is not known.
   */
  readonly vat_rate: number | null;
  /**
   * Moments of the first and the last loaded happening of what rates divide by; nothing of a kind that is not
   * loaded.
   */
  readonly spans?: Readonly<Partial<Record<DividingSource, Span>>>;
  /** Whether money of another currency has no rate: see the table `unpriced_money`. */
  readonly has_unpriced_money?: boolean;
  /**
   * The number of days after the order within which 95 % of the refunds come; null where too few are known.
   * Snapshots of earlier versions do not have it.
   */
  readonly refunds_within_days?: number | null;
  /**
   * The days of rows of some kinds; nothing of a kind without rows. Snapshots of earlier versions have none
   * of what follows.
   */
  readonly days?: Readonly<Partial<Record<DatedKind, LoadedDays>>>;
  /**
   * One in ten pauses between two orders of a customer is longer than this many days, rounded up. Null where
   * fewer than `LEAST_SHARING` customers ordered twice: it would be theirs.
   */
  readonly usual_pause_days?: number | null;
  /** The campaigns that held a group out, by their id. */
  readonly held_out?: readonly HeldOutCampaign[];
  /** Pauses of automations of a week or more, by their first day. */
  readonly automation_pauses?: readonly AutomationPause[];
  /** The orders that were placed in a session; null where there are none. */
  readonly orders_in_sessions?: OrdersInSessions | null;
  /** Null where no advertising costs are loaded. */
  readonly ad_costs?: AdCostFacts | null;
}

/** Kinds of rows of which the days are known. */
export const DATED_KINDS = [
  'valid_orders',
  'orders_without_customer',
  'refunds',
  // Credit notes stand on orders that count in no revenue and were not cancelled.
  'credit_notes',
  'emails',
  'opened_emails',
  'consent_changes',
  // First orders of customers whose profile is older than all loaded orders.
  'first_orders_of_older_profiles',
] as const;
export type DatedKind = (typeof DATED_KINDS)[number];

/** The first and the last local day, `YYYY-MM-DD`. */
export interface FirstAndLastDay {
  readonly from: string;
  readonly until: string;
}

export interface LoadedDays extends FirstAndLastDay {
  readonly rows_count: number;
}

export interface HeldOutCampaign {
  readonly campaign_id: string;
  /** Whether its effect is judged: it is for a one-off campaign whose group is large enough. */
  readonly is_judged: boolean;
  /** The first and last day on which it sent; null where it has not. */
  readonly sent: FirstAndLastDay | null;
}

/** The days are local, as `YYYY-MM-DD`. */
export interface AutomationPause {
  /** The day on which an automation sent something before it paused. */
  readonly last_day: string;
  /** The day on which it sent something again; null where it has not. */
  readonly next_day: string | null;
}

export interface OrdersInSessions {
  readonly orders_count: number;
  /** Those that name no session, and count to the one of their people that was open. */
  readonly without_name_count: number;
}

export interface AdCostFacts extends FirstAndLastDay {
  /** The days between without any cost, in their order. */
  readonly pauses: readonly FirstAndLastDay[];
  /** The ones that cost most come first. */
  readonly sources: readonly ({ readonly source: string } & FirstAndLastDay)[];
}

/** What rates divide by: visits, views of products, messages, displays of popups. */
export const DIVIDING_SOURCES = ['sessions', 'views', 'messages', 'popups'] as const;
export type DividingSource = (typeof DIVIDING_SOURCES)[number];

/** The moment is ISO 8601 in UTC. */
interface Span {
  readonly from: string;
  readonly until: string;
}

/** What is loaded of one kind until one moment, in the order in which it is told. */
export const LOADED_SOURCES = [
  'orders',
  'sessions',
  'messages',
  'popups',
  'consents',
  'list_events',
] as const;
export type LoadedSource = (typeof LOADED_SOURCES)[number];

export const SOURCE_NAMES: Readonly<Record<LoadedSource, string>> = {
  orders: 'Orders',
  sessions: 'Sessions',
  messages: 'Messages',
  popups: 'Popup displays',
  consents: 'Consents',
  list_events: 'Changes of interest lists',
};

/** The first loaded moment, ISO 8601 in UTC; null where it is not kept. */
export function beginningOf(source: LoadedSource | DividingSource, facts: SnapshotFacts): string | null {
  if (source === 'orders') return facts.history_starts_at;
  const dividing = DIVIDING_SOURCES.find((one) => one === source);
  return dividing === undefined ? null : (facts.spans?.[dividing]?.from ?? null);
}

/** Says whether money paid back is known at all. */
export function hasRefunds({ loaded_tables }: SnapshotFacts): boolean {
  return loaded_tables.includes('refunds');
}

/** Says whether it is known which products were sent back. */
export function hasRefundLines({ loaded_tables }: SnapshotFacts): boolean {
  return loaded_tables.includes('refund_lines') && loaded_tables.includes('refunds');
}

/** Whether anything is known of what visitors did with products. */
export function hasProductEvents({ loaded_tables }: SnapshotFacts): boolean {
  return loaded_tables.includes('product_events');
}

/**
 * The moment until which it is known which products were sold. Null: orders without any lines tell of none.
 */
export function productSalesUntil({ orders_until, loaded_tables }: SnapshotFacts): string | null {
  return loaded_tables.includes('order_items') ? orders_until : null;
}

/** The earliest of some ends of data, of which there may be only one; null when there is none. */
export function earliest(...ends: readonly (string | null)[]): string | null {
  // ISO 8601 in UTC: the order of texts is that of time.
  return ends.filter((end) => end !== null).sort()[0] ?? null;
}
