import type { BarPanel, Value } from './figure.ts';

/**
 * What sets the scale of bars. A rate of 41 visitors that is 95 % would press those of thousands to stubs, and one
 * complaint would be as long as the picture is wide.
 */

type Numbers = Pick<BarPanel, 'groups' | 'limits' | 'least'>;

/** The numbers that the scale holds: those that can be relied on, and all of them where nothing else has a length. */
export function scaledNumbers({ groups, limits = [], least }: Numbers): number[] {
  const all = groups.flatMap(({ values }) => values.filter((one) => one?.value != null)) as Value[];
  const sure = all.filter(({ doubt }) => doubt == null);
  const isSure = limits.length > 0 || sure.some(({ value }) => value !== 0);
  const numbers = (isSure ? sure : all).map(({ value }) => value ?? 0);
  return [...numbers, ...limits.map(({ value }) => value), ...(least === undefined ? [] : [least])];
}

/** Whether a value that says little goes beyond the scale, so that its bar is cut off. */
export function isBeyond({ value }: Value, numbers: readonly number[]): boolean {
  if (value === null) return false;
  return value > Math.max(0, ...numbers) || value < Math.min(0, ...numbers);
}

export function hasCutBar(panel: Numbers): boolean {
  const numbers = scaledNumbers(panel);
  return panel.groups.some(({ values }) => values.some((one) => one !== null && isBeyond(one, numbers)));
}
