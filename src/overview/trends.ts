import { Temporal } from 'temporal-polyfill';
import { line } from '../answers/chart.ts';
import { describeCharts } from '../charts/described-chart.ts';
import type { DrawnStore } from '../charts/drawn-store.ts';
import type { Figure, LinePanel } from '../charts/figure.ts';
import { readFigure } from '../charts/read-figure.ts';
import type { Messages } from '../messages/messages.ts';
import type { CardPart } from './cards-and-lists.ts';
import type { Days } from './page-periods.ts';
import { type Answers, toolCalled } from './tool-answers.ts';

/** The number of a card along time, beside the days before. */
export interface Trend {
  readonly figure: Figure;
  readonly panel: LinePanel;
}

interface TrendRange {
  readonly store: DrawnStore;
  readonly days: Days;
  readonly before: Days | null;
  readonly messages: Messages;
}

/** A picture can show this many days apart. More days are drawn by month. */
const MOST_DAYS = 92;

/** Null where it is not known along time, or cannot be read. */
export async function readTrend(
  answers: Answers,
  part: CardPart,
  { store, days, before, messages }: TrendRange,
): Promise<Trend | null> {
  if (!('trend' in part.more)) return null;
  const breakdown = lengthOf(days) <= MOST_DAYS ? 'day' : 'month';
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
  return { figure, panel };
}

function lengthOf({ from_date, to_date }: Days): number {
  return Temporal.PlainDate.from(from_date).until(to_date, { largestUnit: 'day' }).days + 1;
}
