import { Temporal } from 'temporal-polyfill';
import type { Queries } from '../../../../answers/fields/query.ts';
import { type SentenceValue, sentencesOf, worded } from '../../../../answers/sentences.ts';
import { SOURCES_IN_WORDS } from '../../../../answers/source-words.ts';
import type { Answer, Plan } from '../../../../answers/tool.ts';
import type { SnapshotFacts } from '../../../../business/snapshot-facts.ts';
import type { Pieces } from '../../../../main-thread/pieces.ts';
import { LEAST_DAYS } from '../../../../statistics/unusual-days.ts';
import { homeCountry } from '../../../../store/personal-data/store-countries.ts';
import { plural } from '../../../../text/plural.ts';
import { localDate } from '../../../../time/moment.ts';
import { type Noted, notedDays } from '../../../calendar/queries/noted-days.ts';
import type { DimensionName } from '../dimensions.ts';
import type { RowsByKey } from '../explained/all-bridges.ts';
import { askAll, type Found, type Need, rowsOf } from '../explained/asked-changes.ts';
import { type IdentifierName, identifierNames, NAMED_IDS } from '../filtered-names.ts';
import { metricNamed, valueOfNothing } from '../metric-layer.ts';
import { alertsOf, FALSE_RATE, shownAlert, type Watched } from './alerts.ts';
import { type JudgedDelivery, judgeDelivery } from './broken-delivery.ts';
import { brokenQueries, lastDelivered, type SentRow } from './delivery-queries.ts';
import { type BrokenRows, type DeliveryRow, deliveryRows } from './delivery-rows.ts';
import { trustNeeds, trustOf, trustQueries } from './trust.ts';
import {
  daysOfSource,
  lengthOf,
  rangeOf,
  readWatchedDays,
  type SourceDays,
  type WatchedDays,
} from './watched-days.ts';
import {
  EMAIL_LAG_DAYS,
  WATCHED,
  type WatchedGroup,
  type WatchedMetric,
  type WatchedSource,
} from './watched-metrics.ts';
import { type KnownDays, knownDays } from './watched-series.ts';

interface Context {
  readonly args: {
    readonly business_id: string;
    readonly as_of: string | null;
    readonly since: string | null;
  };
  readonly timezone: string;
  readonly currency: string | null;
  readonly facts: SnapshotFacts;
}

interface Asked extends Context {
  readonly days: WatchedDays;
  readonly sources: Readonly<Record<WatchedSource, SourceDays | null>>;
}

const SOURCES = ['orders', 'sessions', 'messages'] as const;

/**
 * First the store by day, and how large the values of dimensions are; then those that are large enough by
 * day.
 */
export function planWatch(context: Context): Plan<Watch> {
  const { args, timezone, facts } = context;
  const days = readWatchedDays(args, timezone, facts);
  const sources = Object.fromEntries(
    SOURCES.map((source) => [source, daysOfSource(source, days, timezone, facts)]),
  ) as Asked['sources'];
  const asked: Asked = { ...context, days, sources };
  const longest = spanOf(asked);
  return {
    queries: {
      ...askAll(wholeNeeds(asked), facts),
      ...askAll(trustNeeds(asked), facts),
      ...trustQueries(asked),
      noted: longest === null ? null : notedDays([longest], facts, MOST_NOTED),
    },
    answer: (found) => askValues(asked, found),
  };
}

/** Notes of some years. */
const MOST_NOTED = 500;

/** The span begins with the first day that any kind of data is looked at. */
function spanOf({ sources, days, timezone }: Asked) {
  const [first] = SOURCES.flatMap((source) => sources[source]?.first ?? []).toSorted(
    Temporal.PlainDate.compare,
  );
  return first === undefined ? null : rangeOf(first, days.to, timezone);
}

/** The values of a dimension are looked at over this many days before those that are judged. */
const RECENT_DAYS = 56;

