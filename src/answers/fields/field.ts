import type { Cell } from '../caller-statement.ts';
import type { Unit } from './units.ts';

/** The types of single values, as the program holds them. */
interface Scalars {
  integer: number;
  number: number;
  boolean: boolean;
  text: string;
  /** A day, as `YYYY-MM-DD`. */
  date: string;
  /** A moment, as ISO 8601 writes it. */
  moment: string;
  /** An object whose fields are not ours, as a segment query. */
  json: Readonly<Record<string, unknown>>;
  /** A row of a table whose columns are told beside it. */
  cells: readonly (string | number | null)[];
  /** A row of a table whose values are of any type. */
  values: readonly Cell[];
}

export type Scalar = keyof Scalars;

/** The type of a column's value. Only the compiler knows it. */
declare const VALUE: unique symbol;

/** One value of a row that a query gives. */
export interface Column<Key extends string = string, Value = unknown> {
  /** The same word in SQL, JSON and documentation. */
  readonly key: Key;
  readonly type: Scalar | 'choice' | 'list' | 'object';
  /** What a choice can be. */
  readonly values?: readonly string[];
  /** What null means; a value without it is never null. */
  readonly null?: string;
  readonly [VALUE]?: Value;
}

/** One value of an answer, with all that schemas, documents and charts say of it. */
export interface Field<Key extends string = string, Value = unknown> extends Column<Key, Value> {
  /** Understandable alone, in the same words wherever it is the same value. */
  readonly definition: string;
  /** The unit of a number, or of the numbers in a list. */
  readonly unit?: Unit;
  /**
   * Whether the text is a key: a picture writes `at_risk` as “At risk”. A key may be a merchant's own, such
   * as a category of campaigns: `keyInWords` never writes two keys alike, and leaves alone what is not
   * written as a key.
   */
  readonly isKey?: true;
  /**
   * It says whose revenue a picture shows: all of the store's, or the part that a rule credits to something.
   */
  readonly revenue?: WhoseRevenue;
  /**
   * A rate or mean whose definition is no division names here the number beside it that is its base. Read it
   * by `baseOf`.
   */
  readonly base?: string;
  /**
   * The number depends on which order was a customer's first one ever. What is not known of that is told
   * beside the answer.
   */
  readonly sinceFirst?: true;
  /** The type of the elements, where the field is a list of single values. */
  readonly of?: Scalar;
  /** The fields of an object, or of each element of a list. */
  readonly fields?: readonly Field[];
  /** The fields of the kinds of elements, where a list has elements of several kinds. */
  readonly either?: readonly (readonly Field[])[];
}

export type WhoseRevenue = 'of the store' | 'credited';

type Shape =
  | { readonly type: 'integer' | 'number'; readonly unit: Unit }
  | { readonly type: 'boolean' | 'text' | 'date' | 'moment' | 'json' }
  | { readonly type: 'choice'; readonly values: readonly string[] }
  | { readonly type: 'list'; readonly of: 'integer' | 'number'; readonly unit: Unit }
  | { readonly type: 'list'; readonly of: 'text' | 'cells' | 'values' }
  | { readonly type: 'list' | 'object'; readonly fields: readonly Field[] }
  | { readonly type: 'list'; readonly either: readonly (readonly Field[])[] };

export type Declaration = Shape & {
  readonly key: string;
  readonly definition: string;
  readonly null?: string;
  readonly isKey?: true;
  readonly revenue?: WhoseRevenue;
  readonly base?: string;
  readonly sinceFirst?: true;
};

/** The definition of a field whose key and unit say all of it. No resource and no picture repeats it. */
export const AS_NAMED = 'As named.';

/** Most divisions: their null needs no words of its own. */
export const NOTHING_TO_DIVIDE_BY = 'nothing to divide by';

/** The store has brought no such rows: `analytics://metrics` says it once, of all. */
export const NONE_LOADED = 'none loaded';

/** Why a number is null: it is of few people, or it would tell of them. See small-groups.ts. */
export const HIDDEN = 'hidden';

/**
 * Why an amount is null: the VAT of at least one order is not known, and a part of it would look like all of
 * it.
 */
export const VAT_UNKNOWN = 'VAT of some not known';

/** Why a discount is null: so few orders tell it that nothing can be said of the others. */
export const DISCOUNT_UNKNOWN = 'not told';

/** Why money is null: there are orders, and all of them are in another currency that has no exchange rate. */
export const NO_RATE = 'no exchange rate';

