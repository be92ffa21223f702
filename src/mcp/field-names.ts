import type { Field } from '../answers/fields/field.ts';
import type { Arguments } from './given-arguments.ts';

/** All that the answer can have; where its columns are what was asked for, these. */
export function fieldNames(fields: readonly Field[], { metrics }: Arguments): ReadonlySet<string> {
  return new Set([...keysIn(fields), ...(Array.isArray(metrics) ? metrics.map(String) : [])]);
}

function keysIn(fields: readonly Field[]): string[] {
  return fields.flatMap(({ key, fields: its = [], either = [] }) => [
    key,
    ...keysIn([...its, ...either.flat()]),
  ]);
}