/** The groups of which something is loaded, each with a name of its own. */
function groupsOf({ sources }: Asked) {
  return WATCHED.flatMap((group, place) => {
    const days = sources[group.source];
    return days === null ? [] : [{ group, days, id: `watched ${place}` }];
  });
}

function sumsOf(metrics: readonly WatchedMetric[]): string[] {
  return [
    ...new Set(metrics.flatMap(({ sum, per, pieces }) => [sum, per, pieces]).filter((one) => one !== null)),
  ];
}

function wholeNeeds(asked: Asked): Need[] {
  const { timezone } = asked;
  return groupsOf(asked).map(({ group, days, id }) =>
    group.dimension === null
      ? {
          id,
          metrics: sumsOf(group.metrics),
          dimensions: ['day'],
          ranges: [rangeOf(days.first, days.to, timezone)],
        }
      : {
          id,
          metrics: sumsOf(group.metrics),
          dimensions: [group.dimension],
          ranges: [
            rangeOf(days.from.subtract({ days: RECENT_DAYS }), days.from.subtract({ days: 1 }), timezone),
          ],
        },
  );
}

/** More values of one dimension are not looked at: each is one more chance to be wrong. */
const MOST_VALUES = 10;
/** A value must come so often a day. */
const LEAST_A_DAY = 5;

/** Dimensions whose only large value is not all of the store. */
const PARTS: readonly DimensionName[] = ['product', 'category', 'campaign_type'];

interface Chosen {
  readonly group: WatchedGroup;
  readonly days: SourceDays;
  readonly id: string;
  readonly values: readonly string[];
}

function chosenValues(asked: Asked, found: Found): Chosen[] {
  return groupsOf(asked).flatMap(({ group, days, id }) => {
    const [{ sum, per }] = group.metrics as [WatchedMetric];
    if (group.dimension === null) return [];
    const values = [...rowsOf(found, id, 0)]
      .map(([value, row]) => ({ value, size: row[per ?? sum] ?? 0 }))
      .filter(({ size, value }) => size >= LEAST_A_DAY * RECENT_DAYS && value !== '(not set)')
      .toSorted((one, other) => other.size - one.size || one.value.localeCompare(other.value))
      .slice(0, MOST_VALUES)
      .map(({ value }) => value);
    // The only channel or country is the whole store once more.
    const isWhole = values.length === 1 && !PARTS.includes(group.dimension);
    return values.length === 0 || isWhole ? [] : [{ group, days, id: `${id} by day`, values }];
  });
}

/** What was found first: rows of metrics, and those that are read by themselves. */
interface FoundFirst extends Found {
  readonly noted?: readonly Noted[];
  readonly delivery?: readonly SentRow[];
}

/** What was found of the values that are large enough. */
interface FoundMore extends Found, Partial<BrokenRows> {
  readonly names?: readonly IdentifierName[];
}

type Watch = ReturnType<typeof answerOf> extends Pieces<Answer<infer Result>> ? Result : never;

function askValues(asked: Asked, found: FoundFirst): Plan<Watch> | Pieces<Answer<Watch>> {
  const chosen = chosenValues(asked, found);
  const needs = chosen.map(({ group, days, id, values }): Need => {
    const dimension = group.dimension as NonNullable<WatchedGroup['dimension']>;
    return {
      id,
      metrics: sumsOf(group.metrics),
      dimensions: [dimension, 'day'],
      conditions: [{ dimension, kind: 'in', values }],
      ranges: [rangeOf(days.first, days.to, asked.timezone)],
    };
  });
  const products = chosen
    .filter(({ group }) => group.dimension === 'product')
    .flatMap(({ values }) => values);
  const delivery = deliveryOf(asked, found);
  const queries: Queries = {
    ...askAll(needs, asked.facts),
    ...(products.length === 0 ? {} : identifierNames(['product'], products)),
    ...(delivery === null ? {} : brokenQueries(delivery.broken, delivery.last)),
  };
  const first = { found, chosen, delivery };
  if (Object.keys(queries).length === 0) return answerOf(asked, first, {});
  return { queries, answer: (rows) => answerOf(asked, first, rows) };
}

