import type { Order } from './orders.ts';
import type { RandomStream } from './random-stream.ts';
import {
  direct,
  organicSearch,
  type Source,
  socialProspecting,
  type TrafficSources,
} from './traffic-sources.ts';

/**
 * Draws where the visits before an order and the one that ends in it come from, oldest first. Among newcomers
 * one way is typical: they see an advertisement, look the shop up days later, and come back by themselves to
 * buy. So the advertisement assists often and closes next to nothing.
 */
export function drawJourney(
  stream: RandomStream,
  sources: TrafficSources,
  { is_first, day }: Order,
  visits: number,
): Source[] {
  if (visits === 3 && stream.chance(is_first ? 0.5 : 0.14)) return [socialProspecting, organicSearch, direct];
  if (visits === 2 && stream.chance(0.08)) return [socialProspecting, organicSearch];
  const journey: Source[] = [];
  while (journey.length < visits - 1) journey.push(sources.draw(stream, 'opens', day, !is_first));
  return [...journey, sources.draw(stream, 'closes', day, !is_first)];
}
