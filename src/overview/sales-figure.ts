import { bars, line } from '../answers/chart.ts';
import type { Answer } from '../answers/tool.ts';
import { chartStore } from '../asking/chart-store.ts';
import {
  type Arguments,
  atOneSnapshot,
  runTool,
  structured,
  type ToolEnvironment,
} from '../asking/run-tool.ts';
import type { Business } from '../business/business.ts';
import { localDay } from '../charts/dates.ts';
import { describeCharts } from '../charts/described-chart.ts';
import type { DrawnStore } from '../charts/drawn-store.ts';
import type { Figure } from '../charts/figure.ts';
import { readFigure } from '../charts/read-figure.ts';
import { yearBefore } from '../charts/year-before.ts';
import type { Caller } from '../control/people/callers.ts';
import type { PlainKey } from '../messages/catalogue.ts';
import type { Messages } from '../messages/messages.ts';
import { type PageSentence, pageNotes } from './page-sentences.ts';
import { toolCalled } from './tool-answers.ts';

const MONTHS = 12;

const TREND = toolCalled('order_statistics_trend');
const SALES = describeCharts({
  ...TREND,
  title: 'Sales',
  chart: [
    line('periods', 'period', ['orders_revenues', 'orders_count']),
    bars('periods', ['period'], [['new_customers_count', 'returning_customers_count']]),
  ],
});

/** The columns have the names of the overview. */
const NAMES: Readonly<Record<string, PlainKey>> = {
  orders_revenues: 'number.revenue',
  orders_count: 'number.orders',
  new_customers_count: 'number.new',
  returning_customers_count: 'number.returning',
};

/** A picture, and what one must know to read it right. */
export interface SalesFigure {
  readonly figure: Figure;
  readonly notes: readonly PageSentence[];
}

/**
 * What an owner looks at after an import: revenue and orders of the last twelve months that are loaded,
 * beside the year before, and their customers. The numbers are those of `order_statistics_trend`, asked as
 * the caller.
 *
 * @returns null where no orders are loaded
 * @throws InputError what the tool refuses, such as a caller who may not read it
 */
export async function salesFigure(
  environment: ToolEnvironment,
  caller: Caller,
  business: Business,
  messages: Messages,
  signal?: AbortSignal,
): Promise<SalesFigure | null> {
  const { business_id } = business;
  const asked = atOneSnapshot(environment);
  const served = await asked.findServed(business_id);
  if (served === null || served.facts.orders_until === null) return null;
  const store = { ...chartStore(business, served.facts), locale: messages.locale, words: messages };
  const lastDay = localDay(served.facts.orders_until, store);
  if (lastDay === null) return null;
  const args = { business_id, ...lastMonths(lastDay), breakdown: 'month' };
  const ask = (range: Arguments) => runTool(asked, TREND, range, caller, signal);
  const before = yearBefore(args);
  const [answer, compared] = [await ask(args), await ask(before)];
  const figure = readFigure({
    described: { ...SALES, title: messages.say('store.sales') },
    args,
    answer: structured(answer),
    store,
    meanings: { orders_revenues: messages.say('meaning.revenue') },
    names: Object.fromEntries(Object.entries(NAMES).map(([field, name]) => [field, messages.say(name)])),
    compared: { args: before, answer: structured(compared) },
  });
  return { figure, notes: notesOf(answer, compared, messages, store) };
}

/** The notes of both answers; those of the year before are named as such. */
function notesOf(answer: Answer, before: Answer, messages: Messages, store: DrawnStore) {
  const known = new Map([...(answer.sentences ?? []), ...(before.sentences ?? [])]);
  const { notes = [] } = answer;
  const added = (before.notes ?? []).filter((note) => !notes.includes(note));
  const earlier = added.map((note) => {
    const text = `Of the year before: ${note}`;
    const sentence = known.get(note);
    if (sentence !== undefined) known.set(text, { key: 'note.year-before', values: { note: { sentence } } });
    return text;
  });
  return pageNotes([...notes, ...earlier], { sentences: [...known], messages, store });
}

/** Whole months up to the one of the day. */
function lastMonths(day: string): { readonly from_date: string; readonly to_date: string } {
  const [year = 0, month = 1] = day.split('-').map(Number);
  const at = (index: number, ofMonth: number) =>
    new Date(Date.UTC(year, index, ofMonth)).toISOString().slice(0, 10);
  return { from_date: `${at(month - MONTHS, 1)}T00:00:00`, to_date: `${at(month, 0)}T23:59:59` };
}