interface Delivery extends JudgedDelivery {
  /** The last judged day that messages are loaded of. */
  readonly last: Temporal.PlainDate;
}

/** Null where no message is loaded of the judged days. */
function deliveryOf({ days, timezone, facts }: Asked, { delivery = [] }: FoundFirst): Delivery | null {
  const last = lastDelivered(days, timezone, facts);
  if (last === null) return null;
  return { ...judgeDelivery(delivery, lengthOf(days.from, last)), last };
}

/** What was asked before the values of dimensions, and what followed from it. */
interface First {
  readonly found: FoundFirst;
  readonly chosen: readonly Chosen[];
  readonly delivery: Delivery | null;
}

/** More are told in no answer. */
const MOST_ALERTS = 20;

function* answerOf(asked: Asked, { found, chosen, delivery }: First, more: FoundMore) {
  const { args, facts, currency, days, sources } = asked;
  const { noted = [] } = found;
  const country = homeCountry(facts.timezone, facts.primary_currency);
  const known = {} as Record<WatchedSource, KnownDays | null>;
  for (const source of SOURCES) {
    const own = sources[source];
    known[source] = own === null ? null : knownDays(own, country, noted);
    yield;
  }
  const watched = [...wholeWatched(asked, found, known), ...valuesWatched(chosen, more, known)];
  const { found: alerts, tests, series } = yield* alertsOf(watched);
  yield;
  const nameOf = namesIn(more);
  const told = { currency, noted, nameOf };
  const broken = delivery === null ? [] : deliveryRows(delivery, brokenRows(more), delivery.last);
  const others = trustOf({
    ...asked,
    found,
    byDay: byDay(asked, found),
    channels: channelRows(chosen, more),
  });
  const trust = [...broken.map(({ named, ...row }) => row), ...others];
  const silent = [...new Set(others.map(({ kind }) => kind).filter((kind) => kind.startsWith('silent_')))];
  const summary = summaryOf(days, { tests, series, alerts: alerts.length, broken, silent, delivery });
  const shown = alerts.slice(0, MOST_ALERTS).map((one) => shownAlert(one, told));
  return {
    sentences: sentencesOf([
      summary,
      ...shown.map(({ sentence }) => sentence),
      ...trust.flatMap(({ text, touches }) => [text, touches]),
    ]),
    result: {
      business_id: args.business_id,
      data_until: facts.orders_until,
      from_date: days.from.toString(),
      to_date: days.to.toString(),
      tests_count: tests,
      alerts_count: alerts.length,
      summary,
      alerts: shown,
      trust,
    },
    notes: [
      ...endNotes(asked),
      ...historyNotes(asked),
      ...(alerts.length > MOST_ALERTS
        ? [
            worded(
              `Listed are ${MOST_ALERTS} of ${plural(alerts.length, 'alert', 'alerts')}: the most certain first, and parts of what is unusual in the whole store last.`,
              'note.watch-some',
              { shown: { number: MOST_ALERTS }, all: { number: alerts.length } },
            ),
          ]
        : []),
      ...emailNotes(asked, delivery),
    ],
  };
}

/** Which days of e-mails are judged: what follows them comes later than what became of them. */
function emailNotes({ sources: { messages }, days }: Asked, delivery: Delivery | null): string[] {
  if (messages === null || messages.to.equals(days.to)) return [];
  const [from, to] = [messages.from.toString(), messages.to.toString()];
  const last = (delivery?.last ?? messages.to).toString();
  return [
    worded(
      `Opens, clicks, unsubscribes and hard bounces of e-mails are judged from ${from} to ${to} alone, since those of later e-mails are still to come for up to ${EMAIL_LAG_DAYS} days; rows of kind delivery are of the days that they tell, until ${last}.`,
      'note.watch-emails',
      { days: { days: [from, to] }, last: { day: last } },
    ),
  ];
}

