import type { Business } from '../business/business.ts';
import { localDay } from '../charts/dates.ts';
import type { DrawnStore } from '../charts/drawn-store.ts';
import type { Caller } from '../control/callers.ts';
import { chartStore } from '../mcp/chart-store.ts';
import { atOneSnapshot, type ToolEnvironment } from '../mcp/run-tool.ts';
import { Answers, type Data, fieldOf, numberAt } from './answers.ts';
import type { AskedOverview } from './asked.ts';
import { CARDS, type CardPart, LISTS, type ListPart } from './parts.ts';
import { type Days, daysOfPeriod } from './periods.ts';
import { readTrend, type Trend } from './trends.ts';

/** A number beside that of the days before. */
export interface Card {
  readonly key: string;
  readonly name: string;
  readonly unit: string | undefined;
  readonly definition: string;
  /** Null: not known. */
  readonly value: number | null;
  /** Null: not known, or compared with nothing. */
  readonly before: number | null;
  /** In percent of what was before, of percentages in points; null where either is not known, or what was before is 0. */
  readonly change: number | null;
  /** Along time; null where that is not known. */
  readonly trend: Trend | null;
  /** The title of the list that tells more, where nothing is known along time. */
  readonly list: string | null;
}

export interface List {
  readonly title: string;
  readonly columns: readonly { readonly name: string; readonly unit: string | undefined }[];
  readonly rows: readonly { readonly label: string; readonly values: readonly (number | null)[] }[];
}

/** What a store sold in some days, and by what. Every number is that of a tool, asked as the caller. */
export interface Overview {
  readonly store: DrawnStore;
  readonly asked: AskedOverview;
  readonly days: Days;
  readonly before: Days | null;
  /** Why there is nothing before, though it was asked for. */
  readonly notCompared: string | null;
  readonly cards: readonly Card[];
  readonly lists: readonly List[];
  /** What one must know to read the numbers right, each once. */
  readonly notes: readonly string[];
  /** Parts that this caller may not read, or that cannot be shown, with the reason. */
  readonly missing: readonly { readonly name: string; readonly why: string }[];
}

/**
 * @returns null where no orders are loaded
 * @throws InputError what all tools refuse, such as a caller who may not read the store
 */
export async function readOverview(
  environment: ToolEnvironment,
  caller: Caller,
  business: Business,
  asked: AskedOverview,
): Promise<Overview | null> {
  const atOnce = atOneSnapshot(environment);
  const served = await atOnce.findServed(business.business_id);
  if (served === null || served.facts.orders_until === null) return null;
  const store = chartStore(business, served.facts);
  const lastDay = localDay(served.facts.orders_until, store);
  if (lastDay === null) return null;
  const { days, before: wanted } = daysOfPeriod(asked, lastDay);
  const firstDay = served.facts.history_starts_at && localDay(served.facts.history_starts_at, store);
  const isBefore = wanted !== null && firstDay !== null && wanted.from_date < firstDay;
  const before = isBefore ? null : wanted;
  const answers = new Answers(atOnce, caller, business.business_id);
  const [cards, lists] = await Promise.all([
    Promise.all(CARDS.map((part) => readCard(answers, part, { store, days, before }))),
    Promise.all(LISTS.map((part) => readList(answers, part, days))),
  ]);
  return {
    store,
    asked,
    days,
    before,
    notCompared: isBefore
      ? `The first loaded order is of ${firstDay}, so there is nothing before to compare with.`
      : null,
    cards: cards.filter((card) => card !== null),
    lists: lists.filter((list) => list !== null && list.rows.length > 0) as List[],
    notes: answers.notes(days),
    missing: answers.missing(),
  };
}

interface Range {
  readonly store: DrawnStore;
  readonly days: Days;
  readonly before: Days | null;
}

async function readCard(answers: Answers, part: CardPart, range: Range): Promise<Card | null> {
  const { days, before } = range;
  const [now, earlier, trend] = await Promise.all([
    answers.of(part.name, part, days),
    before === null ? null : answers.of(part.name, part, before),
    readTrend(answers, part, range),
  ]);
  if (now === null) return null;
  const { unit, definition } = fieldOf(part.tool, part.field);
  const value = numberAt(now, part.field);
  const valueBefore = earlier === null ? null : numberAt(earlier, part.field);
  return {
    key: part.key,
    name: part.name,
    unit,
    definition,
    value,
    before: valueBefore,
    change: changeOf(value, valueBefore, unit),
    trend,
    list: 'list' in part.more ? part.more.list : null,
  };
}

/** In percent, or in points where the values are percentages. */
function changeOf(value: number | null, before: number | null, unit: string | undefined): number | null {
  if (value === null || before === null) return null;
  if (unit === 'percent') return value - before;
  return before === 0 ? null : (100 * (value - before)) / Math.abs(before);
}

async function readList(answers: Answers, part: ListPart, days: Days): Promise<List | null> {
  const rows = (await answers.of(part.title, part, days))?.[part.rows];
  if (!Array.isArray(rows)) return null;
  return {
    title: part.title,
    columns: part.columns.map(({ name, field }) => ({
      name,
      unit: fieldOf(part.tool, `${part.rows}.${field}`).unit,
    })),
    rows: rows.slice(0, part.args.limit as number).map((row: Data) => ({
      label: String(row[part.label] ?? ''),
      values: part.columns.map(({ field }) => numberAt(row, field)),
    })),
  };
}
