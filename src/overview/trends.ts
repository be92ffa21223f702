import { Temporal } from 'temporal-polyfill';
import { line } from '../answers/chart.ts';
import { describeCharts } from '../charts/described-chart.ts';
import type { DrawnStore } from '../charts/drawn-store.ts';
import type { Figure, LinePanel } from '../charts/figure.ts';
import { readFigure } from '../charts/read-figure.ts';
import type { Messages } from '../messages/messages.ts';
import { BREAKDOWNS, type Breakdown, endOfPeriod, startOfPeriod } from '../time/periods.ts';
import type { CardPart } from './cards-and-lists.ts';
import { type Comparison, type Days, lengthOf } from './page-periods.ts';
import { type Answers, toolCalled } from './tool-answers.ts';

export type { Breakdown };

/** The number of a card along time, beside the days before. */
export interface Trend {
  readonly figure: Figure;
  readonly panel: LinePanel;
}

interface TrendRange {
  readonly store: DrawnStore;
  readonly days: Days;
  readonly before: Days | null;
  readonly compare: Comparison;
  /** What one point is; null: what suits the number of days. */
  readonly by: Breakdown | null;
  readonly messages: Messages;
}

/**
 * For how many days a picture by day, week or month has two points or more, and not so many that they cannot
 * be told apart.
 */
const SUITS: Readonly<Record<Breakdown, { readonly least: number; readonly most: number }>> = {
  day: { least: 1, most: 92 },
  week: { least: 14, most: 735 },
  month: { least: 59, most: Infinity },
};

/** What the picture of these days can have as one point. */
export function breakdownsFor(days: Days): readonly Breakdown[] {
  const length = lengthOf(days);
  return BREAKDOWNS.filter((one) => SUITS[one].least <= length && length <= SUITS[one].most);
}

/** The most days that are drawn by day, and by week, if nobody chose: more points are a thicket. */
const USUAL = { day: 45, week: 183 } as const;

/** @param by what is asked for; where these days do not have it, it is as if nothing were */
export function breakdownOf(days: Days, by: Breakdown | null): Breakdown {
  if (by !== null && breakdownsFor(days).includes(by)) return by;
  const length = lengthOf(days);
  return length <= USUAL.day ? 'day' : length <= USUAL.week ? 'week' : 'month';
}

/**
 * The days that are drawn beside. Weeks and months are drawn whole, so whole ones stand beside them, and none
 * of them twice: as many just before them, or those of the year before, where weeks begin on the same
 * weekday.
 */
function drawnBefore({ days, before, compare }: TrendRange, breakdown: Breakdown): Days | null {
  if (before === null || breakdown === 'day') return before;
  const first = startOfPeriod(Temporal.PlainDate.from(days.from_date), breakdown);
  const last = startOfPeriod(Temporal.PlainDate.from(days.to_date), breakdown);
  const after = endOfPeriod(last.toString(), breakdown).add({ days: 1 });
  const unit = breakdown === 'week' ? 'weeks' : 'months';
  const count = first.until(after, { largestUnit: unit })[unit];
  const back = { [unit]: compare === 'year' ? (breakdown === 'week' ? 52 : 12) : count };
  const [from_date, to_date] = [
    first.subtract(back).toString(),
    after.subtract(back).subtract({ days: 1 }).toString(),
  ];
  return from_date === before.from_date && to_date === before.to_date ? before : { from_date, to_date };
}

/** Null where it is not known along time, or cannot be read. */
export async function readTrend(answers: Answers, part: CardPart, range: TrendRange): Promise<Trend | null> {
  if (!('trend' in part.more)) return null;
  const { store, days, messages } = range;
  const breakdown = breakdownOf(days, range.by);
  const before = drawnBefore(range, breakdown);
  const question = { tool: part.more.trend, args: { breakdown } };
  const title = messages.say(part.name);
  const name = messages.say('overview.along-time', { name: title });
  const [answer, earlier] = await Promise.all([
    answers.of(name, question, days),
    before === null ? null : answers.of(name, question, before),
  ]);
  if (answer === null) return null;
  const figure = readFigure({
    described: describeCharts({
      ...toolCalled(part.more.trend),
      title,
      chart: [line('periods', 'period', [part.more.field])],
    }),
    args: { ...days, breakdown },
    answer,
    store,
    names: { [part.more.field]: title },
    meanings: { [part.more.field]: messages.say(part.meaning) },
    ...(before !== null &&
      earlier !== null && { compared: { args: { ...before, breakdown }, answer: earlier } }),
  });
  const [panel] = figure.panels;
  if (panel?.kind !== 'line') return null;
  const isCut = breakdown === 'day' && before !== null && lengthOf(before) > lengthOf(days);
  const notes = isCut
    ? [messages.say('overview.first-drawn', { days: lengthOf(days), before: lengthOf(before) })]
    : [];
  return { figure: { ...figure, notes: [...figure.notes, ...notes] }, panel };
}