/** The sums of the whole store, of each kind of data. */
function byDay(asked: Asked, found: Found): Readonly<Record<WatchedSource, RowsByKey>> {
  const rows = (source: WatchedSource) => {
    const own = groupsOf(asked).find(({ group }) => group.source === source && group.dimension === null);
    return own === undefined ? new Map() : rowsOf(found, own.id, 0);
  };
  return { orders: rows('orders'), sessions: rows('sessions'), messages: rows('messages') };
}

function channelRows(chosen: readonly Chosen[], more: Found) {
  const own = chosen.find(({ group }) => group.dimension === 'channel');
  return own === undefined ? null : { values: own.values, rows: rowsOf(more, own.id, 0) };
}

function wholeWatched(
  asked: Asked,
  found: Found,
  known: Readonly<Record<WatchedSource, KnownDays | null>>,
): Watched[] {
  return groupsOf(asked).flatMap(({ group, id }) => {
    const own = known[group.source];
    if (group.dimension !== null || own === null) return [];
    const rows = rowsOf(found, id, 0);
    return group.metrics
      .filter(
        ({ sum }) =>
          valueOfNothing(metricNamed(sum), asked.facts) !== null || sum === 'discount' || sum === 'ad_cost',
      )
      .map((metric) => ({ metric, dimension: null, value: null, rows, known: own }));
  });
}

function valuesWatched(
  chosen: readonly Chosen[],
  more: Found,
  known: Readonly<Record<WatchedSource, KnownDays | null>>,
): Watched[] {
  return chosen.flatMap(({ group, id, values }) => {
    const own = known[group.source];
    if (own === null) return [];
    const rows = rowsOf(more, id, 0);
    return values.flatMap((value) =>
      group.metrics.map((metric) => ({ metric, dimension: group.dimension, value, rows, known: own })),
    );
  });
}

function namesIn({ names = [] }: FoundMore) {
  const nameOf = new Map(names.map(({ id, name }) => [id, name]));
  return (dimension: (typeof NAMED_IDS)[number], value: string) => {
    const name = NAMED_IDS.includes(dimension) ? (nameOf.get(value) ?? null) : null;
    return name === null ? value : `${value} ${name}`;
  };
}

function brokenRows({ crossed = [], common = [], people = [] }: FoundMore): BrokenRows {
  return { crossed, common, people };
}

interface LookedAt {
  readonly tests: number;
  readonly series: number;
  readonly alerts: number;
  readonly broken: readonly DeliveryRow[];
  /** The kinds of rows of `trust` on what sends or brings nothing any more. */
  readonly silent: readonly string[];
  readonly delivery: Delivery | null;
}

/**
 * What is not delivered, and what is silent, comes first, since that no number is unusual says nothing of it;
 * what nobody looked at is said last.
 */
function summaryOf({ from, to }: WatchedDays, looked: LookedAt): string {
  const { tests, series, alerts, broken, silent, delivery } = looked;
  const numbers = plural(tests, 'number', 'numbers');
  const days = `from ${from} to ${to}`;
  const undelivered = broken.length === 0 ? '' : `${broken.map(({ named }) => named).join('; ')}. `;
  const quiet = silent.length === 0 ? '' : `See trust: ${silent.join(', ')}. `;
  const first = `${undelivered}${quiet}`;
  const of = first === '' ? 'Of' : 'Besides, of';
  const parts = notWatched(delivery);
  const last = `not looked at: ${parts.map(([text]) => text).join(', ')}.`;
  // Pages list what broke before this sentence, so that it is not said there once more.
  const unseen = { each: parts.map(([, value]) => value) };
  if (tests === 0) {
    const text = `${first}Nothing could be judged by day: the notes say what is missing; ${last}`;
    return worded(text, 'watch.nothing-judged', { unseen });
  }
  return alerts === 0
    ? worded(
        `${first}${of} ${numbers} in ${series} series, ${days}, none is unusual; ${last}`,
        'watch.quiet',
        {
          count: tests,
          unseen,
        },
      )
    : worded(
        `${first}${plural(alerts, 'is', 'are')} unusual; looked at: ${numbers} of ${series} series, ${days}; at most ${100 * FALSE_RATE} % of what is raised is false; ${last}`,
        'watch.unusual',
        { unusual: { number: alerts }, count: tests, unseen },
      );
}

