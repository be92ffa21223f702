import type { Field } from './field.ts';
import type { Unit } from './units.ts';

/** Fields of one value, which most are. Of each the last argument says what null means; without it the value is never null. */

type Maybe<Value, Null> = Null extends string ? Value | null : Value;

/** `count('orders', 'orders_count', 'Valid orders.')` */
export function count<const Key extends string, Null extends string | undefined = undefined>(
  unit: Unit,
  key: Key,
  definition: string,
  whyNull?: Null,
): Field<Key, Maybe<number, Null>> {
  return { key, type: 'integer', unit, ...nullOf(whyNull), definition };
}

/** A number that may have decimals: `measure('money', 'price', 'Current sales price.', 'unknown')` */
export function measure<const Key extends string, Null extends string | undefined = undefined>(
  unit: Unit,
  key: Key,
  definition: string,
  whyNull?: Null,
): Field<Key, Maybe<number, Null>> {
  return { key, type: 'number', unit, ...nullOf(whyNull), definition };
}

export function text<const Key extends string, Null extends string | undefined = undefined>(
  key: Key,
  definition: string,
  whyNull?: Null,
): Field<Key, Maybe<string, Null>> {
  return { key, type: 'text', ...nullOf(whyNull), definition };
}

/** A boolean. */
export function flag<const Key extends string, Null extends string | undefined = undefined>(
  key: Key,
  definition: string,
  whyNull?: Null,
): Field<Key, Maybe<boolean, Null>> {
  return { key, type: 'boolean', ...nullOf(whyNull), definition };
}

/** ISO 8601. */
export function moment<const Key extends string, Null extends string | undefined = undefined>(
  key: Key,
  definition: string,
  whyNull?: Null,
): Field<Key, Maybe<string, Null>> {
  return { key, type: 'moment', ...nullOf(whyNull), definition };
}

/** `YYYY-MM-DD`. */
export function date<const Key extends string, Null extends string | undefined = undefined>(
  key: Key,
  definition: string,
  whyNull?: Null,
): Field<Key, Maybe<string, Null>> {
  return { key, type: 'date', ...nullOf(whyNull), definition };
}

function nullOf(whyNull: string | undefined) {
  return whyNull === undefined ? {} : { null: whyNull };
}
