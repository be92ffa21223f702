import {
  type EffectSeries,
  type NoEffect,
  type PlaceboEffect,
  placeboEffect,
} from '../../../../statistics/placebo-effect.ts';

/** Whether an effect that is not told might be, were the event shorter or longer. */
export function mayHaveLength(effect: PlaceboEffect | NoEffect | null): boolean {
  if (effect === null) return true;
  if ('p' in effect || effect.reason === 'no rest') return false;
  return effect.reason !== 'few pieces' || effect.pieces > 0;
}

/**
 * The number of days from the first one, nearest to those asked, of which the effect of an event is told;
 * null: of none. Each length is tried but the one that was refused.
 *
 * @param series from before the event to the last day that may be asked about
 * @param start the place of the first day of the event
 */
export function nearestTellable(series: EffectSeries, start: number, asked: number): number | null {
  const lengths = Array.from({ length: series.affected.length - start }, (_, place) => place + 1);
  const tellable = lengths.filter(
    (days) => days !== asked && 'p' in placeboEffect(until(series, start + days), days),
  );
  const [nearest] = tellable.toSorted((one, other) => Math.abs(one - asked) - Math.abs(other - asked));
  return nearest ?? null;
}

function until({ affected, rest, pieces, unknown }: EffectSeries, end: number): EffectSeries {
  return {
    affected: affected.slice(0, end),
    rest: rest.slice(0, end),
    pieces: pieces.slice(0, end),
    unknown: unknown.slice(0, end),
  };
}
