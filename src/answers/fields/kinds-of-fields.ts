import type { AnswerOf, Field } from './field.ts';
import type { Unit } from './units.ts';

/**
 * Most fields in one call. Of one value the last argument says what null means; without it the value is never
 * null.
 */

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

/** A field that is true or false. */
export function flag<const Key extends string, Null extends string | undefined = undefined>(
  key: Key,
  definition: string,
  whyNull?: Null,
): Field<Key, Maybe<boolean, Null>> {
  return { key, type: 'boolean', ...nullOf(whyNull), definition };
}

/** A moment, as ISO 8601 writes it. */
export function moment<const Key extends string, Null extends string | undefined = undefined>(
  key: Key,
  definition: string,
  whyNull?: Null,
): Field<Key, Maybe<string, Null>> {
  return { key, type: 'moment', ...nullOf(whyNull), definition };
}

/** A day, as `YYYY-MM-DD`. */
export function date<const Key extends string, Null extends string | undefined = undefined>(
  key: Key,
  definition: string,
  whyNull?: Null,
): Field<Key, Maybe<string, Null>> {
  return { key, type: 'date', ...nullOf(whyNull), definition };
}

/** One of some words: `choice('relation', RELATIONS, 'As asked.')` */
export function choice<const Key extends string, const Values extends readonly string[]>(
  key: Key,
  values: Values,
  definition: string,
): Field<Key, Values[number]> {
  return { key, type: 'choice', values, definition };
}

/** Rows, each an object of these fields. Never null. */
export function list<const Key extends string, const Fields extends readonly Field[]>(
  key: Key,
  definition: string,
  fields: Fields,
): Field<Key, readonly AnswerOf<Fields>[]> {
  return { key, type: 'list', definition, fields };
}

/** An object of these fields. Never null. */
export function object<const Key extends string, const Fields extends readonly Field[]>(
  key: Key,
  definition: string,
  fields: Fields,
): Field<Key, AnswerOf<Fields>> {
  return { key, type: 'object', definition, fields };
}

function nullOf(whyNull: string | undefined) {
  return whyNull === undefined ? {} : { null: whyNull };
}
