import { Temporal } from 'temporal-polyfill';
import { InputError } from '../../../../errors.ts';
import { type DimensionName, isPeriod } from '../dimensions.ts';
import { REST_KEY } from '../fact.ts';
import { isOrderInOneRow } from '../order-facts.ts';
import { type IsIn, partsOf, type Rows, type Setting, type Used } from './group-parts.ts';
import { cutsLines } from './line-parts.ts';
import type { Parts } from './profit-lines.ts';
import { ADDED, MOST_ROWS, RATE_PLACES, type SoldRow } from './sold-parts.ts';

export const TOTAL_KEY = '(total)';

/** The range that rows belong to. */
export type Which = 'asked' | 'compared';

/** The rows of all queries, by their names. */
export type Found = Readonly<Record<string, readonly unknown[]>>;

function taken(prefix: string, found: Found): Rows {
  const of = (key: keyof Rows) => (found[`${prefix}_${key}`] ?? []) as never;
  return {
    sold: of('sold'),
    refunded: of('refunded'),
    returned: of('returned'),
    advertised: of('advertised'),
    emails: of('emails'),
    sms: of('sms'),
  };
}

export interface Group {
  readonly key: string;
  readonly parts: Parts;
}

interface Selection {
  readonly limit: number;
  /** The keys of the groups, where they are those of another range. */
  readonly shown: readonly string[] | null;
}

/** The groups of a range and, as the last one, all of it. */
export function groupsOf(
  found: Found,
  name: Which,
  by: DimensionName | null,
  setting: Setting,
  selection: Selection,
  used: Used,
): readonly Group[] {
  const all = () => true;
  const rows = taken(name, found);
  if (by !== null && [rows.sold, rows.refunded].some(({ length }) => length > MOST_ROWS))
    throw new InputError(
      `by ${by} has too many values in this range to be put together`,
      'Ask for a shorter range, or by something with fewer values.',
    );
  if (by === null) return [{ key: '', parts: partsOf(all, null, rows, setting, used) }];
  const ofAll = taken(`${name}_total`, found);
  const sold = areAllSold(by) ? summed(rows.sold) : ofAll.sold;
  const total = partsOf(all, null, { ...ofAll, sold }, setting, used);
  const groups = isPeriod(by) ? periodGroups(rows, by, setting) : largestGroups(rows, by, setting, selection);
  return [...groups, { key: TOTAL_KEY, parts: total }];
}

/** Whether the rows have all of every order once, so that together they are the total. */
export function areAllSold(by: DimensionName): boolean {
  return !cutsLines(by) && isOrderInOneRow([by]);
}

/** Rows of all orders together, one for each choice of rates. */
function summed(rows: readonly SoldRow[]): readonly SoldRow[] {
  const byRates = Map.groupBy(rows, (row) => RATE_PLACES.map((place) => row[place]).join());
  return [...byRates.values()].map((alike) => {
    const sums = ADDED.map((key) => [key, alike.reduce((sum, row) => sum + row[key], 0)] as const);
    return { ...(alike[0] as SoldRow), ...Object.fromEntries(sums) };
  });
}

function periodGroups(rows: Rows, by: DimensionName, setting: Setting): readonly Group[] {
  const days = Map.groupBy(setting.days, (day) => keyOfDay(by, day));
  const keys = [...new Set([...keysOf(rows), ...days.keys()])].toSorted();
  return keys.map((key) => {
    const isIn = (one: string) => one === key;
    const own = { ...setting, days: days.get(key) ?? [] };
    return { key, parts: partsOf(isIn, by, rowsWith(rows, isIn), own, new Map()) };
  });
}

/** The largest groups by payment, or those of another range, and the rest together. */
function largestGroups(
  rows: Rows,
  by: DimensionName,
  setting: Setting,
  { limit, shown }: Selection,
): readonly Group[] {
  const paid = new Map(keysOf(rows).map((key) => [key, 0]));
  for (const { row_key, paid: own } of rows.sold) paid.set(row_key, (paid.get(row_key) ?? 0) + own);
  const largest = [...paid]
    .toSorted(([one, few], [other, many]) => many - few || (one < other ? -1 : 1))
    .map(([key]) => key);
  const own = shown?.filter((key) => key !== REST_KEY && key !== TOTAL_KEY) ?? largest.slice(0, limit);
  const group = (key: string, isIn: IsIn) => ({
    key,
    parts: partsOf(isIn, by, rowsWith(rows, isIn), setting, new Map()),
  });
  const isRest = (key: string) => !own.includes(key);
  return [
    ...own.map((key) => group(key, (one) => one === key)),
    ...(largest.some(isRest) ? [group(REST_KEY, isRest)] : []),
  ];
}

function keysOf(rows: Rows): readonly string[] {
  const lists: readonly (readonly { readonly row_key: string }[])[] = Object.values(rows);
  return lists.flatMap((list) => list.map(({ row_key }) => row_key));
}

function rowsWith(rows: Rows, isIn: IsIn): Rows {
  const kept = <Row extends { readonly row_key: string }>(list: readonly Row[]) =>
    list.filter(({ row_key }) => isIn(row_key));
  return {
    sold: kept(rows.sold),
    refunded: kept(rows.refunded),
    returned: kept(rows.returned),
    advertised: kept(rows.advertised),
    emails: kept(rows.emails),
    sms: kept(rows.sms),
  };
}

/** The key that rows of the day have: see `periodCuts`. */
function keyOfDay(by: DimensionName, day: string): string {
  if (by === 'day') return day;
  const date = Temporal.PlainDate.from(day);
  if (by === 'week') return date.subtract({ days: date.dayOfWeek - 1 }).toString();
  if (by === 'month') return day.slice(0, 7);
  return by === 'quarter' ? `${day.slice(0, 4)}-Q${Math.ceil(date.month / 3)}` : day.slice(0, 4);
}
