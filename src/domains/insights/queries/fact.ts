import type { Metric } from '../../../answers/metric.ts';
import type { SnapshotFacts } from '../../../business/snapshot-facts.ts';
import { identifier, join, parameter, type Sql, sql } from '../../../sql/sql.ts';
import type { Range } from '../../../time/range.ts';
import type { DimensionName } from './dimensions.ts';

/** How a dimension cuts the rows of a fact. */
export interface Cut {
  /** Text, a name or a number of each row, over the columns that `joins` bring. */
  readonly value: Sql;
  /** A period is its first day, whose text is made once rows are put together. */
  readonly period?: { readonly start: Sql; textOf(start: Sql): Sql };
  /** What brings the column, where the fact's own table does not: one `join` each, told apart by its text. */
  readonly joins?: readonly Sql[];
  /** The same, of what depends on the range. */
  joinsOf?(question: Pick<FactQuestion, 'range' | 'facts'>): readonly Sql[];
  /**
   * A row of the fact may have several values, so that what is added up over values counts it several times.
   */
  readonly hasSeveral?: true;
}

/** The condition that rows of a fact have to do with a value, and how they are found: `has` of a filter. */
export type Having = (names: Sql) => Sql;

/** One part of a question: what one fact is asked for. */
export interface FactQuestion {
  readonly range: Range;
  /** A click counts for this many days; null where clicks are not asked for. */
  readonly clickWindowDays?: number | null;
  readonly facts: SnapshotFacts;
  /** What rows are put together by; several are in one text, see `keyOf`. */
  readonly dimensions: readonly DimensionName[];
  readonly conditions: readonly FactCondition[];
  /** Keys as `keyOf` makes them. The rows are these alone, or all others together as one row. */
  readonly rest: readonly string[] | null;
  readonly metrics: readonly Metric[];
  /** Whether a row of all rows together is asked for, too, of a fact that `tellsTotal`: its key is null. */
  readonly withTotal?: boolean;
  /**
   * Whether the columns of `largestOrder` and the sum as `whole` are asked for, too, of a fact that tells
   * them `besideRows`.
   */
  readonly withLargest?: boolean;
}

export interface FactCondition {
  readonly dimension: DimensionName;
  readonly kind: 'in' | 'not_in' | 'has';
  readonly values: readonly string[];
}

/** Rows of which something is counted, each at a time: orders, visits, messages. */
export interface Fact {
  readonly name: string;
  /** What a row is, and by which of its times it is in a range. */
  readonly definition: string;
  readonly cuts: Readonly<Partial<Record<DimensionName, Cut>>>;
  /** The dimensions that rows only have to do with, as orders have to do with the products in them. */
  readonly has?: Readonly<Partial<Record<DimensionName, Having>>>;
  /**
   * The metrics by the name that a caller gives. Each is the metric that the tools of the contract declare.
   */
  readonly metrics: Readonly<Record<string, Metric>>;
  /** How many people a row is of, where rows of few are hidden together with what would tell of them. */
  readonly people?: Metric;
  /** Rows share people whatever they are cut by, so that they do not add up to the total. */
  readonly overlaps?: true;
  /** Names of metrics that can be added up over rows of any dimension without several values. */
  readonly adds: readonly string[];
  /**
   * Metrics of lines that count orders: they can be added up over rows of what orders are cut by, and an
   * order has several products.
   */
  readonly addsOverOrders?: readonly string[];
  /**
   * What a note on one large order is about: of what it makes a part, in words, and the orders by row, as
   * `largeOrders` takes them.
   */
  readonly large?: {
    readonly sum: string;
    /**
     * `rows` can say how large the largest order of each row is, so that orders are looked at only where one
     * is large.
     */
    readonly besideRows?: true;
    orders(question: Omit<FactQuestion, 'metrics'>): Sql;
  };
  /**
   * Whether `rows` by these dimensions can tell the total, too: then all of what is counted is in one row
   * each.
   */
  tellsTotal?(dimensions: readonly DimensionName[]): boolean;
  /** Whether nobody knows the metric in this snapshot, also of a row in which nothing happened. */
  unknown?(metric: Metric, facts: SnapshotFacts): boolean;
  /** Selects `row_key` and the metrics asked for, one row for each key that occurs. */
  rows(question: FactQuestion): Sql;
}

/** The sign between the parts of a key. No name contains it. */
export const SEPARATOR = '\u001f';
/** What stands for no value. */
const NOT_SET = '(not set)';
/** The key of everything without a key of its own. */
export const REST_KEY = '(rest)';

const separator = parameter.text(SEPARATOR);

/** A value as the text that filters and keys have of it. */
export function asText(value: Sql): Sql {
  return sql`replace(coalesce(cast(${value} as varchar), ${parameter.text(NOT_SET)}), ${separator}, ${parameter.text(' ')})`;
}

