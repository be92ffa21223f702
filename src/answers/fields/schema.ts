import { z } from 'zod';
import type { Field, Scalar } from './field.ts';

/**
 * What an answer of these fields is checked against before it leaves: each of them, in this order, and no
 * other.
 */
export function schemaOf(fields: readonly Field[]): z.ZodObject {
  const keys = new Set(fields.map(({ key }) => key));
  if (keys.size < fields.length)
    throw new Error(`a field is declared twice: ${fields.map(({ key }) => key)}`);
  return z.strictObject(Object.fromEntries(fields.map((field) => [field.key, valueSchema(field)])));
}

function valueSchema(field: Field): z.ZodType {
  const schema = notNull(field);
  return field.null === undefined ? schema : schema.nullable();
}

function notNull({ type, values, of, fields, either }: Field): z.ZodType {
  if (type === 'choice') return z.enum(values ?? []);
  if (type === 'object') return schemaOf(fields ?? []);
  if (type !== 'list') return SCALARS[type];
  if (either !== undefined) return z.array(z.union(either.map(schemaOf)));
  return z.array(fields === undefined ? SCALARS[of ?? 'text'] : schemaOf(fields));
}

const SCALARS: Readonly<Record<Scalar, z.ZodType>> = {
  integer: z.int(),
  number: z.number(),
  boolean: z.boolean(),
  text: z.string(),
  date: z.iso.date(),
  moment: z.string().meta({ format: 'date-time' }),
  json: z.record(z.string(), z.unknown()),
  values: z.array(z.unknown()),
  cells: z.array(z.union([z.string(), z.number(), z.null()])),
};
