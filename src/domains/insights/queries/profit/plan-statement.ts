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
import { refundedParts, soldParts } from './sold-parts.ts';
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
      const settingOf = (of: Range): Setting => ({
        rates,
        facts,
        loaded: onlyRow(rows.loaded as readonly LoadedRow[]),
        days: daysWithOrders(of, facts, timezone),
      });
      const used: Used = new Map();
      const groups = groupsOf(rows, 'asked', by, settingOf(range), { limit: args.limit, shown: null }, used);
      refuseMore(groups.length, args.by, mostRows);
      const shown = groups.map(({ key }) => key);
      const earlier =
        compared === null
          ? []
          : groupsOf(
              rows,
              'compared',
              by,
              settingOf(compared.range),
              { limit: args.limit, shown },
              new Map(),
            );
      const total = groups.at(-1) as Group;
      return {
        result: {
          business_id: args.business_id,
          data_until: facts.orders_until,
          by: args.by,
          currency,
          compared_range:
            compared === null ? null : { from_date: compared.from_date, to_date: compared.to_date },
          orders_count: total.parts.orders,
          orders_revenues:
            total.parts.priced === 0 && total.parts.orders > 0 ? null : total.parts.paid / 10_000,
          lines: groups.flatMap(({ key, parts }) => {
            const before = earlier.find((one) => one.key === key);
            const group = by === null ? null : shownValue(by, key);
            return linesOf(group, parts, before?.parts ?? null);
          }),
          assumptions: usable.flatMap((one) => {
            const cost = used.get(one);
            return cost === undefined ? [] : [usedAssumption(one, cost)];
          }),
        },
        notes: statementNotes({
          total: total.parts,
          by,
          range,
          compared,
          facts,
          timezone,
          adDays: (rows.adDays ?? []) as never,
          unusable: assumptions.filter((one) => !usable.includes(one)),
        }),
      };
    },
  });
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

function linesOf(group: string | null, parts: Parts, before: Parts | null) {
  const earlier = before === null ? [] : statementOf(before);
  return statementOf(parts).map((line) => {
    const compared = earlier.find((one) => one.line === line.line)?.amount ?? null;
    const change = line.amount === null || compared === null ? null : addMoney(line.amount, -compared);
    return { group, ...line, compared_amount: compared, change };
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
      sold: soldParts({ range, facts, dimensions }, rates),
      refunded: refundedParts({ range, facts, dimensions }),
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
