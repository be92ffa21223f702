/**
 * What a tool says of the picture of its answer: which values stand where. Units, titles and definitions come
 * from its fields. It is data, so that `src/charts` draws it here and in the conversation.
 *
 * `line('periods', 'period', ['orders_revenues', 'orders_count'])`
 */

/**
 * Rows are a list of the answer, or of an object in it (`product.price_history`); `''` is the answer itself,
 * as one row.
 */
export const WHOLE = '';

/** What names a row: each part is a field, or the first of several that is not null. */
export type Label<Key extends string = string> = readonly (Key | readonly Key[])[];

interface OfRows<Rows extends string> {
  readonly rows: Rows;
  /** What stands under the heading, for people who know neither the tool nor its other numbers. */
  readonly says?: string;
  /** What its rows are of goes on by itself, so that no row is ever over. */
  readonly goesOn?: true;
  /** The fields that say of each whether it still goes on. */
  readonly stops?: Stops;
  /** What people call its numbers, by their keys, where the words of the key say nothing to them. */
  readonly called?: Readonly<Record<string, Called>>;
  /** Words for texts of its rows that are ours, such as “(exit)”. */
  readonly texts?: Readonly<Record<string, string>>;
}

export interface Called {
  readonly name: string;
  /** It stands in place of the definition, which is written for those who know the other fields. */
  readonly means?: string;
}

interface Stops {
  /** True: it is switched on and should have gone on, but did not. */
  readonly silent: string;
  readonly state: string;
  /** The moment of what it did last. */
  readonly since: string;
}

/** Values along time; each element is a panel of its own, a list of values shares one. */
interface LineChart<Rows extends string, Key extends string, Value extends string> extends OfRows<Rows> {
  readonly kind: 'line';
  readonly along: Key;
  readonly values: readonly (Value | readonly Value[])[];
  /** A line for each thing that has these. */
  readonly by?: Label<Key>;
  /** The value stays until the next one. */
  readonly step?: true;
  /** The argument that says what a line is of. */
  readonly groupedBy?: string;
  /** Only the rows whose text is one of these, or not one of these. */
  readonly only?: Only<Key>;
}

type Only<Key extends string> = { readonly key: Key } & (
  | { readonly isIn: readonly string[] }
  | { readonly isNotIn: readonly string[] }
);

/** A bar for each value of each row. */
interface BarsChart<Rows extends string, Key extends string, Value extends string> extends OfRows<Rows> {
  readonly kind: 'bars';
  readonly label: Label<Key>;
  readonly values: readonly (Value | readonly Value[])[];
  /**
   * The argument that chose the order, as asked or by default: where it names a number of the row, that is
   * drawn.
   */
  readonly sortedBy?: string;
  /** The argument that says what a bar is of. */
  readonly groupedBy?: string;
  /** How often the hour or day of a row is in the range. */
  readonly times?: Value;
  /** Values that the bars are judged by, such as limits of a mailbox provider. */
  readonly limits?: readonly number[];
}

/** The count that is left at each step. */
interface FunnelChart<Rows extends string, Key extends string, Value extends string> extends OfRows<Rows> {
  readonly kind: 'funnel';
  readonly label: Label<Key>;
  readonly steps: readonly Value[];
}

/** The chart has weekdays and hours. */
interface HeatChart<Rows extends string, Key extends string, Value extends string> extends OfRows<Rows> {
  readonly kind: 'heat';
  readonly down: Key;
  readonly across: Key;
  readonly value: Value;
  /** How often the hour of a row is in the range. */
  readonly times?: Value;
}

/** Each row has two names and their number. */
interface MatrixChart<Rows extends string, Key extends string, Value extends string> extends OfRows<Rows> {
  readonly kind: 'matrix' | 'flow';
  readonly from: Key;
  readonly to: Key;
  readonly value: Value;
  /** The column with the number of people or things behind the shares of all that leaves a name. */
  readonly counts?: Key;
}

/** The chart sets scores against scores, with a grid for each of a third. */
interface GridChart<Rows extends string, Key extends string, Value extends string> extends OfRows<Rows> {
  readonly kind: 'grid';
  readonly down: Key;
  readonly across: Key;
  readonly each: Key;
  readonly value: Value;
}