/** What nobody looked at stands in the sentence that is quoted: a quiet list says nothing of it. */
function notWatched(delivery: Delivery | null): (readonly [text: string, value: SentenceValue])[] {
  const unjudged = (['email', 'sms'] as const).filter((channel) => !delivery?.judged.has(channel));
  const count = delivery?.leftOut ?? 0;
  return [
    ...unjudged.map((channel) => UNJUDGED[channel]),
    ...(count === 0
      ? []
      : ([
          [
            `delivery by ${plural(count, 'smaller domain or country', 'smaller domains or countries')}`,
            { sentence: { key: 'unseen.smaller', values: { count } } },
          ],
        ] as const)),
    ['popups', { say: 'unseen.popups' }],
    ['cancellations', { say: 'unseen.cancellations' }],
    ['what SMS brought', { say: 'unseen.sms' }],
  ];
}

const UNJUDGED = {
  email: ['delivery of e-mails', { say: 'unseen.delivery-emails' }],
  sms: ['delivery of SMS', { say: 'unseen.delivery-sms' }],
} as const;

const NAMES: Readonly<Record<WatchedSource, string>> = {
  orders: 'Orders',
  sessions: 'Visits',
  messages: 'E-mails',
};

/** What pages call them: of messages, e-mails alone are watched. */
const NAMES_IN_WORDS = { ...SOURCES_IN_WORDS, messages: 'source.emails' } as const;

/** The days that were asked for and are not loaded. */
function endNotes({ sources, days, facts, timezone }: Asked): string[] {
  const unloaded = Temporal.PlainDate.compare(days.to, days.askedTo) < 0;
  const whole = unloaded
    ? [
        worded(`Days after ${days.to} are not judged: none is loaded to its end.`, 'note.watch-end', {
          day: { day: days.to.toString() },
        }),
      ]
    : [];
  const earlier = (['orders', 'sessions'] as const).flatMap((source) => {
    const [own, until] = [sources[source], facts[`${source}_until`]];
    if (own === null || until === null || own.to.equals(days.to)) return [];
    return [
      worded(
        `${NAMES[source]} are judged until ${own.to} alone: nothing of them is loaded after ${localDate(until, timezone)}.`,
        'note.watch-source-end',
        {
          source: { say: NAMES_IN_WORDS[source] },
          day: { day: own.to.toString() },
          until: { day: localDate(until, timezone).toString() },
        },
      ),
    ];
  });
  return [...whole, ...earlier];
}

/** What was not judged, and why. */
function historyNotes({ sources, facts, days }: Asked): string[] {
  return SOURCES.flatMap((source) => {
    if (facts[`${source}_until`] === null) return [];
    const own = sources[source];
    const name = NAMES[source];
    if (own === null)
      return [
        worded(
          `${name} are not judged: of ${days.from} to ${days.to} no whole day of them is loaded after others.`,
          'note.watch-no-day',
          {
            source: { say: NAMES_IN_WORDS[source] },
            days: { days: [days.from.toString(), days.to.toString()] },
          },
        ),
      ];
    const before = lengthOf(own.first, own.from) - 1;
    if (before >= LEAST_DAYS) return [];
    const later = own.first.add({ days: LEAST_DAYS + 7 });
    return [
      worded(
        `${name} are not judged: ${before} whole days are loaded before ${own.from}, and ${LEAST_DAYS} are needed to say what is usual. Enough would be loaded for as_of ${later} or later.`,
        'note.watch-too-short',
        {
          source: { say: NAMES_IN_WORDS[source] },
          known: { number: before },
          day: { day: own.from.toString() },
          needed: { number: LEAST_DAYS },
          later: { day: later.toString() },
        },
      ),
    ];
  });
}
