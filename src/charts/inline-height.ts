import type { HostContext } from './answered.ts';

/** The most pixels that a page between the lines of a conversation may be high. A longer one scrolls within it. */
const MOST_INLINE = 500;

/** The height that the page asks its host for, in pixels: as much as it has, except where that would push the conversation away. */
export function askedHeight(
  height: number,
  { displayMode = 'inline', containerDimensions }: HostContext,
): number {
  if (displayMode !== 'inline') return height;
  return Math.min(height, MOST_INLINE, containerDimensions?.maxHeight ?? MOST_INLINE);
}
