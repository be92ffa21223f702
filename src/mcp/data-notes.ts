import { Temporal } from 'temporal-polyfill';
import type { Tool } from '../answers/tool.ts';
import { type LoadedSource, type SnapshotFacts, SOURCE_NAMES } from '../business/snapshot-facts.ts';
import type { ToolGroup } from '../business/tool-groups.ts';
import { localDate, readMoment } from '../time/moment.ts';

/** What answers are about, so that their notes are about nothing else. */
const SOURCES: Readonly<Record<ToolGroup, readonly LoadedSource[]>> = {
  Businesses: [],
  Orders: ['orders'],
  'Product analytics': ['orders'],
  'Order patterns': ['orders'],
  Traffic: ['orders', 'sessions'],
  'Email analytics': ['orders', 'messages'],
  'SMS analytics': ['orders', 'messages'],
  Subscribers: ['consents'],
  RFM: ['orders'],
  'Campaign statistics': ['orders', 'messages'],
  'Interest lists': ['list_events'],
  Products: [],
  Campaigns: [],
  Segments: [],
};

/** Tools that are about less than their group, or something else. */
const SOURCES_OF_TOOLS: Readonly<Record<string, readonly LoadedSource[]>> = {
  email_channel_statistics: ['messages'],
  email_deliverability_statistics: ['messages'],
  sms_channel_statistics: ['messages'],
  popup_campaign_statistics: ['orders', 'popups'],
};

/** Without these, tools themselves say what is not known then. */
const TOLD_BY_TOOLS: readonly LoadedSource[] = ['sessions', 'consents'];

/** What a reader should know of the data behind the range that was asked for. */
export function dataNotes(
  tool: Tool,
  args: Readonly<Record<string, unknown>>,
  timezone: string,
  facts: SnapshotFacts,
): string[] {
  if (typeof args.to_date !== 'string') return [];
  const end = readMoment('to_date', args.to_date, timezone, 'to').instant;
  const sources = SOURCES_OF_TOOLS[tool.name] ?? SOURCES[tool.group];
  return [
    ...midnightNotes(end.toZonedDateTimeISO(timezone).toPlainDateTime(), typeof args.breakdown === 'string'),
    ...sources.flatMap((source) =>
      coverageNotes(source, localDate(end.toString(), timezone).toString(), timezone, facts),
    ),
  ];
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
  lastDay: string,
  timezone: string,
  facts: SnapshotFacts,
): string[] {
  const name = SOURCE_NAMES[source];
  const until = facts[`${source}_until`];
  if (until === null) {
    return TOLD_BY_TOOLS.includes(source)
      ? []
      : [`No ${name.toLowerCase()} are loaded for this business yet.`];
  }
  if (Temporal.PlainDate.compare(lastDay, localDate(until, timezone)) <= 0) return [];
  const from = source === 'orders' ? `from ${facts.history_starts_at} to ${until}` : `until ${until}`;
  return [`${name} are loaded ${from}; what the range has after that is not known yet.`];
}
