import { namedButUnknown } from '../../../answers/existing-names.ts';
import { type Field, field } from '../../../answers/fields/field.ts';
import type { Queries } from '../../../answers/fields/query.ts';
import { isSmall } from '../../../answers/small-groups.ts';
import type { Answer, Plan } from '../../../answers/tool.ts';
import type { SnapshotFacts } from '../../../business/snapshot-facts.ts';
import { InputError } from '../../../errors.ts';
import type { Row, SqlValue } from '../../../sql/row.ts';
import { addMoney, roundedPercent } from '../../../statistics/rounded.ts';
import type { Range } from '../../../time/range.ts';
import { askRows, MOST_GROUPS } from './asked-rows.ts';
import { DIMENSIONS, shownValue } from './dimensions.ts';
import { type Fact, type FactQuestion, REST_KEY, SEPARATOR } from './fact.ts';
import { filteredNames, identifierNames, knownValues, NAMED_IDS, valuesThatExist } from './filtered-names.ts';
import { definitionOf, type NamedMetric, valueOfNothing } from './metric-layer.ts';
import type { QueryArguments, Question } from './question.ts';

const TOTAL = '(total)';

type Values = Readonly<Record<string, number | null>>;

/** The values of one row, now and in the compared range. */
interface Compared {
  readonly now: Values;
  readonly before: Values | null;
}

const cell = field({
  key: 'columns',
  type: 'list',
  definition: 'Of each cell of a row.',
  fields: [
    field({ key: 'name', type: 'text', definition: 'A dimension or metric, as asked.' }),
    field({ key: 'unit', type: 'text', null: 'a name', definition: 'Money: of the currency.' }),
    field({ key: 'definition', type: 'text', definition: 'What the cell is.' }),
  ],
});

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
  cell,
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
  /** What only the notes ask of the store. */
  readonly aside: Queries;
  /**
   * What is said of the numbers beside them.
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

/** What is asked of each fact, and how its rows become one table: joined on their keys, sorted, cut, with what is left. */
export function planTable(context: TableContext): Plan {
  const { question } = context;
  const ranges = rangesOf(question);
  const isCut = question.dimensions.length > 0;
  const queries: Record<string, Queries[string]> = {
    known: knownValues(question),
    ...context.aside,
  };
  for (const [place, range] of ranges.entries())
    for (const fact of question.facts) {
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
    answer: (rows) => withGroups(context, rows as unknown as Found),
  };
}

type Found = Readonly<Record<string, readonly Row[]>>;

function rangesOf({ range, compared }: Question): readonly Range[] {
  return compared === null ? [range] : [range, compared.range];
}

function ask(
  { metrics, conditions }: Question,
  fact: Fact,
  range: Range,
  dimensions: FactQuestion['dimensions'],
  rest: FactQuestion['rest'],
  facts: SnapshotFacts,
) {
  return askRows(fact, metrics, { range, facts, dimensions, conditions, rest });
}

/** Second, where some groups have no row of their own: these together, and names beside ids. */
function withGroups(context: TableContext, found: Found): Answer | Plan {
  const { args, question } = context;
  const ranges = rangesOf(question);
  const groups = joined(context, found, ranges);
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
    tableOf(context, { found, more, shown, groupsCount: kept.length, isRest, ranges });
  if (Object.keys(queries).length === 0) return done({});
  return { queries, answer: (rows) => done(rows as unknown as Found) };
}

type Group = readonly [key: string, values: Compared];

/** The rows of all facts and both ranges by their keys; where one has none, nothing happened there. */
function joined({ question, facts }: TableContext, found: Found, ranges: readonly Range[]): readonly Group[] {
  if (question.dimensions.length === 0) return [];
  const byKey = new Map<string, Record<string, number | null>[]>();
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
      }
    }
  return [...byKey].map(([key, values]) => [
    key,
    {
      now: filled(question, facts, values[0] ?? {}),
      before: values[1] === undefined ? null : filled(question, facts, values[1]),
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
      if (a !== b) return sign * (a < b ? -1 : 1);
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
}

function tableOf(context: TableContext, grouped: Grouped): Answer {
  const { question, currency, facts } = context;
  const { dimensions, metrics, compared } = question;
  const { found, more, shown, groupsCount, isRest, ranges } = grouped;
  const together = (rows: Found, name: string): Compared => {
    const [now, before] = ranges.map((_, place) =>
      filled(
        question,
        facts,
        Object.assign(
          {},
          ...question.facts.map((fact) => {
            const row = rows[`${name}_${place}_${fact.name}`]?.[0];
            return row === undefined ? {} : valuesOf(question, fact, row);
          }),
        ),
      ),
    );
    return { now: now as Values, before: before ?? null };
  };
  const nameOf = new Map((more.names ?? []).map((row) => [String(row.id), row.name as string | null]));
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
  const all = together(found, 'total');
  const left = isRest && dimensions.length > 0 ? together(more, 'rest') : null;
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
        ...metrics.flatMap((one) => metricColumns(one, compared !== null)),
      ],
      rows,
    },
    notes: [
      ...namedButUnknown(valuesThatExist(question), filteredNames(question), found.known as never),
      ...context.notes(
        values.flatMap(({ now, before }) => (before === null ? [now] : [now, before])),
        found,
        shown.map(([key]) => key),
        shown.map(([, { now }]) => now),
      ),
    ],
  };
}

function dimensionColumns(name: Question['dimensions'][number]) {
  const own = { name, unit: null, definition: DIMENSIONS[name].definition };
  if (!NAMED_IDS.includes(name)) return [own];
  return [own, { name: `${name}_name`, unit: null, definition: 'Its name. Business data.' }];
}

function metricColumns(one: NamedMetric, isCompared: boolean) {
  const { name, metric } = one;
  const { unit = null } = metric;
  const definition = definitionOf(one);
  const own = { name, unit, definition };
  if (!isCompared) return [own];
  return [
    own,
    { name: `${name}.compared`, unit, definition: 'In the compared range.' },
    { name: `${name}.change`, unit, definition: `${name} - compared.` },
    { name: `${name}.change_percent`, unit: 'percent', definition: 'change / compared.' },
  ];
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
