import type { DrawnStore } from '../charts/drawn-store.ts';
import { formatNumber } from '../charts/number-format.ts';
import type { Messages } from '../messages/messages.ts';

/**
 * A number of the page as its reader sees it: money from 1000 on without cents, and words where it is not
 * known.
 */
export function numberInWords(
  value: number | null,
  unit: string | undefined,
  store: DrawnStore,
  { say }: Messages,
): string {
  if (value === null) return say('value.unknown');
  const digits = unit === 'money' && Math.abs(value) >= 1000 ? 0 : 2;
  return formatNumber(Number(value.toFixed(digits)), unit, store);
}
