import { Temporal } from 'temporal-polyfill';
import { worded, wordedAround } from '../../../answers/sentences.ts';
import type { AdCostFacts, FirstAndLastDay, SnapshotFacts } from '../../../business/snapshot-facts.ts';
import { quoted } from '../../../text/business-text.ts';
import { plural } from '../../../text/plural.ts';
import { earlierDay, laterDay } from '../../../time/local-days.ts';
import { localDate } from '../../../time/moment.ts';
import type { Range } from '../../../time/range.ts';
import { namedDays } from '../../calendar/queries/noted-days.ts';

type Days = Pick<Range, 'firstDate' | 'lastDate'>;

/** The most sources that are told, those that cost most first. */
const MOST_SOURCES = 5;
/** Fewer days without a cost between others are days on which nothing was advertised. */
const LEAST_WITHOUT = 7;

/** Whether a number is made of advertising costs, by its name. */
export function isOfAdCosts(name: string): boolean {
  return /^ad_|_ad_|advertised|cost_per_|^paid_back_/.test(name);
}

const DEAR =
  'costs are too low for all of it, and what they brought looks too cheap. Ask for days that have costs.';

interface Options {
  /** What the range is called. */
  readonly called?: 'the range' | 'the compared range';
  /** The sources that are asked about; null: all. */
  readonly sources?: readonly unknown[] | null;
}

/**
 * Says what the costs of a part of the range make of numbers beside them: sales and new customers of all of
 * it look too cheap. Nothing where no costs are loaded.
 */
export function adCostDaysNotes(
  asked: Days,
  timezone: string,
  facts: SnapshotFacts,
  { called = 'the range', sources = null }: Options = {},
): string[] {
  const costs = facts.ad_costs ?? null;
  const days = knownDays(asked, timezone, facts);
  if (costs === null || days === null) return [];
  const meant = costs.sources.filter(({ source }) => sources === null || sources.includes(source));
  if (meant.length === 0) return [];
  const known = `Advertising costs are loaded from ${costs.from} to ${costs.until}`;
  if (costs.from > days.until || costs.until < days.from)
    return [
      worded(
        `${known}, and no day of ${called} is among these: nothing is known of what advertising cost in it.`,
        'note.ads-none',
        { days: { days: [costs.from, costs.until] } },
      ),
    ].map((note) => ofRange(note, called));
  const isPart = costs.from > days.from || costs.until < days.until;
  const without = daysWithout(costs, days);
  return [
    ...(isPart
      ? [
          worded(`${known}, which is a part of ${called}: ${DEAR}`, 'note.ads-of-part', {
            days: { days: [costs.from, costs.until] },
          }),
        ]
      : without >= LEAST_WITHOUT
        ? [
            worded(
              `No advertising costs are loaded for ${plural(without, 'day', 'days')} of ${called}. If there was advertising: ${DEAR}`,
              'note.ads-missing-days',
              { count: without },
            ),
          ]
        : []),
    ...sourceNotes({ ...costs, sources: meant }, days, called),
  ].map((note) => ofRange(note, called));
}

function ofRange(note: string, called: Options['called']): string {
  return called === 'the compared range' ? wordedAround(note, note) : note;
}

/**
 * The days of the range of which orders are known; on other days everything is unknown. Null if no day is
 * known.
 */
function knownDays(
  { firstDate, lastDate }: Days,
  timezone: string,
  facts: SnapshotFacts,
): FirstAndLastDay | null {
  const { history_starts_at, orders_until } = facts;
  const from = history_starts_at === null ? null : localDate(history_starts_at, timezone).toString();
  const until = orders_until === null ? null : localDate(orders_until, timezone).toString();
  const known = {
    from: laterDay(firstDate.toString(), from ?? ''),
    until: earlierDay(lastDate.toString(), until ?? '9999'),
  };
  return known.from > known.until ? null : known;
}

/** How many days between the first and the last one with costs have none, within the range. */
function daysWithout({ pauses }: AdCostFacts, days: FirstAndLastDay): number {
  return pauses.reduce((sum, pause) => {
    const from = laterDay(pause.from, days.from);
    const until = earlierDay(pause.until, days.until);
    if (from > until) return sum;
    const between = Temporal.PlainDate.from(from).until(until, { largestUnit: 'day' }).days;
    return sum + between + 1;
  }, 0);
}

/**
 * A source whose costs begin later or end earlier than those of others: an account that is not loaded looks
 * like one that was not used.
 */
function sourceNotes(costs: AdCostFacts, days: FirstAndLastDay, called: string): string[] {
  const partly = costs.sources.flatMap(({ source, from, until }) => {
    const begins = from > costs.from && from > days.from && from <= days.until;
    const ends = until < costs.until && until < days.until && until >= days.from;
    if (!begins && !ends) return [];
    return [
      {
        text: `${quoted(source)} (${[...(begins ? [`from ${from}`] : []), ...(ends ? [`until ${until}`] : [])].join(' ')})`,
        said: namedDays(source, from, until),
      },
    ];
  });
  if (partly.length === 0) return [];
  const more = partly.length - MOST_SOURCES;
  const first = partly.slice(0, MOST_SOURCES);
  const named = first.map(({ text }) => text).join(', ') + (more > 0 ? ` and ${more} more` : '');
  return [
    worded(
      `Advertising costs of some sources are loaded for a part of ${called}: ${named}. If they advertised on other days too, what they brought looks too cheap.`,
      'note.ads-sources',
      { sources: { each: first.map((one) => one.said), more: Math.max(0, more) } },
    ),
  ];
}
