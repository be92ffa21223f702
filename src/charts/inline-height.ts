import type { HostContext } from './answered.ts';

/** Of a page between the lines of a conversation; what is longer scrolls in it. */
const MOST_INLINE = 500;

/** The height that the page asks its host for, in pixels: as much as it has, except where that would push the conversation away. */
export function askedHeight(
  height: number,
  { displayMode = 'inline', containerDimensions }: HostContext,
): number {
  if (displayMode !== 'inline') return height;
  return Math.min(height, MOST_INLINE, containerDimensions?.maxHeight ?? MOST_INLINE);
}
