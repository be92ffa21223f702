import { Temporal } from 'temporal-polyfill';
import { fieldNames, type HasFields } from '../answers/field-names.ts';
import { worded } from '../answers/sentences.ts';
import type { Arguments } from '../answers/tool.ts';
import type { DatedKind, SnapshotFacts } from '../business/snapshot-facts.ts';
import { consentChanges, consentStates, sends } from '../model-table/table-names.ts';
import type { Table } from '../sql/sql.ts';
import { earlierDay, laterDay } from '../time/local-days.ts';
import { type Range, readRange } from '../time/range.ts';

/** What is loaded beside what it belongs to, and may be loaded of fewer days. */
interface Source {
  readonly name: string;
  /** The effect of the unknown part on numbers. */
  readonly effect: string;
  /** How pages say it; null: no page has such numbers. */
  readonly page: 'note.refunds-of-part' | 'note.opens-of-part' | null;
  readonly kind: DatedKind;
  /** What it belongs to. */
  readonly base: DatedKind;
  isIn(read: ReadonlySet<Table>, names: ReadonlySet<string>): boolean;
}

const hasName = (names: ReadonlySet<string>, pattern: RegExp) =>
  [...names].some((name) => pattern.test(name));

const SOURCES: readonly Source[] = [
  {
    name: 'Refunds',
    effect: 'what was paid back on the other days is unknown and not 0, so what is left looks too good',
    page: 'note.refunds-of-part',
    kind: 'refunds',
    base: 'valid_orders',
    isIn: (_, names) => hasName(names, /refund|^return_rate$|^net_attributed_revenue$/),
  },
  {
    name: 'Opens of e-mails',
    effect:
      'opens of what was sent on the other days are unknown and not 0, so rates of all of it are too low',
    page: 'note.opens-of-part',
    kind: 'opened_emails',
    base: 'emails',
    isIn: (read, names) => read.has(sends) && hasName(names, /(^|_)opens?_|open_rate|opened/),
  },
  {
    name: 'Consents',
    effect:
      'who subscribed or left on the other days is unknown, so changes of these days are no growth and no loss',
    page: null,
    kind: 'consent_changes',
    base: 'valid_orders',
    isIn: (read) => read.has(consentChanges) || read.has(consentStates),
  },
];

/** Fewer lie so far apart that the days between say nothing. */
const LEAST_ROWS = 20;
/**
 * A source without anything for this many days, and for this many times its usual pause, is not loaded for
 * those days.
 */
const LEAST_DAYS = 31;
const LEAST_PAUSES = 5;

/**
 * Says for which days the data are loaded that an answer counts.
 *
 * @param read the tables that the answer is made of
 */
export function loadedPartNotes(
  read: ReadonlySet<Table>,
  tool: HasFields,
  args: Arguments,
  timezone: string,
  facts: SnapshotFacts,
): string[] {
  const range = rangeOf(args, timezone);
  if (range === null) return [];
  const names = fieldNames(tool, args);
  return SOURCES.flatMap((source) => {
    const [known, base] = [facts.days?.[source.kind], facts.days?.[source.base]];
    if (known === undefined || base === undefined || known.rows_count < LEAST_ROWS) return [];
    if (!source.isIn(read, names)) return [];
    const pause = daysBetween(known.from, known.until) / known.rows_count;
    const least = Math.max(LEAST_DAYS, LEAST_PAUSES * pause);
    // Dates of four-digit years: the order of texts is that of time.
    const first = laterDay(range.firstDate.toString(), base.from);
    const last = earlierDay(range.lastDate.toString(), base.until);
    const isBefore = daysBetween(base.from, known.from) >= least && first < known.from;
    const isAfter = daysBetween(known.until, base.until) >= least && last > known.until;
    if (first > last || (!isBefore && !isAfter)) return [];
    const isPart = first <= known.until && last >= known.from;
    const note = `${source.name} are loaded from ${known.from} to ${known.until}, which is ${isPart ? 'a part' : 'no day'} of the range: ${source.effect}.`;
    const days = { days: [known.from, known.until] } as const;
    return [source.page === null ? note : worded(note, source.page, { days })];
  });
}

function daysBetween(from: string, until: string): number {
  return Temporal.PlainDate.from(from).until(Temporal.PlainDate.from(until), { largestUnit: 'day' }).days;
}

function rangeOf({ from_date, to_date }: Arguments, timezone: string): Range | null {
  if (typeof from_date !== 'string' || typeof to_date !== 'string') return null;
  return readRange({ from_date, to_date }, timezone);
}
