import { Temporal } from 'temporal-polyfill';
import { onlyRow, type Queries } from '../../../../answers/fields/query.ts';
import { plan } from '../../../../answers/tool.ts';
import { type Assumption, describeRate } from '../../../../business/assumptions.ts';
import type { SnapshotFacts } from '../../../../business/snapshot-facts.ts';
import { InputError } from '../../../../errors.ts';
import { addMoney } from '../../../../statistics/rounded.ts';
import { type Range, readRange } from '../../../../time/range.ts';
import { adCostDays } from '../../../traffic/queries/ad-cost-days.ts';
import { type DimensionName, isPeriod, shownValue } from '../dimensions.ts';
import { REST_KEY } from '../fact.ts';
import { identifierNames } from '../names.ts';
import { readCompared } from '../question.ts';
import {
  daysWithOrders,
  type IsIn,
  partsOf,
  type Rates,
  type Rows,
  ratesOf,
  type Setting,
  type Used,
} from './group-parts.ts';
import { cutsLines, refundedLines, soldLines } from './line-parts.ts';
import { MOST_ROWS, refundedParts, soldParts } from './sold-parts.ts';
import { adCostParts, emailParts, type LoadedRow, loadedCosts, smsParts } from './spent-parts.ts';
import { LINES, type Parts, statementOf } from './statement.ts';
import { statementNotes } from './statement-notes.ts';

export const STATEMENT_CUTS = [
  'none',
  'day',
  'week',
  'month',
  'quarter',
  'year',
  'country',
  'channel',
  'coupon',
  'payment_method',
  'shipping_method',
  'customer_type',
  'product',
  'brand',
  'category',
] as const satisfies readonly ('none' | DimensionName)[];
type StatementCut = (typeof STATEMENT_CUTS)[number];

interface Asked {
  readonly business_id: string;
  readonly from_date: string;
  readonly to_date: string;
  readonly by: StatementCut;
  readonly limit: number;
  readonly compare: 'none' | 'previous_period' | 'previous_year' | 'range';
  readonly compare_from_date: string | null;
  readonly compare_to_date: string | null;
}

interface Context {
  readonly args: Asked;
  readonly timezone: string;
  readonly currency: string | null;
  readonly facts: SnapshotFacts;
  readonly assumptions?: readonly Assumption[];
  readonly mostRows: number;
}

/** Cuts of orders by something else than time. Only channels have advertising of their own. */
const isSpentBy = (by: DimensionName | null) => by === null || isPeriod(by) || by === 'channel';

export function planStatement({ args, timezone, currency, facts, assumptions = [], mostRows }: Context) {
  const by = args.by === 'none' ? null : args.by;
  const range = readRange(args, timezone);
  const compared = readCompared(args, range, timezone);
  if (compared !== null && by !== null && isPeriod(by))
    throw new InputError(
      `compare does not go with by ${by}: the periods of two ranges are different rows`,
      'Ask for the two ranges one after the other, or by none.',
    );
  // An amount of another currency says nothing here.
  const usable = assumptions.filter(({ amount, currency: of }) => amount === null || of === currency);
  const rates = ratesOf(usable);
  return plan({
    queries: {
      ...queriesOf('asked', range, by, facts, rates),
      ...(compared === null ? {} : queriesOf('compared', compared.range, by, facts, rates)),
      loaded: loadedCosts(),
      adDays: adCostDays(range),
    } as Queries,
    answer: (rows) => {
      const asked: Question = { args, by, range, compared, rates, usable, facts, timezone, mostRows };
      const used: Used = new Map();
      const [groups, earlier] = bothGroups(rows, asked, used);
      const notes = notesOf(rows, asked, groups, assumptions);
      const finish = (names: ReadonlyMap<string, string | null>) => ({
        result: {
          ...aboutAll(asked, groups, used),
          currency,
          lines: allLines(asked, groups, earlier, names),
        },
        notes,
      });
      if (by !== 'product') return finish(new Map());
      const keys = groups.map(({ key }) => key);
      return plan({
        queries: identifierNames([by], keys) as Queries,
        answer: ({ names = [] }) =>
          finish(
            new Map(
              (names as readonly { id: string; name: string | null }[]).map(({ id, name }) => [id, name]),
            ),
          ),
      });
    },
  });
}

/** What was asked, with all that its answer depends on. */
interface Question {
  readonly args: Asked;
  readonly by: DimensionName | null;
  readonly range: Range;
  readonly compared: ReturnType<typeof readCompared>;
  readonly rates: Rates;
  /** The assumptions that can be counted with. */
  readonly usable: readonly Assumption[];
  readonly facts: SnapshotFacts;
  readonly timezone: string;
  readonly mostRows: number;
}

/** The groups of the range, and the same of the compared one. `used` gets what assumptions made of the range. */
function bothGroups(
  rows: Found,
  question: Question,
  used: Used,
): readonly [readonly Group[], readonly Group[]] {
  const { args, by, range, compared, rates, facts, timezone, mostRows } = question;
  const settingOf = (of: Range): Setting => ({
    rates,
    facts,
    loaded: onlyRow(rows.loaded as readonly LoadedRow[]),
    days: daysWithOrders(of, facts, timezone),
  });
  const groups = groupsOf(rows, 'asked', by, settingOf(range), { limit: args.limit, shown: null }, used);
  refuseMore(groups.length, args.by, mostRows);
  if (compared === null) return [groups, []];
  const selection = { limit: args.limit, shown: groups.map(({ key }) => key) };
  return [groups, groupsOf(rows, 'compared', by, settingOf(compared.range), selection, new Map())];
}

