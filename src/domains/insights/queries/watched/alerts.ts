import type { PlainKey } from '../../../../answers/sentences.ts';
import { type SentenceValue, worded } from '../../../../answers/sentences.ts';
import type { Pieces } from '../../../../main-thread/pieces.ts';
import { falseDiscoveryRates } from '../../../../statistics/false-discovery.ts';
import { roundedPercent, roundedRatio } from '../../../../statistics/rounded.ts';
import { type Judged, judgeDays } from '../../../../statistics/unusual-days.ts';
import { quoted, shortText } from '../../../../text/business-text.ts';
import { type Noted, namedDays } from '../../../calendar/queries/noted-days.ts';
import { DIMENSIONS } from '../dimension-words.ts';
import type { DimensionName } from '../dimensions.ts';
import type { RowsByKey } from '../explained/all-bridges.ts';
import { SEPARATOR } from '../fact.ts';
import { WATCHED_IN_WORDS, type WatchedMetric } from './watched-metrics.ts';
import { type KnownDays, watchedSeries } from './watched-series.ts';

/** A metric of the whole store, or of one value of a dimension, with its rows by day. */
export interface Watched {
  readonly metric: WatchedMetric;
  readonly dimension: DimensionName | null;
  readonly value: string | null;
  readonly rows: RowsByKey;
  readonly known: KnownDays;
}

/** The largest share of what is raised that may be false. */
export const FALSE_RATE = 0.05;

interface Found {
  readonly watched: Watched;
  readonly date: string;
  readonly judged: Judged;
}

export interface Alerts {
  readonly found: readonly Found[];
  /** How many numbers were looked at. */
  readonly tests: number;
  readonly series: number;
}

/** Judges all, and keeps one rate of false discoveries over all that was looked at. */
export function* alertsOf(all: readonly Watched[]): Pieces<Alerts> {
  const judged: (readonly Found[])[] = [];
  for (const watched of all) {
    judged.push(yield* judgedOf(watched));
    yield;
  }
  const tests = judged.flat();
  const rates = falseDiscoveryRates(tests.map((one) => one.judged.p));
  const found = tests
    .filter((_, place) => (rates[place] as number) <= FALSE_RATE)
    .toSorted((one, other) => one.judged.p - other.judged.p || one.date.localeCompare(other.date));
  return {
    found: partsLast(withoutOverlaps(found)),
    tests: tests.length,
    series: judged.filter((some) => some.length > 0).length,
  };
}

function* judgedOf(watched: Watched): Pieces<Found[]> {
  const { metric, rows, value, known } = watched;
  const series = watchedSeries(metric, rows, value, known);
  if (series === null) return [];
  const days = yield* judgeDays(series, known.judged);
  return days.map((judged) => ({
    watched,
    date: known.dates[judged.place] as string,
    judged,
  }));
}

/** Days and spans of them that tell the same of a series: the most certain stands for all. */
function withoutOverlaps(found: readonly Found[]): Found[] {
  const kept: Found[] = [];
  for (const one of found)
    if (!kept.some((other) => other.watched === one.watched && isOverlap(one.judged, other.judged)))
      kept.push(one);
  return kept;
}

/** The same is counted of parts of the store by another name. */
const OF_PARTS: Readonly<Record<string, string>> = {
  product_orders_count: 'orders_count',
  last_click_orders_count: 'orders_count',
};

/**
 * Parts of what is unusual in the whole store, by the same metric, tell the same once more: they stand behind
 * all others.
 */
function partsLast(found: readonly Found[]): Found[] {
  const whole = found.filter(({ watched }) => watched.dimension === null);
  const isOfWhole = (one: Found) => {
    const { metric, dimension } = one.watched;
    const name = OF_PARTS[metric.name] ?? metric.name;
    return (
      dimension !== null &&
      whole.some((other) => other.watched.metric.name === name && isSameTime(one, other))
    );
  };
  return [...found.filter((one) => !isOfWhole(one)), ...found.filter(isOfWhole)];
}

function isOverlap(one: Judged, other: Judged): boolean {
  return isSameSide(one, other) && one.place < other.place + other.days && other.place < one.place + one.days;
}

function isSameSide(one: Judged, other: Judged): boolean {
  return one.value > one.usual === other.value > other.usual;
}

/** Series begin on days of their own, so that places of two are not the same day. */
function isSameTime(one: Found, other: Found): boolean {
  const [start, otherStart] = [one.date, other.date].map((date) => Date.parse(date)) as [number, number];
  return (
    isSameSide(one.judged, other.judged) &&
    start < otherStart + other.judged.days * MS_PER_DAY &&
    otherStart < start + one.judged.days * MS_PER_DAY
  );
}

const MS_PER_DAY = 86_400_000;

