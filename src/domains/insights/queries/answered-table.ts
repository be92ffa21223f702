import { type KnownName, namedButUnknown } from '../../../answers/existing-names.ts';
import { type Field, field } from '../../../answers/fields/field.ts';
import type { Queries } from '../../../answers/fields/query.ts';
import { UNITS, type Unit } from '../../../answers/fields/units.ts';
import { FollowedPeople, isSmall } from '../../../answers/small-groups.ts';
import type { Answer, Plan } from '../../../answers/tool.ts';
import type { SnapshotFacts } from '../../../business/snapshot-facts.ts';
import { InputError } from '../../../errors.ts';
import type { Row, SqlValue } from '../../../sql/row.ts';
import { addMoney, roundedPercent } from '../../../statistics/rounded.ts';
import type { Range } from '../../../time/range.ts';
import { hasLargeOrder, type SumWithLargest } from '../../orders/queries/large-orders.ts';
import { askRows, MOST_GROUPS } from './asked-rows.ts';
import { habitsOf } from './customer-habits.ts';
import { compareValues, DIMENSIONS, isPlain, shownValue } from './dimensions.ts';
import { type Fact, type FactQuestion, REST_KEY, SEPARATOR } from './fact.ts';
import {
  filteredNames,
  type IdentifierName,
  identifierNames,
  knownValues,
  NAMED_IDS,
  valuesThatExist,
} from './filtered-names.ts';
import { largeOrderQueries, looksForLargest } from './large-order-notes.ts';
import { definitionOf, metricNamed, valueOfNothing } from './metric-layer.ts';
import type { FoundAside } from './metric-notes.ts';
import type { QueryArguments, Question } from './question.ts';
import { type Compared, peopleOf, type Values, withoutFew, withoutFewOfOverlapping } from './rows-of-few.ts';

const TOTAL = '(total)';

export const tableFields = [
  field({
    key: 'currency',
    type: 'text',
    null: 'not set',
    definition: 'Of all money.',
  }),
  field({
    key: 'groups_count',
    type: 'integer',
    unit: 'rows',
    definition: 'Combinations of values with data that having leaves, before limit.',
  }),
  field({
    key: 'compared_range',
    type: 'json',
    null: 'not asked for',
    definition: 'Days, both inclusive.',
  }),
  field({
    key: 'columns',
    type: 'list',
    of: 'text',
    definition:
      'Of each cell of a row: dimensions, then metrics; beside a comparison each with .compared, .change and .change_percent of .compared.',
  }),
  field({
    key: 'units',
    type: 'json',
    definition: 'Of measures, and of counts of people, which are null where few; money: of currency.',
  }),
  field({ key: 'definitions', type: 'json', definition: 'Of columns whose name does not say all.' }),
  field({
    key: 'rows',
    type: 'list',
    of: 'cells',
    definition:
      'Cells in the order of columns. Last (rest): all that is in no row before; and (total): all, counted anew.',
  }),
] as const satisfies readonly Field[];

export interface TableContext {
  readonly business_id: string;
  readonly args: QueryArguments;
  readonly question: Question;
  readonly facts: SnapshotFacts;
  readonly currency: string | null;
  /** The questions that only the notes ask of the store. */
  readonly aside: Queries;
  /**
   * The notes on the numbers beside them.
   *
   * @param keys of the rows before the rest and the total
   * @param sorted the values of these rows
   */
  notes(
    values: readonly Values[],
    asked: Found,
    keys: readonly string[],
    sorted: readonly Values[],
  ): readonly string[];
}

/**
 * What is asked of each fact, and how its rows become one table: joined on their keys, sorted, cut, with what
 * is left.
 */
export function planTable(context: TableContext): Plan<Table> {
  const { question } = context;
  const ranges = rangesOf(question);
  const isCut = question.dimensions.length > 0;
  const queries: Record<string, Queries[string]> = {
    known: knownValues(question),
    ...context.aside,
  };
  for (const [place, range] of ranges.entries())
    for (const fact of question.facts) {
      if (!tellsTotal(question, fact))
        queries[`total_${place}_${fact.name}`] = ask(question, fact, range, [], null, context.facts);
      if (isCut)
        queries[`rows_${place}_${fact.name}`] = ask(
          question,
          fact,
          range,
          question.dimensions,
          null,
          context.facts,
        );
    }
  return {
    queries,
    countsFirstOrders:
      question.metrics.some(({ metric }) => metric.sinceFirst === true) ||
      [...question.dimensions, ...question.conditions.map(({ dimension }) => dimension)].includes(
        'customer_type',
      ),
    answer: (rows) => withLarge(context, withTotals(question, rows)),
  };
}

