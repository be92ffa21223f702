import { Temporal } from 'temporal-polyfill';
import {
  LOADED_SOURCES,
  type LoadedSource,
  type SnapshotFacts,
  SOURCE_NAMES,
} from '../business/snapshot-facts.ts';
import {
  consentChanges,
  consentStates,
  customers,
  interestListChanges,
  interestListMembers,
  messageEvents,
  orderAttribution,
  orderCoupons,
  orderProducts,
  orderRefunds,
  orders,
  orderTraffic,
  popupEvents,
  productEvents,
  productRefunds,
  rfmStates,
  sends,
  sessions,
  touches,
} from '../model-table/table-names.ts';
import type { Table } from '../sql/sql.ts';
import { localDate, readMoment } from '../time/moment.ts';

/** The tables with what happened up to some moment. An answer is about those that it reads, and its notes are about no others. */
const TABLES: Readonly<Record<LoadedSource, readonly Table[]>> = {
  orders: [
    ...[orders, orderCoupons, orderProducts, orderRefunds, productRefunds, orderTraffic, orderAttribution],
    ...[customers, rfmStates],
  ],
  sessions: [sessions, touches, orderTraffic],
  messages: [sends, messageEvents, orderAttribution],
  popups: [popupEvents],
  consents: [consentChanges, consentStates],
  list_events: [interestListMembers, interestListChanges],
};

/** What is said where nothing of a kind is loaded. Without consents, tools themselves say what is not known then. */
const WITHOUT: Readonly<Record<LoadedSource, string | null>> = {
  orders: notLoaded('orders'),
  sessions:
    "No sessions are loaded, so nothing is known of visits and last clicks: their zeros are not the store's.",
  messages: notLoaded('messages'),
  popups: notLoaded('popups'),
  consents: null,
  list_events: notLoaded('list_events'),
};
const WITHOUT_VIEWS =
  "No product events are loaded, so nothing is known of views of products: their zeros are not the store's.";

/**
 * What a reader should know of the data behind the range that was asked for.
 *
 * @param read the tables that the answer is made of
 */
export function dataNotes(
  read: ReadonlySet<Table>,
  args: Readonly<Record<string, unknown>>,
  timezone: string,
  facts: SnapshotFacts,
): string[] {
  if (typeof args.to_date !== 'string') return [];
  const moment = readMoment('to_date', args.to_date, timezone, 'to');
  const end = moment.instant.toZonedDateTimeISO(timezone);
  const sources = LOADED_SOURCES.filter((source) => TABLES[source].some((table) => read.has(table)));
  return [
    // Of an end with an offset the offset is told: see `offset-notes.ts`.
    ...(moment.local === null
      ? []
      : midnightNotes(end.toPlainDateTime(), typeof args.breakdown === 'string')),
    ...sources.flatMap((source) => coverageNotes(source, end.toPlainDate(), timezone, facts)),
    ...(read.has(productEvents) && !facts.loaded_tables.includes('product_events') ? [WITHOUT_VIEWS] : []),
  ];
}

function notLoaded(source: LoadedSource): string {
  return `No ${SOURCE_NAMES[source].toLowerCase()} are loaded for this business yet.`;
}

const MIDNIGHT = new Temporal.PlainTime();

/** Who asks until a day at 00:00:00 often means the whole of it. */
function midnightNotes(end: Temporal.PlainDateTime, isWidened: boolean): string[] {
  const second = end.toPlainTime().round({ smallestUnit: 'second', roundingMode: 'floor' });
  if (!second.equals(MIDNIGHT)) return [];
  const day = end.toPlainDate();
  if (isWidened) return [`to_date is ${day} at 00:00:00; the whole period of that day is included.`];
  return [
    `to_date is ${day} at 00:00:00: that day is not included beyond its first second. For the whole day ask until ${day}T23:59:59.`,
  ];
}

/** Zeros after the end of the data say nothing about the store, so a range that goes beyond is told. */
function coverageNotes(
  source: LoadedSource,
  lastDay: Temporal.PlainDate,
  timezone: string,
  facts: SnapshotFacts,
): string[] {
  const name = SOURCE_NAMES[source];
  const until = facts[`${source}_until`];
  if (until === null) {
    const without = WITHOUT[source];
    return without === null ? [] : [without];
  }
  const start = source === 'orders' ? facts.history_starts_at : null;
  if (start !== null && Temporal.PlainDate.compare(lastDay, localDate(start, timezone)) < 0)
    return [
      `${name} are loaded from ${start} on; the range ends before that, and nothing is known of it: its zeros are not the store's.`,
    ];
  if (Temporal.PlainDate.compare(lastDay, localDate(until, timezone)) <= 0) return [];
  const from = source === 'orders' ? `from ${facts.history_starts_at} to ${until}` : `until ${until}`;
  return [
    `${name} are loaded ${from}; what the range has after that is not known yet: its zeros are not the store's.`,
  ];
}
