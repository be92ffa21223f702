import type { Field } from './fields/field.ts';
import { keptKeys } from './row-formats.ts';
import type { Arguments, Tool } from './tool.ts';

export type HasFields = Pick<Tool, 'fields' | 'rows'>;

/**
 * All that the answer has, of its rows what was asked for; where its columns are what was asked for, these.
 */
export function fieldNames({ fields, rows }: HasFields, args: Arguments): ReadonlySet<string> {
  const kept = rows === undefined ? [] : keptKeys(rows, fields, args);
  const { metrics } = args;
  return new Set([
    ...fields.flatMap((one) =>
      one.key === rows?.list ? [one.key, ...keysOfRows(one, kept)] : keysIn([one]),
    ),
    ...(Array.isArray(metrics) ? metrics.map(String) : []),
  ]);
}

function keysOfRows(list: Field, kept: readonly string[]): string[] {
  return keysIn(innerOf(list).filter(({ key }) => kept.includes(key)));
}

function keysIn(fields: readonly Field[]): string[] {
  return fields.flatMap((one) => [one.key, ...keysIn(innerOf(one))]);
}

function innerOf({ fields = [], either = [] }: Field): readonly Field[] {
  return [...fields, ...either.flat()];
}
