import type { Business } from '../business/business.ts';
import { localDay } from '../charts/dates.ts';
import type { DrawnStore } from '../charts/drawn-store.ts';
import type { Caller } from '../control/callers.ts';
import { chartStore } from '../mcp/chart-store.ts';
import { atOneSnapshot, type ToolEnvironment } from '../mcp/run-tool.ts';
import type { Messages } from '../messages/messages.ts';
import { Answers, type Data, fieldOf, numberAt } from './answers.ts';
import type { AskedOverview } from './asked.ts';
import { changeOf } from './change.ts';
import { canFilterBy, type Filter } from './filters.ts';
import type { Card, List, Overview } from './overview.ts';
import { CARDS, type CardPart, LISTS, type ListPart } from './parts.ts';
import { type Days, daysOfPeriod } from './periods.ts';
import { readFiltered } from './read-filtered.ts';
import { readTrend } from './trends.ts';

/**
 * @param messages the reader's, which names of numbers are taken from
 * @returns null where no orders are loaded
 * @throws InputError what all tools refuse, such as a caller who may not read the store
 */
export async function readOverview(
  environment: ToolEnvironment,
  caller: Caller,
  business: Business,
  asked: AskedOverview,
  messages: Messages,
  signal?: AbortSignal,
): Promise<Overview | null> {
  const atOnce = atOneSnapshot(environment);
  const served = await atOnce.findServed(business.business_id);
  if (served === null || served.facts.orders_until === null) return null;
  const store = { ...chartStore(business, served.facts), locale: messages.locale };
  const lastDay = localDay(served.facts.orders_until, store);
  if (lastDay === null) return null;
  const { days, before: wanted } = daysOfPeriod(asked, lastDay);
  const firstDay = served.facts.history_starts_at && localDay(served.facts.history_starts_at, store);
  const isBefore = wanted !== null && firstDay !== null && wanted.from_date < firstDay;
  const before = isBefore ? null : wanted;
  const answers = new Answers(atOnce, caller, business.business_id, signal);
  const { cards, lists } =
    asked.filters.length === 0
      ? await readAll(answers, { store, days, before, messages })
      : await readFiltered(answers, { filters: asked.filters, days, before, messages });
  return {
    store,
    asked,
    days,
    before,
    notCompared: isBefore ? messages.say('overview.not-compared', { day: messages.day(firstDay) }) : null,
    cards,
    lists: lists.filter(({ rows, isUnfiltered }) => rows.length > 0 || isUnfiltered),
    notes: answers.notes(days),
    missing: answers.missing(),
  };
}

interface Range {
  readonly store: DrawnStore;
  readonly days: Days;
  readonly before: Days | null;
  readonly messages: Messages;
}

async function readAll(answers: Answers, range: Range) {
  const [cards, lists] = await Promise.all([
    Promise.all(CARDS.map((part) => readCard(answers, part, range))),
    Promise.all(LISTS.map((part) => readList(answers, part, range))),
  ]);
  return {
    cards: cards.filter((card) => card !== null),
    lists: lists.filter((list) => list !== null),
  };
}

async function readCard(answers: Answers, part: CardPart, range: Range): Promise<Card | null> {
  const { days, before, messages } = range;
  const name = messages.say(part.name);
  const [now, earlier, trend] = await Promise.all([
    answers.of(name, part, days),
    before === null ? null : answers.of(name, part, before),
    readTrend(answers, part, range),
  ]);
  if (now === null) return null;
  const { unit, definition } = fieldOf(part.tool, part.field);
  const value = numberAt(now, part.field);
  const valueBefore = earlier === null ? null : numberAt(earlier, part.field);
  return {
    key: part.key,
    name,
    unit,
    definition,
    value,
    before: valueBefore,
    change: changeOf(value, valueBefore, unit),
    trend,
    list: 'list' in part.more ? part.more.list : null,
    isUnfiltered: false,
  };
}

async function readList(
  answers: Answers,
  part: ListPart,
  { days, messages: { say } }: Range,
): Promise<List | null> {
  const title = say(part.title);
  const rows = (await answers.of(title, part, days))?.[part.rows];
  if (!Array.isArray(rows)) return null;
  return {
    key: part.key,
    title,
    isUnfiltered: false,
    columns: part.columns.map(({ name, field }) => ({
      name: say(name),
      unit: fieldOf(part.tool, `${part.rows}.${field}`).unit,
    })),
    rows: rows.slice(0, part.args.limit as number).map((row: Data) => ({
      label: String(row[part.label] ?? ''),
      filter: filterOf(part, row),
      values: part.columns.map(({ field }) => numberAt(row, field)),
    })),
  };
}

function filterOf({ filter }: ListPart, row: Data): Filter | null {
  if (filter === undefined) return null;
  const value = row[filter.field];
  return typeof value === 'string' && canFilterBy(value) ? { dimension: filter.dimension, value } : null;
}
