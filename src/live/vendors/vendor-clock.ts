import type { Access } from '../vendor.ts';

/**
 * No clock is this many milliseconds wrong: a moment further away comes from a proxy that answers what it
 * kept.
 */
const MOST_BEHIND = 24 * 3600_000;

const behind = new WeakMap<Access, number>();

/** Compares the clock of a vendor with ours, by the header `Date` of an answer that just came. */
export function noteClock(access: Access, headers: Headers): void {
  const told = Date.parse(headers.get('date') ?? '');
  if (!Number.isNaN(told)) behind.set(access, access.now().getTime() - told);
}

/**
 * A moment that the vendor's clock has reached, in milliseconds: what it changes from now on has no earlier
 * one.
 */
export function vendorNow(access: Access): number {
  return access.now().getTime() - Math.max(behind.get(access) ?? 0, 0);
}

/**
 * How far the vendor's clock is behind ours, in milliseconds, up to a day; 0 where it is not, or no answer
 * came yet. Moments of changes are the vendor's: what it changes while ours is 12:00 may have the moment
 * 11:50.
 */
export function clockBehind(access: Access): number {
  return Math.min(Math.max(behind.get(access) ?? 0, 0), MOST_BEHIND);
}
