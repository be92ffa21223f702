import type { Chart } from '../../answers/chart.ts';
import { formatDay, localDay } from '../dates.ts';
import { keyInWords } from '../field-words.ts';
import type { Row } from './answer-rows.ts';
import type { Asked } from './asked-question.ts';

/**
 * The remark behind the name of a row that stopped: “nothing sent since 16 Sept 2026”. Without it a broken
 * automation would look weak.
 */
export function stateOf(
  { stops }: Pick<Chart, 'stops'>,
  { store }: Pick<Asked, 'store'>,
  one: Row | undefined,
): { readonly state?: string } {
  if (stops === undefined || one === undefined) return {};
  const { [stops.silent]: silent, [stops.state]: state, [stops.since]: since } = one.row;
  const day = typeof since === 'string' ? formatDay(localDay(since, store) ?? since, store) : null;
  if (silent === true) return { state: day === null ? 'nothing sent yet' : `nothing sent since ${day}` };
  if (typeof state !== 'string' || state === 'active') return {};
  const words = keyInWords(state).toLowerCase();
  return { state: day === null ? words : `${words}, last sent ${day}` };
}

/**
 * The sentence that explains it, if a row stopped. Where not all rows are drawn, others may have: nobody
 * should take those in the picture for all.
 */
export function silenceLines(
  { stops }: Pick<Chart, 'stops'>,
  rows: readonly Row[],
  isPart: boolean,
): string[] {
  if (stops === undefined) return [];
  const others = isPart ? ['Others may have stopped.'] : [];
  if (rows.every(({ row }) => row[stops.silent] !== true)) return others;
  return [
    'Nothing sent since: it is switched on and had reason to send, but stopped. Find out why before you judge its numbers.',
    ...others,
  ];
}