/**
 * The text that rows are put together by: the values one after another. Without dimensions all rows are one.
 *
 * @param values one for each dimension
 * @param rest keys that have rows of their own: the others are one row together
 */
export function keyOf(values: readonly Sql[], rest: readonly string[] | null): Sql {
  const texts = values.map(asText);
  const key =
    texts.length === 0
      ? sql`${parameter.text('')}`
      : texts.length === 1
        ? (texts[0] as Sql)
        : sql`concat(${join(texts, sql`, ${separator}, `)})`;
  return rest === null ? key : sql`${parameter.text(REST_KEY)}`;
}

/** The condition of a question about the rest: the row is not among those that are shown. */
export function isInRest(values: readonly Sql[], rest: readonly string[] | null): Sql {
  return rest === null ? sql`true` : sql`${keyOf(values, null)} not in (${parameter.texts(rest)})`;
}

/** The cuts that a question needs of a fact, in the order of its dimensions. */
export function cutsOf(fact: Pick<Fact, 'cuts'>, dimensions: readonly DimensionName[]): readonly Cut[] {
  return dimensions.map((dimension) => {
    const cut = fact.cuts[dimension];
    if (cut === undefined) throw new Error(`${dimension} does not cut the fact`);
    return cut;
  });
}

/** What the filters of a question make of a fact. */
export function conditionsOf(fact: Pick<Fact, 'cuts' | 'has'>, conditions: readonly FactCondition[]) {
  return conditions.map(({ dimension, kind, values }) => {
    const names = sql`${parameter.texts(values)}`;
    const having = fact.has?.[dimension];
    if (kind === 'has' && having !== undefined) return having(names);
    const { value } = cutsOf(fact, [dimension])[0] as Cut;
    return kind === 'in' ? sql`${asText(value)} in (${names})` : sql`${asText(value)} not in (${names})`;
  });
}

/** The columns that rows are put together by, and the key that these make. */
interface Keys {
  /** To be selected of each row. */
  readonly columns: Sql;
  /** Their names, to be grouped by. */
  readonly names: Sql;
  /** `keyOf` the values, over the columns. */
  readonly key: Sql;
}

/**
 * Texts are put together, and those of dates made, once for each group: of each row that would take longer
 * than adding the rows up.
 */
function keysOf(cuts: readonly Cut[], rest: FactQuestion['rest']): Keys {
  if (cuts.length === 0 || rest !== null) {
    const only = identifier('key_0');
    return { columns: sql`${keyOf([], rest)} as ${only}`, names: only, key: only };
  }
  const named = cuts.map((cut, place) => ({ ...cut, name: identifier(`key_${place}`) }));
  const texts = named.map(({ period, name }) => (period === undefined ? name : asText(period.textOf(name))));
  return {
    columns: join(named.map(({ value, period, name }) => sql`${period?.start ?? asText(value)} as ${name}`)),
    names: join(named.map(({ name }) => name)),
    key: texts.length === 1 ? (texts[0] as Sql) : sql`concat(${join(texts, sql`, ${separator}, `)})`,
  };
}

/** All that a question reads of a fact whose rows are of one table. */
interface Read {
  /** The key of a row. */
  readonly key: Sql;
  /** The same in columns, where many rows are put together. */
  readonly keys: Keys;
  readonly condition: Sql;
  readonly joins: Sql;
  /** Whether a row of the fact may be there several times with one key, and has to be told apart. */
  readonly repeats: boolean;
}

export function readOf(
  fact: Pick<Fact, 'cuts' | 'has'>,
  { dimensions, conditions, rest, range, facts }: Omit<FactQuestion, 'metrics'>,
): Read {
  const cuts = cutsOf(fact, dimensions);
  const filtered = conditions.filter(({ kind }) => kind !== 'has').map(({ dimension }) => dimension);
  const values = cuts.map(({ value }) => value);
  const joins = new Map(
    [...cuts, ...cutsOf(fact, filtered)].flatMap(({ joins: own = [], joinsOf }) =>
      [...own, ...(joinsOf?.({ range, facts }) ?? [])].map((one) => [one.texts.join(), one] as const),
    ),
  );
  return {
    key: keyOf(values, rest),
    condition: join([...conditionsOf(fact, conditions), isInRest(values, rest)], sql` and `),
    joins: join([...joins.values()], sql` `),
    keys: keysOf(cuts, rest),
    // A row that has several values has each once, so that its keys differ by them.
    repeats: [...dimensions, ...filtered]
      .filter((one) => rest !== null || !dimensions.includes(one))
      .some((one) => fact.cuts[one]?.hasSeveral),
  };
}