/** Second, where rows tell that one order makes a large part of one: which it is. */
function withLarge(context: TableContext, found: Found): Tabled {
  const { question, facts } = context;
  const queries = largeOrderQueries(
    question,
    facts,
    (fact, place) =>
      looksForLargest(question, fact) &&
      ['rows', 'total'].some((kind) =>
        found[`${kind}_${place}_${fact.name}`]?.some((row) =>
          hasLargeOrder(row as unknown as SumWithLargest),
        ),
      ),
  );
  if (Object.keys(queries).length === 0) return withGroups(context, found);
  return { queries, answer: (rows) => withGroups(context, { ...found, ...rows }) };
}

/** Says whether the rows of the fact bring their total along. */
function tellsTotal({ dimensions }: Pick<Question, 'dimensions'>, fact: Fact): boolean {
  return dimensions.length > 0 && (fact.tellsTotal?.(dimensions) ?? false);
}

/** The totals that rows brought along, apart from these. */
function withTotals(question: Question, found: Found): Found {
  const facts = question.facts.filter((fact) => tellsTotal(question, fact));
  const parted = rangesOf(question).flatMap((_, place) =>
    facts.flatMap(({ name }) => {
      const all = found[`rows_${place}_${name}`] ?? [];
      return [
        [`rows_${place}_${name}`, all.filter(({ row_key }) => row_key !== null)],
        [`total_${place}_${name}`, all.filter(({ row_key }) => row_key === null)],
      ] as const;
    }),
  );
  return { ...found, ...Object.fromEntries(parted) };
}

/** The rows of facts by their names, beside those of what the question names. */
interface Found extends FoundAside {
  readonly known?: readonly KnownName[];
  readonly names?: readonly IdentifierName[];
}

function rangesOf({ range, compared }: Question): readonly Range[] {
  return compared === null ? [range] : [range, compared.range];
}

/** The answer asks for this metric where rows of few customers are hidden. */
const CUSTOMERS = 'customers_count';

function ask(
  whole: Question,
  fact: Fact,
  range: Range,
  dimensions: FactQuestion['dimensions'],
  rest: FactQuestion['rest'],
  facts: SnapshotFacts,
) {
  const { metrics, conditions, ...question } = whole;
  const isFollowed = habitsOf({ ...question, conditions }).length > 0;
  const asked = isFollowed ? new Set([...metrics, metricNamed(CUSTOMERS)]) : new Set(metrics);
  if (fact.overlaps && fact.people !== undefined)
    asked.add({ name: fact.people.key, metric: fact.people, fact, addsUp: false });
  const { clickWindowDays } = question;
  const withTotal = rest === null && tellsTotal({ dimensions }, fact);
  const withLargest = rest === null && looksForLargest(whole, fact);
  const about = { range, facts, dimensions, conditions, rest, clickWindowDays, withTotal, withLargest };
  return askRows(fact, [...asked], about);
}

/** Then, where some groups have no row of their own: these together, and names beside ids. */
function withGroups(context: TableContext, found: Found): Tabled {
  const { args, question } = context;
  const ranges = rangesOf(question);
  const followed = habitsOf(question).length === 0 ? null : new FollowedPeople();
  const all = joined(context, found, ranges).toSorted(([one], [other]) => (one < other ? -1 : 1));
  const groups =
    followed === null
      ? withoutFewOfOverlapping(all, together(context, found, 'total'), question)
      : withoutFew(all, followed);
  const kept = groups.filter(([, values]) => passes(values.now, args.having));
  const sorted = kept.toSorted(order(question));
  const shown = sorted.slice(0, args.limit);
  const isRest = shown.length < groups.length;
  const keys = shown.map(([key]) => key);
  const queries: Record<string, Queries[string]> = { ...identifierNames(question.dimensions, keys) };
  for (const [place, range] of ranges.entries())
    for (const fact of question.facts)
      if (isRest && question.dimensions.length > 0)
        queries[`rest_${place}_${fact.name}`] = ask(
          question,
          fact,
          range,
          question.dimensions,
          keys,
          context.facts,
        );
  const done = (more: Found) =>
    tableOf(context, { found, more, shown, groupsCount: kept.length, isRest, ranges, followed });
  if (Object.keys(queries).length === 0) return done({});
  return { queries, answer: done };
}

