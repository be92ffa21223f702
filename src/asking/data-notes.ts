import { Temporal } from 'temporal-polyfill';
import type { Field } from '../answers/fields/field.ts';
import { baseOf } from '../answers/fields/rate-base.ts';
import type { Unit } from '../answers/fields/units.ts';
import { worded } from '../answers/sentences.ts';
import { SOURCES_IN_WORDS } from '../answers/source-words.ts';
import {
  beginningOf,
  DIVIDING_SOURCES,
  type DividingSource,
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
import { BREAKDOWNS } from '../time/periods.ts';
import { partialPeriodNotes, type SteadySource } from './partial-period-notes.ts';

/**
 * The tables with what happened up to some moment. An answer is about those that it reads, and its notes are
 * about no others.
 */
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

/**
 * What is said where nothing of a kind is loaded. Without consents, tools themselves say what is not known
 * then.
 */
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

const WITHOUT_EVENTS =
  "No opens and clicks of messages are loaded, so nothing is known of them, of unsubscribes and complaints, nor of the orders that they led to: their zeros are not the store's.";
const WITHOUT_LINES =
  "No order lines are loaded, so nothing is known of which products were ordered: zeros of their sales are not the store's.";

/** What answers about opens, clicks and credit are made of. */
const OF_MESSAGES: readonly Table[] = [sends, messageEvents, orderAttribution];

export interface DataNotes {
  /** Notes without which a reader takes all zeros of the range for the store's. */
  readonly first: readonly string[];
  /**
   * Says that the data begin within the range. What compares with such a range tells itself what that makes
   * of changes.
   */
  readonly begins: readonly string[];
  readonly others: readonly string[];
}

/**
 * What a reader should know of the data behind the range that was asked for.
 *
 * @param read the tables that the answer is made of
 * @param fields of the answer
 */
export function dataNotes(
  read: ReadonlySet<Table>,
  args: Readonly<Record<string, unknown>>,
  timezone: string,
  facts: SnapshotFacts,
  fields: readonly Field[],
): DataNotes {
  if (typeof args.to_date !== 'string') return { first: [], begins: [], others: [] };
  const moment = readMoment('to_date', args.to_date, timezone, 'to');
  const end = moment.instant.toZonedDateTimeISO(timezone);
  const sources = LOADED_SOURCES.filter((source) => TABLES[source].some((table) => read.has(table)));
  const last = end.toPlainDate();
  const first = typeof args.from_date === 'string' ? firstDay(args.from_date, timezone) : null;
  const covered = sources.flatMap((source) => coverageNotes(source, [first, last], timezone, facts));
  const hasViews = facts.loaded_tables.includes('product_events');
  const lacksEvents = facts.messages_until !== null && !facts.loaded_tables.includes('message_events');
  const lacksLines = facts.orders_until !== null && !facts.loaded_tables.includes('order_items');
  return {
    first: [
      ...covered.flatMap(({ note, isOutside }) => (isOutside ? [note] : [])),
      ...(read.has(orderProducts) && lacksLines ? [worded(WITHOUT_LINES, 'note.no-lines')] : []),
      ...(OF_MESSAGES.some((table) => read.has(table)) && lacksEvents
        ? [worded(WITHOUT_EVENTS, 'note.no-opens')]
        : []),
      ...(read.has(productEvents) && hasViews
        ? notBefore('views', beginningOf('views', facts), last, timezone)
        : []),
    ],
    begins: beginningsOf(read, sources, fields, timezone, facts).flatMap((source) =>
      partlyBeforeNotes(source, [first, last], timezone, facts),
    ),
    others: [
      // Where the end has an offset, `offset-notes.ts` tells it.
      ...(moment.local === null
        ? []
        : midnightNotes(end.toPlainDateTime(), typeof args.breakdown === 'string')),
      ...covered.flatMap(({ note, isOutside }) => (isOutside ? [] : [note])),
      ...trendNotes(
        [...sources, ...(read.has(productEvents) ? (['views'] as const) : [])],
        first,
        periodsIn(args),
        last,
        timezone,
        facts,
      ),
      ...(read.has(productEvents) && !hasViews ? [worded(WITHOUT_VIEWS, 'note.no-views')] : []),
      ...dividingNotes(read, [first, last], timezone, facts, fields),
    ],
  };
}

function firstDay(from_date: string, timezone: string): Temporal.PlainDate {
  const { instant } = readMoment('from_date', from_date, timezone, 'from');
  return instant.toZonedDateTimeISO(timezone).toPlainDate();
}

function trendNotes(
  sources: readonly SteadySource[],
  first: Temporal.PlainDate | null,
  periods: readonly unknown[],
  last: Temporal.PlainDate,
  timezone: string,
  facts: SnapshotFacts,
): string[] {
  if (first === null) return [];
  const asked = BREAKDOWNS.filter((one) => periods.includes(one));
  return asked.flatMap((breakdown) => partialPeriodNotes(sources, [first, last], breakdown, timezone, facts));
}

/**
 * The periods that rows of the answer are of. Two ranges that are compared are each compared as whole days.
 */
function periodsIn({ breakdown, group_by, compare }: Readonly<Record<string, unknown>>): readonly unknown[] {
  const isCompared = typeof compare === 'string' && compare !== 'none';
  return [breakdown, ...(Array.isArray(group_by) ? group_by : []), ...(isCompared ? ['day'] : [])];
}

function notLoaded(source: LoadedSource): string {
  return `No ${SOURCE_NAMES[source].toLowerCase()} are loaded for this business yet.`;
}

const MIDNIGHT = new Temporal.PlainTime();

/** A caller who asks until a day at 00:00:00 often means the whole of it. */
function midnightNotes(end: Temporal.PlainDateTime, isWidened: boolean): string[] {
  const second = end.toPlainTime().round({ smallestUnit: 'second', roundingMode: 'floor' });
  if (!second.equals(MIDNIGHT)) return [];
  const day = end.toPlainDate();
  if (isWidened) return [`to_date is ${day} at 00:00:00; the whole period of that day is included.`];
  return [
    `to_date is ${day} at 00:00:00: that day is not included beyond its first second. For the whole day ask until ${day}T23:59:59.`,
  ];
}

interface CoverageNote {
  readonly note: string;
  /** Says whether nothing is known of any day of the range. */
  readonly isOutside: boolean;
}

/**
 * Zeros before the beginning of the data and after their end say nothing about the store, so a range that
 * goes beyond is told.
 */
function coverageNotes(
  source: LoadedSource,
  [first, last]: readonly [Temporal.PlainDate | null, Temporal.PlainDate],
  timezone: string,
  facts: SnapshotFacts,
): CoverageNote[] {
  const name = SOURCE_NAMES[source];
  const until = facts[`${source}_until`];
  if (until === null) {
    const without = WITHOUT[source];
    const page = source === 'sessions' ? 'note.no-visits' : source === 'messages' ? 'note.no-messages' : null;
    return without === null
      ? []
      : [{ note: page === null ? without : worded(without, page), isOutside: false }];
  }
  const before = notBefore(source, beginningOf(source, facts), last, timezone);
  if (before.length > 0) return before.map((note) => ({ note, isOutside: true }));
  const end = localDate(until, timezone);
  if (Temporal.PlainDate.compare(last, end) <= 0) return [];
  const from = source === 'orders' ? `from ${facts.history_starts_at} to ${until}` : `until ${until}`;
  return [
    {
      note: worded(
        `${name} are loaded ${from}; what the range has after that is not known yet: its zeros are not the store's.`,
        'note.loaded-until',
        { source: { say: SOURCES_IN_WORDS[source] }, moment: { moment: until } },
      ),
      isOutside: first !== null && Temporal.PlainDate.compare(first, end) > 0,
    },
  ];
}

/** @param start the first loaded moment, ISO 8601 in UTC */
function notBefore(
  source: LoadedSource | 'views',
  start: string | null,
  last: Temporal.PlainDate,
  timezone: string,
): string[] {
  if (start === null || Temporal.PlainDate.compare(last, localDate(start, timezone)) >= 0) return [];
  const name = source === 'views' ? DIVISORS.views.name : SOURCE_NAMES[source];
  return [
    worded(
      `${name} are loaded from ${start} on; the range ends before that, and nothing is known of it: its zeros are not the store's.`,
      'note.loaded-from-on',
      { source: { say: SOURCES_IN_WORDS[source] }, moment: { moment: start } },
    ),
  ];
}

/**
 * The kinds of data that may begin within the range of an answer. Orders are told whichever fields are asked
 * for; of other kinds, those that no rate is divided by, since `dividingNotes` tell the rest.
 */
function beginningsOf(
  read: ReadonlySet<Table>,
  sources: readonly LoadedSource[],
  fields: readonly Field[],
  timezone: string,
  facts: SnapshotFacts,
): (LoadedSource | DividingSource)[] {
  const beginning = (source: LoadedSource | DividingSource) => {
    const start = beginningOf(source, facts);
    return start === null ? '' : localDate(start, timezone).toString();
  };
  const first = sources.includes('orders') ? (['orders'] as const) : [];
  const counted = DIVIDING_SOURCES.filter(
    (source) =>
      read.has(DIVISORS[source].table) &&
      !isDivisor(source, read, fields) &&
      // Data that begins with the orders is told with them.
      (first.length === 0 || beginning(source) > beginning('orders')),
  );
  return [...first, ...counted];
}

/**
 * A range that begins before the first that is loaded and reaches into the data: its sums are of a part of
 * it, and compared with those of a whole one they look like growth.
 */
function partlyBeforeNotes(
  source: LoadedSource | DividingSource,
  [first, last]: readonly [Temporal.PlainDate | null, Temporal.PlainDate],
  timezone: string,
  facts: SnapshotFacts,
): string[] {
  const start = beginningOf(source, facts);
  if (first === null || start === null) return [];
  const from = localDate(start, timezone);
  if (Temporal.PlainDate.compare(first, from) >= 0 || Temporal.PlainDate.compare(last, from) < 0) return [];
  const name = source === 'orders' ? SOURCE_NAMES.orders : DIVISORS[source as DividingSource].name;
  return [
    worded(
      `${name} are loaded from ${from} on, within the range: of the days before nothing is known.`,
      'note.begins-within',
      { source: { say: SOURCES_IN_WORDS[source] }, day: { day: from.toString() } },
    ),
  ];
}

/**
 * The units of what is counted of each, and the tables that it is counted in: what a rate is of, and so what
 * it divides by.
 */
const DIVISORS: Readonly<
  Record<DividingSource, { readonly name: string; readonly table: Table; readonly units: readonly Unit[] }>
> = {
  sessions: {
    name: 'Sessions',
    table: sessions,
    units: ['sessions', 'visitors', 'pages', 'journeys', 'touches', 'transitions'],
  },
  views: { name: 'Views of products', table: productEvents, units: ['views', 'visitors'] },
  messages: { name: 'Messages', table: sends, units: ['messages', 'opens', 'clicks'] },
  popups: { name: 'Popup displays', table: popupEvents, units: ['displays', 'visitors'] },
};

/**
 * Rates of a range in which what they divide by begins or ends are of a part of it, beside numbers that are
 * of the whole.
 */
function dividingNotes(
  read: ReadonlySet<Table>,
  [first, last]: readonly [Temporal.PlainDate | null, Temporal.PlainDate],
  timezone: string,
  facts: SnapshotFacts,
  fields: readonly Field[],
): string[] {
  if (first === null) return [];
  return DIVIDING_SOURCES.flatMap((source) => {
    const { name } = DIVISORS[source];
    const span = facts.spans?.[source];
    if (span === undefined || !isDivisor(source, read, fields)) return [];
    const [from, until] = [localDate(span.from, timezone), localDate(span.until, timezone)];
    const isInside = (day: Temporal.PlainDate) =>
      Temporal.PlainDate.compare(first, day) <= 0 && Temporal.PlainDate.compare(day, last) <= 0;
    const begins = isInside(from) && !from.equals(first);
    const ends = isInside(until) && !until.equals(last);
    if (!begins && !ends) return [];
    const known = [...(begins ? [`from ${from} on`] : []), ...(ends ? [`until ${until}`] : [])].join(' and ');
    return [
      worded(
        `${name} are loaded ${known}, within the range: what is divided by them is of that part of it, so divide no number of the whole range by them.`,
        'note.rates-of-part',
        {
          source: { say: SOURCES_IN_WORDS[source] },
          days: { days: [(begins ? from : first).toString(), (ends ? until : last).toString()] },
        },
      ),
    ];
  });
}

/** Says whether something of the answer is divided by what the source counts. */
function isDivisor(source: DividingSource, read: ReadonlySet<Table>, fields: readonly Field[]): boolean {
  const { table, units } = DIVISORS[source];
  const divisors = new Set(unitsOfBases(fields));
  return read.has(table) && units.some((unit) => divisors.has(unit));
}

/** The units of what rates and means of the answer are of. */
function unitsOfBases(fields: readonly Field[]): Unit[] {
  return fields.flatMap((field) => [
    ...([baseOf(field, fields)?.unit ?? []].flat() as Unit[]),
    ...[field.fields ?? [], ...(field.either ?? [])].flatMap(unitsOfBases),
  ]);
}
