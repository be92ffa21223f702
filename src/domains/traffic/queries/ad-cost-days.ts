import { Temporal } from 'temporal-polyfill';
import { column, type ObjectOf } from '../../../answers/fields/field.ts';
import { type Query, query } from '../../../answers/fields/query.ts';
import type { SnapshotFacts } from '../../../business/snapshot-facts.ts';
import { adCosts } from '../../../model-table/table-names.ts';
import { parameter, sql } from '../../../sql/sql.ts';
import { quoted } from '../../../text/business-text.ts';
import { counted } from '../../../text/counted.ts';
import { localDate } from '../../../time/moment.ts';
import type { Range } from '../../../time/range.ts';

const COLUMNS = [
  column('source', 'text'),
  column('first_date', 'date'),
  column('last_date', 'date'),
  column('known_from', 'date'),
  column('known_until', 'date'),
  column('days_count', 'integer'),
];

type Days = Pick<Range, 'firstDate' | 'lastDate'>;
type SourceDays = ObjectOf<typeof COLUMNS>;

/** So many sources are told of, those that cost most first. */
const MOST_SOURCES = 5;
/** Fewer days without a cost between others are days on which nothing was advertised. */
const LEAST_WITHOUT = 7;

/** Whether a number is made of advertising costs, by its name. */
export function isOfAdCosts(name: string): boolean {
  return /^ad_|_ad_|advertised|cost_per_|^paid_back_/.test(name);
}

const DEAR =
  'costs are too low for all of it, and what they brought looks too cheap. Ask for days that have costs.';

/** Of which days advertising costs are loaded: by source, beside those of all sources, and how many of them are in the range. */
export function adCostDays({ firstDate, lastDate }: Days): Query<SourceDays> {
  const inRange = sql`spent_date between ${parameter.date(firstDate.toString())} and ${parameter.date(lastDate.toString())}`;
  return {
    ...query(
      COLUMNS,
      sql`
    select source, min(spent_date) as first_date, max(spent_date) as last_date,
      (select min(spent_date) from ${adCosts}) as known_from,
      (select max(spent_date) from ${adCosts}) as known_until,
      (select count(distinct spent_date) from ${adCosts} where ${inRange}) as days_count
    from ${adCosts}
    group by source
    order by coalesce(sum(cost), 0) desc, source
    limit 100`,
    ),
    isAside: true,
  };
}

/**
 * What costs of a part of the range make of numbers beside them: sales and new customers of all of it look too cheap.
 *
 * @param rows of `adCostDays`; none where no costs are loaded
 * @param called what the range is called
 */
export function adCostDaysNotes(
  rows: readonly SourceDays[],
  asked: Days,
  timezone: string,
  facts: SnapshotFacts,
  called: 'the range' | 'the compared range' = 'the range',
): string[] {
  const [all] = rows;
  const days = knownDays(asked, timezone, facts);
  if (all === undefined || days === null) return [];
  const known = `Advertising costs are loaded from ${all.known_from} to ${all.known_until}`;
  if (all.known_from > days.last || all.known_until < days.first)
    return [
      `${known}, and no day of ${called} is among these: nothing is known of what advertising cost in it.`,
    ];
  const isPart = all.known_from > days.first || all.known_until < days.last;
  const without = daysWithout(all, days);
  return [
    ...(isPart
      ? [`${known}, which is a part of ${called}: ${DEAR}`]
      : without >= LEAST_WITHOUT
        ? [
            `No advertising costs are loaded for ${counted(without, 'day', 'days')} of ${called}. If there was advertising: ${DEAR}`,
          ]
        : []),
    ...sourceNotes(rows, days, called),
  ];
}

interface Span {
  readonly first: string;
  readonly last: string;
}

/** The days of the range of which orders are known: of the others all is unknown. Null: none of them. */
function knownDays({ firstDate, lastDate }: Days, timezone: string, facts: SnapshotFacts): Span | null {
  const { history_starts_at, orders_until } = facts;
  const from = history_starts_at === null ? null : localDate(history_starts_at, timezone).toString();
  const until = orders_until === null ? null : localDate(orders_until, timezone).toString();
  // Dates of four-digit years: the order of texts is that of time.
  const [first, last] = [
    [firstDate.toString(), from ?? ''].sort().at(-1) as string,
    [lastDate.toString(), until ?? '9999'].sort()[0] as string,
  ];
  return first > last ? null : { first, last };
}

/** How many days between the first and the last one with costs have none, within the range. */
function daysWithout({ known_from, known_until, days_count }: SourceDays, { first, last }: Span): number {
  const from = Temporal.PlainDate.from(known_from > first ? known_from : first);
  const until = Temporal.PlainDate.from(known_until < last ? known_until : last);
  return from.until(until, { largestUnit: 'day' }).days + 1 - days_count;
}

/** A source whose costs begin later or end earlier than those of others: an account that is not loaded looks like one that was not used. */
function sourceNotes(rows: readonly SourceDays[], { first, last }: Span, called: string): string[] {
  const partly = rows.flatMap(({ source, first_date, last_date, known_from, known_until }) => {
    const begins = first_date > known_from && first_date > first && first_date <= last;
    const ends = last_date < known_until && last_date < last && last_date >= first;
    if (!begins && !ends) return [];
    return [
      `${quoted(source)} (${[...(begins ? [`from ${first_date}`] : []), ...(ends ? [`until ${last_date}`] : [])].join(' ')})`,
    ];
  });
  if (partly.length === 0) return [];
  const more = partly.length - MOST_SOURCES;
  const named = partly.slice(0, MOST_SOURCES).join(', ') + (more > 0 ? ` and ${more} more` : '');
  return [
    `Advertising costs of some sources are loaded for a part of ${called}: ${named}. If they advertised on other days too, what they brought looks too cheap.`,
  ];
}