type Group = readonly [key: string, values: Compared];

/** The rows of all facts and both ranges by their keys; where one has none, nothing happened there. */
function joined({ question, facts }: TableContext, found: Found, ranges: readonly Range[]): readonly Group[] {
  if (question.dimensions.length === 0) return [];
  const byKey = new Map<string, Record<string, number | null>[]>();
  const people = new Map<string, Record<string, number[]>>();
  for (const place of ranges.keys())
    for (const fact of question.facts) {
      const rows = found[`rows_${place}_${fact.name}`] ?? [];
      if (rows.length > MOST_GROUPS)
        throw new InputError(
          `group_by ${question.dimensions.join(', ')} gives more than ${MOST_GROUPS} rows in this range`,
          'Ask for fewer or coarser dimensions, a shorter range, or filter them.',
        );
      for (const row of rows) {
        const key = String(row.row_key);
        const values = byKey.get(key) ?? ranges.map(() => ({}));
        byKey.set(key, values);
        Object.assign(values[place] as object, valuesOf(question, fact, row));
        const counts = people.get(key) ?? {};
        people.set(key, counts);
        counts[fact.name] ??= [0, 0];
        (counts[fact.name] as number[])[place] = peopleOf(fact, row);
      }
    }
  return [...byKey].map(([key, values]) => [
    key,
    {
      now: filled(question, facts, values[0] ?? {}),
      before: values[1] === undefined ? null : filled(question, facts, values[1]),
      people: people.get(key) ?? {},
    },
  ]);
}

/** Values under the names that were asked for. */
function valuesOf(question: Question, fact: Fact, row: Row | undefined): Record<string, number | null> {
  const isCut = question.dimensions.length + question.conditions.length > 0;
  return Object.fromEntries(
    question.metrics.flatMap(({ name, metric, fact: its }) => {
      if (its !== fact) return [];
      const value = (row as Readonly<Record<string, SqlValue>>)[metric.key] as number | null;
      return [[name, isCut && isOfPeople(metric.unit) && value !== null && isSmall(value) ? null : value]];
    }),
  );
}

/** The count of people beside numbers of the shop is hidden where it is small: docs/decisions/0184. */
function isOfPeople(unit: string | undefined): boolean {
  return unit === 'customers' || unit === 'visitors' || unit === 'profiles';
}

function filled({ metrics }: Question, facts: SnapshotFacts, values: Values): Values {
  return Object.fromEntries(
    metrics.map((one) => [
      one.name,
      one.name in values ? (values[one.name] as number | null) : valueOfNothing(one, facts),
    ]),
  );
}

function passes(values: Values, having: QueryArguments['having']): boolean {
  return having.every(({ metric, min, max }) => {
    const value = values[metric] ?? null;
    return value !== null && (min == null || value >= min) && (max == null || value <= max);
  });
}

function order({ sort, dimensions }: Question) {
  const sign = sort.order === 'asc' ? 1 : -1;
  const place = (dimensions as readonly string[]).indexOf(sort.name);
  return ([oneKey, one]: Group, [otherKey, other]: Group): number => {
    if (sort.by === 'dimension') {
      const [a = '', b = ''] = [oneKey, otherKey].map((key) => key.split(SEPARATOR)[place]);
      const compared = compareValues(sort.name as Question['dimensions'][number], a, b);
      if (compared !== 0) return sign * compared;
    } else {
      const [a = null, b = null] = [one.now[sort.name], other.now[sort.name]];
      if (a !== b) {
        if (a === null) return 1;
        if (b === null) return -1;
        return sign * (a - b);
      }
    }
    return oneKey < otherKey ? -1 : 1;
  };
}

interface Grouped {
  readonly found: Found;
  readonly more: Found;
  readonly shown: readonly Group[];
  readonly groupsCount: number;
  readonly isRest: boolean;
  readonly ranges: readonly Range[];
  /** The limit for answers that follow customers; null when the answer is about the store. */
  readonly followed: FollowedPeople | null;
}

/** What all facts say of one row, as the total. */
function together({ question, facts }: TableContext, rows: Found, name: string): Compared {
  const ranges = rangesOf(question);
  const rowOf = (fact: Fact, place: number) => rows[`${name}_${place}_${fact.name}`]?.[0];
  const [now, before] = ranges.map((_, place) => {
    const values = question.facts.map((fact) => {
      const row = rowOf(fact, place);
      return row === undefined ? {} : valuesOf(question, fact, row);
    });
    return filled(question, facts, Object.assign({}, ...values));
  });
  const people = Object.fromEntries(
    question.facts.map((fact) => [fact.name, ranges.map((_, place) => peopleOf(fact, rowOf(fact, place)))]),
  );
  return { now: now as Values, before: before ?? null, people };
}

