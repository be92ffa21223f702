import { Temporal } from 'temporal-polyfill';
import { column, type ObjectOf } from '../answers/fields/field.ts';
import { type Query, query } from '../answers/fields/query.ts';
import { consentChanges, consentStates, orderRefunds, orders, sends } from '../model-table/table-names.ts';
import { join, parameter, type Sql, sql, type Table } from '../sql/sql.ts';
import { type Range, readRange } from '../time/range.ts';
import { fieldNames, type HasFields } from './field-names.ts';
import type { Arguments } from './given-arguments.ts';

const COLUMNS = [
  column('source', 'text'),
  column('rows_count', 'integer'),
  column('known_from', 'date'),
  column('known_until', 'date'),
  column('base_from', 'date'),
  column('base_until', 'date'),
];
type SourceDays = ObjectOf<typeof COLUMNS>;

/** What is loaded beside what it belongs to, and may be loaded of fewer days. */
interface Source {
  readonly name: string;
  /** What of it is unknown makes of numbers. */
  readonly effect: string;
  readonly days: Sql;
  /** The days of what it belongs to. */
  readonly base: Sql;
  isIn(read: ReadonlySet<Table>, names: ReadonlySet<string>): boolean;
}

const ORDERED = sql`select count(*) as base_count, min(ordered_date) as base_from, max(ordered_date) as base_until from ${orders} where is_valid`;
const hasName = (names: ReadonlySet<string>, pattern: RegExp) =>
  [...names].some((name) => pattern.test(name));

const SOURCES: readonly Source[] = [
  {
    name: 'Refunds',
    effect: 'what was paid back on the other days is unknown and not 0, so what is left looks too good',
    days: sql`select refunded_date as day from ${orderRefunds}`,
    base: ORDERED,
    isIn: (_, names) => hasName(names, /refund|^return_rate$|^net_attributed_revenue$/),
  },
  {
    name: 'Opens of e-mails',
    effect:
      'opens of what was sent on the other days are unknown and not 0, so rates of all of it are too low',
    days: sql`select sent_date as day from ${sends} where channel = 'email' and opens + machine_opens > 0`,
    base: sql`select count(*) as base_count, min(sent_date) as base_from, max(sent_date) as base_until from ${sends} where channel = 'email'`,
    isIn: (read, names) => read.has(sends) && hasName(names, /(^|_)opens?_|open_rate|opened/),
  },
  {
    name: 'Consents',
    effect:
      'who subscribed or left on the other days is unknown, so changes of these days are no growth and no loss',
    days: sql`select changed_date as day from ${consentChanges}`,
    base: ORDERED,
    isIn: (read) => read.has(consentChanges) || read.has(consentStates),
  },
];

/**
 * Of which days those are loaded that an answer has numbers of.
 *
 * @param read the tables that the answer is made of
 * @returns null where it has none of them, or no range
 */
export function loadedPartQuery(
  read: ReadonlySet<Table>,
  tool: HasFields,
  args: Arguments,
  timezone: string,
): Query<SourceDays> | null {
  if (rangeOf(args, timezone) === null) return null;
  const names = fieldNames(tool, args);
  const meant = SOURCES.filter((source) => source.isIn(read, names));
  if (meant.length === 0) return null;
  const each = meant.map(
    ({ name, days, base }) => sql`
    select ${parameter.text(name)} as source, rows_count, known_from, known_until, base_from, base_until
    from (
      select count(*) as rows_count, min(day) as known_from, max(day) as known_until from (${days}) as loaded
    ) as known
    cross join (${base}) as belongs
    where rows_count >= ${parameter.integer(LEAST_ROWS)} and base_count > 0`,
  );
  return { ...query(COLUMNS, join(each, sql` union all `)), isAside: true };
}

/** Fewer lie so far apart that the days between say nothing. */
const LEAST_ROWS = 20;
/** A source without anything for so many days is not loaded of them; and for so many times as long as there are usually between two. */
const LEAST_DAYS = 31;
const LEAST_PAUSES = 5;

export function loadedPartNotes(rows: readonly SourceDays[], args: Arguments, timezone: string): string[] {
  const range = rangeOf(args, timezone);
  if (range === null) return [];
  return SOURCES.flatMap((source) => {
    const row = rows.find((one) => one.source === source.name);
    if (row === undefined) return [];
    const { known_from, known_until, base_from, base_until } = row;
    const pause = daysBetween(known_from, known_until) / row.rows_count;
    const least = Math.max(LEAST_DAYS, LEAST_PAUSES * pause);
    // Dates of four-digit years: the order of texts is that of time.
    const first = latest(range.firstDate.toString(), base_from);
    const last = earliest(range.lastDate.toString(), base_until);
    const isBefore = daysBetween(base_from, known_from) >= least && first < known_from;
    const isAfter = daysBetween(known_until, base_until) >= least && last > known_until;
    if (first > last || (!isBefore && !isAfter)) return [];
    const isPart = first <= known_until && last >= known_from;
    return [
      `${source.name} are loaded from ${known_from} to ${known_until}, which is ${isPart ? 'a part' : 'no day'} of the range: ${source.effect}.`,
    ];
  });
}

function daysBetween(from: string, until: string): number {
  return Temporal.PlainDate.from(from).until(Temporal.PlainDate.from(until), { largestUnit: 'day' }).days;
}

function latest(one: string, other: string): string {
  return one > other ? one : other;
}

function earliest(one: string, other: string): string {
  return one < other ? one : other;
}

function rangeOf({ from_date, to_date }: Arguments, timezone: string): Range | null {
  if (typeof from_date !== 'string' || typeof to_date !== 'string') return null;
  return readRange({ from_date, to_date }, timezone);
}
