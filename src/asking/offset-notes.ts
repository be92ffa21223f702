import { Temporal } from 'temporal-polyfill';
import { readMoment } from '../time/moment.ts';

/** The bounds of ranges, by the names of their arguments. */
const RANGES = [
  ['from_date', 'to_date'],
  ['sent_from', 'sent_to'],
] as const;

/**
 * Notes on a range whose bounds have an offset and are not the beginning and the end of a day of the store:
 * many clients write `Z` behind each time, and get some hours of other days. A note tells which hours these
 * are, and how to ask for the days.
 */
export function offsetNotes(args: Readonly<Record<string, unknown>>, timezone: string): string[] {
  return RANGES.flatMap(([from, to]) => {
    const bounds = [boundOf(from, 'from', args[from], timezone), boundOf(to, 'to', args[to], timezone)];
    const given = bounds.flatMap((bound) => bound ?? []);
    const odd = given.filter(({ hasOffset, isWhole }) => hasOffset && !isWhole);
    if (odd.length === 0) return [];
    const are = odd.map(({ name, local }) => `${name} is ${local} there`).join(', ');
    const days = given.map(({ name, day }) => `${name} ${day}`).join(', ');
    const widened =
      typeof args.breakdown === 'string'
        ? ' The breakdown widens it to the whole periods that it touches.'
        : '';
    return [
      `The range is not of whole days of the store (${timezone}): with its offset, ${are}.${widened} For days of the store leave times and offsets out: ${days}.`,
    ];
  });
}

interface Bound {
  readonly name: string;
  readonly hasOffset: boolean;
  /** Whether it is the first or the last second of a day of the store. */
  readonly isWhole: boolean;
  /** The moment on the clock of the store. */
  readonly local: string;
  /** The day that was probably meant: the one that is written. */
  readonly day: string;
}

function boundOf(name: string, edge: 'from' | 'to', given: unknown, timezone: string): Bound | null {
  if (typeof given !== 'string') return null;
  const { instant, local } = readMoment(name, given, timezone, edge);
  const there = instant.toZonedDateTimeISO(timezone);
  // Both bounds are inclusive, by the whole second.
  const edgeOfDay = (
    edge === 'from'
      ? instant.round({ smallestUnit: 'second', roundingMode: 'ceil' })
      : instant.round({ smallestUnit: 'second', roundingMode: 'floor' }).add({ seconds: 1 })
  ).toZonedDateTimeISO(timezone);
  const written = Temporal.PlainDate.from(given.slice(0, 10));
  const isExclusiveEnd = edge === 'to' && /[Tt ]00:00(:00(\.0+)?)?(?!.*\d:\d\d:)/.test(given);
  return {
    name,
    hasOffset: local === null,
    isWhole: edgeOfDay.equals(edgeOfDay.startOfDay()),
    local: `${there.toPlainDate()} ${there.toPlainTime().toString({ smallestUnit: 'second' })}`,
    day: (isExclusiveEnd ? written.subtract({ days: 1 }) : written).toString(),
  };
}