type Table = ReturnType<typeof tableOf>['result'];
type Tabled = Answer<Table> | Plan<Table>;

function tableOf(context: TableContext, grouped: Grouped) {
  const { question, currency } = context;
  const { dimensions, metrics, compared } = question;
  const { found, more, groupsCount, isRest, followed } = grouped;
  const nameOf = new Map((more.names ?? []).map(({ id, name }) => [id, name]));
  const ids = dimensions.filter((one) => NAMED_IDS.includes(one));
  const named = (values: readonly string[]) =>
    dimensions.flatMap((one, place) => {
      const value = values[place] ?? '';
      return ids.includes(one)
        ? [shownValue(one, value), nameOf.get(value) ?? null]
        : [shownValue(one, value)];
    });
  const label = (text: string) =>
    dimensions.flatMap((one, place) => {
      const value = place === 0 ? text : null;
      return ids.includes(one) ? [value, null] : [value];
    });
  const whole = together(context, found, 'total');
  const all = followed === null ? whole : (withoutFew([[TOTAL, whole]], followed)[0]?.[1] ?? whole);
  const rest: Group[] = isRest && dimensions.length > 0 ? [[REST_KEY, together(context, more, 'rest')]] : [];
  const parts = [...grouped.shown, ...rest];
  const safe =
    followed === null ? withoutFewOfOverlapping(parts, whole, question) : withoutFew(parts, followed);
  const [shown, left] = [safe.slice(0, grouped.shown.length), safe[grouped.shown.length]?.[1] ?? null];
  const cells = (values: Compared) => metrics.flatMap(({ name }) => valueCells(name, values));
  const rows = [
    ...shown.map(([key, values]) => [...named(key.split(SEPARATOR)), ...cells(values)]),
    ...(left === null ? [] : [[...label(REST_KEY), ...cells(left)]]),
    [...label(TOTAL), ...cells(all)],
  ];
  const values = [...shown.map(([, one]) => one), ...(left === null ? [] : [left]), all];
  return {
    result: {
      business_id: context.business_id,
      currency,
      groups_count: groupsCount,
      compared_range: compared && { from_date: compared.from_date, to_date: compared.to_date },
      columns: [
        ...dimensions.flatMap((one) => dimensionColumns(one)),
        ...metrics.flatMap(({ name }) => metricColumns(name, compared !== null)),
      ],
      units: Object.fromEntries(
        metrics.flatMap(({ name, metric: { unit } }) =>
          isMeasure(unit) || isOfPeople(unit) ? [[name, unit]] : [],
        ),
      ),
      definitions: Object.fromEntries([
        ...dimensions.flatMap((one) => (isPlain(one) ? [] : [[one, DIMENSIONS[one].definition]])),
        ...metrics.map((one) => [one.name, definitionOf(one)]),
      ]),
      rows,
    },
    notes: [
      ...namedButUnknown(valuesThatExist(question), filteredNames(question), found.known ?? []),
      ...context.notes(
        values.flatMap(({ now, before }) => (before === null ? [now] : [now, before])),
        found,
        shown.map(([key]) => key),
        shown.map(([, { now }]) => now),
      ),
      ...(followed?.notes() ?? []),
    ],
  };
}

function dimensionColumns(name: Question['dimensions'][number]): string[] {
  return NAMED_IDS.includes(name) ? [name, `${name}_name`] : [name];
}

function metricColumns(name: string, isCompared: boolean): string[] {
  return isCompared ? [name, `${name}.compared`, `${name}.change`, `${name}.change_percent`] : [name];
}

function isMeasure(unit: Unit | undefined): boolean {
  return unit !== undefined && UNITS[unit] === 'measure';
}

function valueCells(name: string, { now, before }: Compared): (number | null)[] {
  const value = now[name] ?? null;
  if (before === null) return [value];
  const compared = before[name] ?? null;
  const change = value === null || compared === null ? null : addMoney(value, -compared);
  return [
    value,
    compared,
    change,
    change === null || compared === null ? null : roundedPercent(change, Math.abs(compared)),
  ];
}