function aboutAll({ args, compared, facts, usable }: Question, groups: readonly Group[], used: Used) {
  const { parts } = groups.at(-1) as Group;
  return {
    business_id: args.business_id,
    data_until: facts.orders_until,
    by: args.by,
    compared_range: compared === null ? null : { from_date: compared.from_date, to_date: compared.to_date },
    orders_count: parts.orders,
    orders_revenues: parts.priced === 0 && parts.orders > 0 ? null : parts.paid / 10_000,
    assumptions: usable.flatMap((one) => {
      const cost = used.get(one);
      return cost === undefined ? [] : [usedAssumption(one, cost)];
    }),
  };
}

function allLines(
  { by }: Question,
  groups: readonly Group[],
  earlier: readonly Group[],
  names: ReadonlyMap<string, string | null>,
) {
  return groups.flatMap(({ key, parts }) => {
    const before = earlier.find((one) => one.key === key);
    const group = by === null ? null : shownValue(by, key);
    return linesOf({ group, name: names.get(key) ?? null }, parts, before?.parts ?? null);
  });
}

function notesOf(
  rows: Found,
  { by, range, compared, usable, facts, timezone }: Question,
  groups: readonly Group[],
  assumptions: readonly Assumption[],
): string[] {
  const unusable = assumptions.filter((one) => !usable.includes(one));
  const adDays = (rows.adDays ?? []) as never;
  const total = (groups.at(-1) as Group).parts;
  return statementNotes({ total, by, range, compared, facts, timezone, adDays, unusable });
}

const TOTAL_KEY = '(total)';

function usedAssumption(assumption: Assumption, cost: number) {
  const { kind, from_day, payment_method, shipping_method, country } = assumption;
  const named = [payment_method, shipping_method, country].filter((name) => name !== null);
  return {
    kind,
    from_day,
    rate: describeRate(assumption),
    of: named.length === 0 ? null : named.join(', '),
    cost: Math.round(cost) / 10_000,
  };
}

function linesOf(
  named: { readonly group: string | null; readonly name: string | null },
  parts: Parts,
  before: Parts | null,
) {
  const earlier = before === null ? [] : statementOf(before);
  return statementOf(parts).map((line) => {
    const compared = earlier.find((one) => one.line === line.line)?.amount ?? null;
    const change = line.amount === null || compared === null ? null : addMoney(line.amount, -compared);
    return { ...named, ...line, compared_amount: compared, change };
  });
}

function refuseMore(groups: number, by: StatementCut, mostRows: number): void {
  const most = Math.floor(mostRows / LINES.length);
  if (groups <= most) return;
  throw new InputError(
    `by ${by} gives ${groups} statements of ${LINES.length} lines, and an answer has room for ${most}`,
    'Ask for a shorter range, a coarser period or a smaller limit.',
  );
}

/** Of which of the two ranges rows are. */
type Which = 'asked' | 'compared';

function queriesOf(
  name: Which,
  range: Range,
  by: DimensionName | null,
  facts: SnapshotFacts,
  rates: Rates,
): Queries {
  const ask = (cut: DimensionName | null) => {
    const dimensions = cut === null ? [] : [cut];
    return {
      sold: cutsLines(cut)
        ? soldLines({ range, facts, dimensions })
        : soldParts({ range, facts, dimensions }, rates),
      refunded: (cutsLines(cut) ? refundedLines : refundedParts)({ range, facts, dimensions }),
      advertised: isSpentBy(cut) ? adCostParts(range, cut) : null,
      emails: isSpentBy(cut) ? emailParts(range, cut, rates.emails) : null,
      sms: isSpentBy(cut) ? smsParts(range, cut) : null,
    };
  };
  const named = (prefix: string, queries: Queries) =>
    Object.fromEntries(Object.entries(queries).map(([key, one]) => [`${prefix}_${key}`, one]));
  return { ...named(name, ask(by)), ...(by === null ? {} : named(`${name}_total`, ask(null))) };
}

type Found = Readonly<Record<string, readonly unknown[]>>;

function taken(prefix: string, found: Found): Rows {
  const of = (key: keyof Rows) => (found[`${prefix}_${key}`] ?? []) as never;
  return {
    sold: of('sold'),
    refunded: of('refunded'),
    advertised: of('advertised'),
    emails: of('emails'),
    sms: of('sms'),
  };
}

interface Group {
  readonly key: string;
  readonly parts: Parts;
}

interface Selection {
  readonly limit: number;
  /** The keys of the groups, where they are those of another range. */
  readonly shown: readonly string[] | null;
}

/** The groups of a range and, as the last one, all of it. */
function groupsOf(
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
  const total = partsOf(all, null, taken(`${name}_total`, found), setting, used);
  const groups = isPeriod(by) ? periodGroups(rows, by, setting) : largestGroups(rows, by, setting, selection);
  return [...groups, { key: TOTAL_KEY, parts: total }];
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

/** Those that were paid most, or those of another range, and what is left together. */
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