interface Told {
  readonly currency: string | null;
  readonly noted: readonly Noted[];
  nameOf(dimension: DimensionName, value: string): string;
}

export function shownAlert({ watched, date, judged }: Found, told: Told) {
  const { metric, dimension, value } = watched;
  const last = watched.known.dates[judged.place + judged.days - 1] as string;
  const per = exposureOf(watched, judged);
  const shown = (number: number) => roundedRatio(per === null ? number : number * metric.times, per ?? 1);
  return {
    metric: metric.name,
    dimension,
    value: value === null || dimension === null ? null : told.nameOf(dimension, value),
    date,
    days: judged.days,
    found: shown(judged.value),
    usual: shown(judged.usual),
    usual_low: shown(judged.low),
    usual_high: shown(judged.high),
    direction: judged.value > judged.usual ? ('above' as const) : ('below' as const),
    p_value: Number(judged.p.toPrecision(3)),
    seen_share: roundedPercent(judged.seenShare * judged.seen, judged.seen),
    sentence: sentenceOf({ watched, date, judged }, last, shown, told),
  };
}

/** What the value is a part of; null where it is a sum by itself. */
function exposureOf({ metric, rows, value, known }: Watched, { place, days }: Judged): number | null {
  const { per } = metric;
  if (per === null) return null;
  const keys = known.dates.slice(place, place + days);
  return keys.reduce(
    (sum, date) => sum + (rows.get(value === null ? date : `${value}${SEPARATOR}${date}`)?.[per] ?? 0),
    0,
  );
}

function sentenceOf(
  { watched, date, judged }: Found,
  last: string,
  shown: (number: number) => number | null,
  { currency, noted, nameOf }: Told,
): string {
  const { metric, dimension, value } = watched;
  const unit = metric.times === 100 ? ' %' : isMoney(metric) && currency !== null ? ` ${currency}` : '';
  const text = (number: number) =>
    `${(shown(number) ?? 0).toLocaleString('en-US', { maximumFractionDigits: metric.times === 100 ? 2 : 0 })}`;
  const of =
    dimension === null || value === null ? '' : ` of ${dimension} ${quoted(nameOf(dimension, value))}`;
  const days = last === date ? date : `${date} to ${last}`;
  const seen = judged.seenShare * judged.seen;
  const times = judged.days === 1 ? 'days' : `spans of ${judged.days} days`;
  const notes = noted.filter(({ first_date, last_date }) => first_date <= last && date <= last_date);
  const known =
    notes.length === 0
      ? ''
      : ` Noted then: ${notes.map(({ name }) => quoted(shortText(name, 60))).join(', ')}.`;
  const english = `${capital(metric.noun)}${of} on ${days}: ${text(judged.value)}${unit}, usually ${text(judged.usual)} (${text(judged.low)} to ${text(judged.high)})${unit}; ${seen === 0 ? 'none' : Math.round(seen)} of ${judged.seen} ${times} before ${seen === 1 ? 'was' : 'were'} as unusual.${known}`;
  const name = WATCHED_IN_WORDS[metric.noun];
  const amount = (number: number): SentenceValue => {
    const value = shown(number) ?? 0;
    if (metric.times === 100) return { percent: Number(value.toFixed(2)) };
    return isMoney(metric) ? { money: Math.round(value) } : { number: Math.round(value) };
  };
  const part = dimension === null ? undefined : DIMENSIONS[dimension];
  const what: SentenceValue =
    part === undefined || dimension === null || value === null
      ? { say: name }
      : partInWords(
          name,
          part,
          dimension === 'country' ? { country: value } : { name: nameOf(dimension, value) },
        );
  const values = {
    what,
    days: { days: [date, last] as const },
    found: amount(judged.value),
    usual: amount(judged.usual),
    low: amount(judged.low),
    high: amount(judged.high),
    seen: { number: Math.round(seen) },
    count: { number: judged.seen },
  };
  if (notes.length === 0) return worded(english, 'watch.alert', values);
  const names = {
    each: notes.map((one) => namedDays(shortText(one.name, 60), one.first_date, one.last_date)),
  };
  return worded(english, 'watch.alert-noted', {
    alert: { sentence: { key: 'watch.alert', values } },
    reason: { sentence: { key: 'note.reason-noted', values: { noted: names } } },
  });
}

function partInWords(number: PlainKey, dimension: PlainKey, name: SentenceValue): SentenceValue {
  const part: SentenceValue = {
    sentence: { key: 'found.of', values: { dimension: { say: dimension }, name } },
  };
  return { sentence: { key: 'watch.what', values: { number: { say: number }, part } } };
}

function isMoney({ pieces, sum }: WatchedMetric): boolean {
  return pieces !== null || sum === 'ad_cost' || sum === 'refunded_revenue_by_refund_date';
}

function capital(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}
