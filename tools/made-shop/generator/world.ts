import { dayOf, momentOf } from './calendar.ts';
import { type RandomStream, randomStream } from './random-stream.ts';
import { type Rhythm, shopRhythm } from './rhythm.ts';

/**
 * `scale` 1 ≈ 400 products, 6,000 customers, 15,000 orders, 65,000 sessions, 120,000 product views, 95,000
 * messages; all grow with it.
 */
export type DemoShopOptions = { seed?: number; scale?: number };

/** What every concern of the generator is given: the size, the calendar and random streams by name. */
export type World = {
  seed: number;
  scale: number;
  /** First and last local day of the history, 24 months. */
  firstDay: number;
  lastDay: number;
  /** The last second of the history; nothing happens after it. */
  end: number;
  rhythm: Rhythm;
  /** A stream of random numbers that belongs to one concern alone. */
  stream(name: string): RandomStream;
  /**
   * How much larger what is planted is than at scale 1, where it is as large as in real shops: in a small
   * shop chance would hide it.
   */
  emphasis: number;
  /** A count of scale 1 brought to this world's scale. */
  scaled(count: number): number;
};

/** The made shop. */
export const shop = {
  name: 'Kamenice Outdoor',
  timezone: 'Europe/Prague',
  currency: 'CZK',
  first_date: '2024-10-01',
  last_date: '2026-09-30',
} as const;

export function createWorld(options: DemoShopOptions): World {
  const seed = options.seed ?? 1;
  const scale = options.scale ?? 1;
  if (!Number.isSafeInteger(seed)) throw new RangeError('seed must be a whole number');
  if (!(scale >= 0.1 && scale <= 100)) throw new RangeError('scale must be between 0.1 and 100');
  const firstDay = dayOf(shop.first_date);
  const lastDay = dayOf(shop.last_date);
  return {
    seed,
    scale,
    firstDay,
    lastDay,
    end: momentOf(lastDay, 86_399),
    rhythm: shopRhythm(firstDay, lastDay, randomStream(seed, 'rhythm')),
    stream: (name) => randomStream(seed, name),
    emphasis: scale < 1 ? 3 : 1,
    scaled: (count) => Math.max(1, Math.round(count * scale)),
  };
}