/** Why an amount in the currency of orders is null: they are in several, which are never added. */
export const SEVERAL_CURRENCIES = 'several currencies';

/** `field({ key: 'orders_count', type: 'integer', unit: 'orders', definition: 'Valid orders.' })` */
export function field<const Declared extends Declaration>(
  declared: Declared,
): Field<Declared['key'], ValueOf<Declared>> {
  return declared;
}

/** The same field, of which it depends on first orders what it means: `sinceFirst`. */
export function sinceFirst<One extends Field>(one: One): One {
  return { ...one, sinceFirst: true };
}

/** A column that only the program reads: it is in no answer, so it needs no definition. */
export function column<const Key extends string, Type extends Scalar>(
  key: Key,
  type: Type,
): Column<Key, Scalars[Type]> {
  return { key, type };
}

export function nullableColumn<const Key extends string, Type extends Scalar>(
  key: Key,
  type: Type,
): Column<Key, Scalars[Type] | null> {
  return { key, type, null: 'as the query says' };
}

/** The columns of that side of an outer join that can be missing. */
export function orNull<One extends Column>(columns: readonly One[]): readonly OrNull<One>[] {
  return columns.map((one) => ({ ...one, null: 'nothing joined' })) as unknown as readonly OrNull<One>[];
}

type OrNull<One> = One extends Column<infer Key, infer Value> ? Column<Key, Value | null> : never;

/** One of the fields, by its key. */
export function fieldNamed<One extends Column, const Key extends One['key']>(
  fields: readonly One[],
  key: Key,
): Extract<One, { readonly key: Key }> {
  const named = fields.find((one): one is Extract<One, { readonly key: Key }> => one.key === key);
  if (named === undefined) throw new Error(`no field ${key}`);
  return named;
}

/** Some of the fields, in their own order. */
export function fieldsNamed<One extends Column, const Key extends One['key']>(
  fields: readonly One[],
  keys: readonly Key[],
): readonly Extract<One, { readonly key: Key }>[] {
  return fields.filter((one): one is Extract<One, { readonly key: Key }> =>
    keys.some((key) => key === one.key),
  );
}

/** The object that has each of the columns: a row, an answer or a part of it. */
export type ObjectOf<Columns extends readonly Column[]> = {
  readonly [One in Columns[number] as One['key']]: One extends Column<string, infer Value> ? Value : never;
};

/** The same of an answer, whose keys are always known. */
export type AnswerOf<Fields extends readonly Field[]> = string extends Fields[number]['key']
  ? never
  : ObjectOf<Fields>;

export type ValueOf<Declared> = Declared extends { readonly null: string }
  ? Inner<Declared> | null
  : Inner<Declared>;

type Inner<Declared> = Declared extends { readonly values: readonly (infer Value)[] }
  ? Value
  : Declared extends { readonly type: 'list'; readonly fields: infer Fields extends readonly Field[] }
    ? readonly AnswerOf<Fields>[]
    : Declared extends { readonly type: 'object'; readonly fields: infer Fields extends readonly Field[] }
      ? AnswerOf<Fields>
      : Declared extends { readonly either: readonly (infer Fields extends readonly Field[])[] }
        ? readonly EitherOf<Fields>[]
        : Declared extends { readonly type: 'list'; readonly of: infer Type extends Scalar }
          ? readonly Scalars[Type][]
          : Declared extends { readonly type: infer Type extends Scalar }
            ? Scalars[Type]
            : never;

/** A union of field lists becomes a union of objects, one for each kind. */
type EitherOf<Fields> = Fields extends readonly Field[] ? AnswerOf<Fields> : never;

/**
 * What an answer has beyond its fields is `never`, at any depth, so that it does not compile. TypeScript
 * itself looks for superfluous properties only in object literals without spreads.
 */
export type NothingBeyond<Expected, Given> = Given extends readonly (infer Element)[]
  ? readonly NothingBeyond<ElementOf<Expected>, Element>[]
  : Given extends Readonly<Record<string, unknown>>
    ? {
        readonly [Key in keyof Given]: Key extends KeyOf<Expected>
          ? NothingBeyond<AtKey<Expected, Key>, Given[Key]>
          : never;
      }
    : Given;

type ElementOf<List> = List extends readonly (infer Element)[] ? Element : never;
type KeyOf<Value> = Value extends object ? keyof Value : never;
type AtKey<Value, Key> = Value extends object ? (Key extends keyof Value ? Value[Key] : never) : never;
