import type { Field } from './field.ts';
import { UNITS } from './units.ts';

const ENDS = ['', '_count', '_orders_count', '_customers_count'];

/**
 * The number beside a rate or a mean that it is of: named by `base`, or that by which its definition divides,
 * as `sent_count` in “delivered_count / sent_count.”
 *
 * @param beside the fields of the same row
 */
export function baseOf<One extends Field>(
  { base, definition }: Field,
  beside: readonly One[],
): One | undefined {
  const divisor = base ?? /^[^/]* \/ (\w+)[.,:;]/.exec(definition)?.[1];
  if (divisor === undefined) return undefined;
  return ENDS.flatMap((end) =>
    beside.filter(({ key, unit }) => key === divisor + end && unit !== undefined),
  )[0];
}

/** The same where it is a count: a rate of few is chance. */
export function countedBaseOf(key: string, row: readonly Field[]): string | undefined {
  const field = row.find((one) => one.key === key);
  const base = field === undefined ? undefined : baseOf(field, row);
  return base?.unit !== undefined && UNITS[base.unit] === 'count' ? base.key : undefined;
}
