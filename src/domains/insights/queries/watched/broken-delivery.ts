import { binomialTail } from '../../../../statistics/binomial-tail.ts';
import { normalDistance } from '../../../../statistics/normal.ts';
import { studentTails } from '../../../../statistics/student.ts';
import { quantile } from '../../../../statistics/unusual-days.ts';
import {
  type BrokenValue,
  type CrossedRow,
  type DeliveryCut,
  LEAST_SENT,
  RECENT_DAYS,
  type SentRow,
} from './delivery-queries.ts';

/**
 * The rule by which delivery is broken: 5 percent of the messages failed, and ten of them at least, which is
 * twice what is usual, and chance alone would bring that about in at most 1 of 100 stores.
 */
const RULE = { leastFailed: 10, share: 0.05, times: 2, chance: 0.01 } as const;
/**
 * What fails more seldom counts as this, so that a value without any failure has something to be held
 * against.
 */
const LEAST_USUAL = 0.01;
/** A span with fewer messages is left out. */
const LEAST_OF_SPAN = 20;
const LEAST_SPANS = 4;
/** With fewer messages in the judged days, all of the last 28 days are judged together. */
const ENOUGH_SENT = 100;
/** Where more broke at once, the answer has the worst of them, and how many there are. */
const MOST_BROKEN = 10;

interface Sum {
  readonly sent: number;
  readonly failed: number;
}

/** What is usual of a value. */
interface Usual {
  readonly share: number;
  readonly sent: number;
  readonly spans: number;
  /** The variance of the past spans around the share, divided by that of chance alone. */
  readonly spread: number;
  /** Whether it is of the whole channel, since the value has no past of its own. */
  readonly isOfWhole: boolean;
}

export interface Broken extends BrokenValue, Sum {
  readonly usual: Usual;
  /** The sum of the last 28 days. */
  readonly recent: Sum;
}

export interface JudgedDelivery {
  /** The worst first, each of a value of its own, also where they fail for the same reason. */
  readonly broken: readonly Broken[];
  /** How many broke: `broken` has the worst of them. */
  readonly brokenCount: number;
  /** How many values were held against what is usual, by channel. */
  readonly judged: ReadonlyMap<string, number>;
  /** The number of values that had enough messages and were beyond the most that are judged. */
  readonly leftOut: number;
}

/**
 * The providers, sending domains, countries and channels that take messages no more.
 *
 * @param length how many days are judged, until the last one that messages are loaded of
 */
export function judgeDelivery(sent: readonly SentRow[], length: number): JudgedDelivery {
  const values = [...Map.groupBy(sent, ({ channel, cut, value }) => `${channel} ${cut} ${value}`).values()];
  const wholes = new Map(
    values.flatMap((rows) => (first(rows).cut === 'all' ? [[first(rows).channel, usualOf(rows, true)]] : [])),
  );
  const judged = values.flatMap((rows) => {
    const { channel, cut, value } = first(rows);
    const usual = usualOf(rows, false) ?? wholes.get(channel) ?? null;
    const own = sumOf(rows, length);
    const recent = sumOf(rows, RECENT_DAYS);
    const isEnough = own.sent >= ENOUGH_SENT;
    const asked = isEnough ? own : recent;
    if (usual === null || asked.sent < LEAST_SENT) return [];
    const days = isEnough ? length : RECENT_DAYS;
    return [{ channel, cut: cut as DeliveryCut, value, days, ...asked, usual, recent }];
  });
  const broken = judged.filter((one) => isBroken(one, one.usual, judged.length)).toSorted(worstFirst);
  const counts = Map.groupBy(judged, ({ channel }) => channel);
  const cuts = [...Map.groupBy(sent, ({ channel, cut }) => `${channel} ${cut}`).values()].map(first);
  return {
    broken: broken.slice(0, MOST_BROKEN),
    brokenCount: broken.length,
    judged: new Map([...counts].map(([channel, some]) => [channel, some.length])),
    leftOut: cuts.reduce((sum, { values_count, shown_count }) => sum + values_count - shown_count, 0),
  };
}

function first(rows: readonly SentRow[]): SentRow {
  return rows[0] as SentRow;
}

