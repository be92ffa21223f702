import { field } from './field.ts';
import type { Unit } from './units.ts';

/**
 * The ends of the 95 % interval of a number, which stand beside it: `lift_low` and `lift_high`.
 *
 * @param method by which the interval is made, so that it can be made again
 * @param name of the number in the definition, where it is one of a series: `retention_N`
 */
export function intervalOf<
  const Key extends string,
  const Shape extends { readonly unit: Unit; readonly null?: string; readonly base?: string },
>(key: Key, method: string, shape: Shape, name: string = key) {
  const end = <const End extends 'low' | 'high'>(which: End, word: string) =>
    field({
      ...shape,
      key: `${key}_${which}` as `${Key}_${End}`,
      type: 'number',
      definition: `${word} end of the 95 % interval of ${name} (${method}).`,
    });
  return [end('low', 'Low'), end('high', 'High')] as const;
}