/** A row of windows for each cohort. */
interface CohortsChart<Rows extends string, Key extends string, Window extends string, Inner extends string>
  extends OfRows<Rows> {
  readonly kind: 'cohorts';
  readonly label: Label<Key>;
  readonly windows: Window;
  readonly across: Inner;
  readonly value: Inner;
  /** False: the window is not over. */
  readonly complete: Inner;
  /** How many people the cohort has. */
  readonly size: Key;
}

/** A value with the two ends of its interval. */
interface IntervalChart<Rows extends string, Key extends string, Value extends string> extends OfRows<Rows> {
  readonly kind: 'interval';
  readonly label: Label<Key>;
  readonly value: Value;
  readonly low: Value;
  readonly high: Value;
  /** The value that means no difference. */
  readonly reference?: 0 | 1;
  /**
   * Each row is compared with the best other one. When there are two rows, the second comparison repeats the
   * first.
   */
  readonly isMutual?: true;
}

/** A picture of an answer, whatever its tool is. */
export type Chart =
  | LineChart<string, string, string>
  | BarsChart<string, string, string>
  | FunnelChart<string, string, string>
  | HeatChart<string, string, string>
  | MatrixChart<string, string, string>
  | GridChart<string, string, string>
  | CohortsChart<string, string, string, string>
  | IntervalChart<string, string, string>;

export function line<
  const Rows extends string,
  const Along extends string,
  const Value extends string,
  const By extends string = never,
>(
  rows: Rows,
  along: Along,
  values: readonly (Value | readonly Value[])[],
  more: {
    readonly by?: Label<By>;
    readonly step?: true;
    readonly groupedBy?: string;
    readonly only?: Only<By>;
  } = {},
): LineChart<Rows, Along | By, Value> {
  return { kind: 'line', rows, along, values, ...more };
}

export function bars<const Rows extends string, const Key extends string, const Value extends string>(
  rows: Rows,
  label: Label<Key>,
  values: readonly (Value | readonly Value[])[],
  more: Pick<BarsChart<Rows, Key, Value>, 'sortedBy' | 'groupedBy' | 'times' | 'limits'> = {},
): BarsChart<Rows, Key, Value> {
  return { kind: 'bars', rows, label, values, ...more };
}

export function funnel<const Rows extends string, const Key extends string, const Value extends string>(
  rows: Rows,
  label: Label<Key>,
  steps: readonly Value[],
): FunnelChart<Rows, Key, Value> {
  return { kind: 'funnel', rows, label, steps };
}

/**
 * What its rows are of goes on by itself, such as automations: a picture does not say of each that it is not
 * over yet.
 */
export function goingOn<const One extends Chart>(chart: One, stops?: Stops): One {
  return { ...chart, goesOn: true, ...(stops && { stops }) };
}

/** The chart with other words for its numbers, and for texts of its rows. */
export function calling<const Said extends Chart>(
  called: Readonly<Record<string, Called>>,
  chart: Said,
  texts: Readonly<Record<string, string>> = {},
): Said {
  return { ...chart, called, texts };
}

/** Weekdays stand below each other, hours beside each other. */
export function heat<const Rows extends string, const Value extends string>(
  rows: Rows,
  value: Value,
  more: { readonly times?: Value } = {},
): HeatChart<Rows, 'weekday' | 'hour', Value> {
  return { kind: 'heat', rows, down: 'weekday', across: 'hour', value, ...more };
}

export function matrix<const Rows extends string, const Key extends string, const Value extends string>(
  rows: Rows,
  from: Key,
  to: Key,
  value: Value,
  more: { readonly counts?: Key } = {},
): MatrixChart<Rows, Key, Value> {
  return { kind: 'matrix', rows, from, to, value, ...more };
}

export function flow<const Rows extends string, const Key extends string, const Value extends string>(
  rows: Rows,
  from: Key,
  to: Key,
  value: Value,
): MatrixChart<Rows, Key, Value> {
  return { kind: 'flow', rows, from, to, value };
}

export function grid<const Rows extends string, const Key extends string, const Value extends string>(
  rows: Rows,
  { down, across, each }: { readonly down: Key; readonly across: Key; readonly each: Key },
  value: Value,
): GridChart<Rows, Key, Value> {
  return { kind: 'grid', rows, down, across, each, value };
}