function sumOf(rows: readonly SentRow[], days: number): Sum {
  const some = rows.filter(({ days_ago }) => days_ago < days);
  return {
    sent: some.reduce((sum, { sent_count }) => sum + sent_count, 0),
    failed: some.reduce((sum, { failed_count }) => sum + failed_count, 0),
  };
}

/** The middle of the past, so that a month of trouble does not become what is usual. */
function usualOf(rows: readonly SentRow[], isOfWhole: boolean): Usual | null {
  const spans = rows.filter(
    ({ days_ago, sent_count }) => days_ago >= RECENT_DAYS && sent_count >= LEAST_OF_SPAN,
  );
  if (spans.length < LEAST_SPANS) return null;
  const share = quantileOf(
    spans.map(({ sent_count, failed_count }) => failed_count / sent_count),
    0.5,
  );
  const expected = atLeastUsual(share);
  const distances = spans.map(
    ({ sent_count, failed_count }) =>
      (failed_count - sent_count * share) ** 2 / (sent_count * expected * (1 - expected)),
  );
  const spread = quantileOf(distances, 0.75) / UPPER_QUARTILE_OF_SQUARES;
  const all = spans.reduce((sum, { sent_count }) => sum + sent_count, 0);
  return { share, sent: all, spans: spans.length, spread: Math.max(1, spread), isOfWhole };
}

function quantileOf(values: readonly number[], place: number): number {
  return quantile(Float64Array.from(values).sort(), place);
}

/** Three quarters of the squares of normal values are below this. */
const UPPER_QUARTILE_OF_SQUARES = 1.3233;

function atLeastUsual(share: number): number {
  return Math.min(Math.max(share, LEAST_USUAL), 0.99);
}

function isBroken({ sent, failed }: Sum, usual: Usual, judged: number): boolean {
  const share = failed / sent;
  if (failed < RULE.leastFailed || share < RULE.share || share < RULE.times * usual.share) return false;
  return chanceOf({ sent, failed }, usual) <= RULE.chance / judged;
}

/**
 * The chance of at least this many failures where nothing broke. Messages that fail together count as fewer
 * that fail by themselves (`spread`), and the usual share is as uncertain as its few spans leave it.
 */
function chanceOf({ sent, failed }: Sum, usual: Usual): number {
  const alone = binomialTail(
    Math.floor(failed / usual.spread),
    Math.ceil(sent / usual.spread),
    atLeastUsual(usual.share),
  );
  if (alone >= 0.5) return alone;
  const distance = normalDistance(2 * alone) / Math.sqrt(1 + (VARIANCE_OF_MIDDLE * sent) / usual.sent);
  return studentTails(distance, usual.spans - 1) / 2;
}

/** How many times as much a median varies as a mean. */
const VARIANCE_OF_MIDDLE = Math.PI / 2;

/**
 * By how much more failed than usual, and how large a part of the value that is: a provider stands before the
 * whole channel.
 */
function worstFirst(one: Broken, other: Broken): number {
  const weight = ({ failed, sent, usual }: Broken) => (failed - sent * usual.share) * (failed / sent);
  return (
    weight(other) - weight(one) ||
    Number(one.cut === 'all') - Number(other.cut === 'all') ||
    (one.value < other.value ? -1 : 1)
  );
}

/**
 * Those that are still broken without the messages of the worse ones: a domain whose failures are those of
 * one provider is not.
 */
export function withoutParts(
  { broken, judged }: JudgedDelivery,
  crossed: readonly CrossedRow[],
): readonly Broken[] {
  const all = [...judged.values()].reduce((sum, count) => sum + count, 0);
  const kept: Broken[] = [];
  for (const one of broken) {
    const rest = crossed.filter(
      (row) => row.days === one.days && isOf(row, one) && !kept.some((other) => isOf(row, other)),
    );
    const sum = {
      sent: rest.reduce((added, { sent_count }) => added + sent_count, 0),
      failed: rest.reduce((added, { failed_count }) => added + failed_count, 0),
    };
    if (sum.sent > 0 && isBroken(sum, one.usual, all)) kept.push(one);
  }
  return kept;
}

function isOf(row: CrossedRow, { channel, cut, value }: BrokenValue): boolean {
  return row.channel === channel && (cut === 'all' || row[cut] === value);
}
