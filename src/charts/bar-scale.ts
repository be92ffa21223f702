import type { BarPanel, Value } from './figure.ts';

/**
 * Chooses the numbers that set the scale of bars. A rate of 95 % from 41 visitors would press the bars of
 * thousands to stubs, and one complaint would fill the width of the picture.
 */

type Numbers = Pick<BarPanel, 'groups' | 'limits' | 'least'>;

/**
 * The numbers that must fit on the scale: the reliable ones, or all of them if no reliable one has a length.
 */
export function scaledNumbers({ groups, limits = [], least }: Numbers): number[] {
  const all = groups.flatMap(({ values }) => values.filter((one) => one?.value != null)) as Value[];
  const sure = all.filter(({ doubt }) => doubt == null);
  const isSure = limits.length > 0 || sure.some(({ value }) => value !== 0);
  const numbers = (isSure ? sure : all).map(({ value }) => value ?? 0);
  return [...numbers, ...limits.map(({ value }) => value), ...(least === undefined ? [] : [least])];
}

/** Whether an unreliable value goes beyond the scale, so that its bar is cut off. */
export function isBeyond({ value }: Value, numbers: readonly number[]): boolean {
  if (value === null) return false;
  return value > Math.max(0, ...numbers) || value < Math.min(0, ...numbers);
}

export function hasCutBar(panel: Numbers): boolean {
  const numbers = scaledNumbers(panel);
  return panel.groups.some(({ values }) => values.some((one) => one !== null && isBeyond(one, numbers)));
}