export function cohorts<
  const Rows extends string,
  const Key extends string,
  const Window extends string,
  const Inner extends string,
  const Size extends string,
>(
  rows: Rows,
  label: Label<Key>,
  windows: Window,
  {
    across,
    value,
    complete,
    size,
  }: { readonly across: Inner; readonly value: Inner; readonly complete: Inner; readonly size: Size },
): CohortsChart<Rows, Key | Size, Window, Inner> {
  return { kind: 'cohorts', rows, label, windows, across, value, complete, size };
}

export function interval<const Rows extends string, const Key extends string, const Value extends string>(
  rows: Rows,
  label: Label<Key>,
  {
    value,
    low,
    high,
    ...more
  }: {
    readonly value: Value;
    readonly low: Value;
    readonly high: Value;
    readonly reference?: 0 | 1;
    readonly isMutual?: true;
  },
): IntervalChart<Rows, Key, Value> {
  return { kind: 'interval', rows, label, value, low, high, ...more };
}

/** The chart with a sentence for those who look at it. */
export function saying<const Said extends Chart>(says: string, chart: Said): Said {
  return { ...chart, says };
}

/** The charts that an answer can have: of its own rows, by fields that these have. */
export type ChartOf<Answer> =
  | { [Rows in RowsOf<Answer>]: ChartOfRows<Rows, RowAt<Answer, Rows>> }[RowsOf<Answer>]
  | ChartOfRows<typeof WHOLE, Answer>;

type ChartOfRows<Rows extends string, Row> =
  | LineChart<Rows, KeysOf<Row>, NumbersOf<Row>>
  | BarsChart<Rows, KeysOf<Row>, NumbersOf<Row>>
  | FunnelChart<Rows, KeysOf<Row>, NumbersOf<Row>>
  | HeatChart<Rows, NumbersOf<Row>, NumbersOf<Row>>
  | MatrixChart<Rows, KeysOf<Row>, NumbersOf<Row>>
  | GridChart<Rows, NumbersOf<Row>, NumbersOf<Row>>
  | IntervalChart<Rows, KeysOf<Row>, NumbersOf<Row>>
  | {
      [Window in KeysOf<Row>]: ElementAt<Row, Window> extends infer Inner
        ? Inner extends object
          ? CohortsChart<Rows, KeysOf<Row>, Window, KeysOf<Inner>>
          : never
        : never;
    }[KeysOf<Row>];

/** The keys of each kind of row, where rows are of several kinds. */
type KeysOf<Row> = Row extends unknown ? keyof Row & string : never;

/** The numbers of a row, and those within its objects, such as `lift.incremental_orders`. */
type NumbersOf<Row> = Row extends unknown
  ? {
      [Key in keyof Row & string]: NonNullable<Row[Key]> extends number
        ? Key
        : NonNullable<Row[Key]> extends readonly unknown[]
          ? never
          : NonNullable<Row[Key]> extends object
            ? `${Key}.${OwnNumbersOf<NonNullable<Row[Key]>>}`
            : never;
    }[keyof Row & string]
  : never;

type OwnNumbersOf<Value> = {
  [Key in keyof Value & string]: NonNullable<Value[Key]> extends number ? Key : never;
}[keyof Value & string];

type RowsOf<Answer> = {
  [Key in keyof Answer & string]: NonNullable<Answer[Key]> extends readonly unknown[]
    ? Key
    : NonNullable<Answer[Key]> extends object
      ? Key | `${Key}.${ListsOf<NonNullable<Answer[Key]>>}`
      : never;
}[keyof Answer & string];

type ListsOf<Value> = {
  [Key in keyof Value & string]: NonNullable<Value[Key]> extends readonly unknown[] ? Key : never;
}[keyof Value & string];

type RowAt<Answer, Path extends string> = Path extends `${infer First}.${infer Rest}`
  ? RowAt<NonNullable<Answer[First & keyof Answer]>, Rest>
  : NonNullable<Answer[Path & keyof Answer]> extends readonly (infer Row)[]
    ? Row
    : NonNullable<Answer[Path & keyof Answer]>;

type ElementAt<Row, Key extends string> =
  NonNullable<Row[Key & keyof Row]> extends readonly (infer Inner)[] ? Inner : never;
