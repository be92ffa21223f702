import type { HostContext } from './answered.ts';

/** The greatest height in pixels of a page between the lines of a conversation. A longer page scrolls. */
const MOST_INLINE = 500;

/**
 * The height in pixels that the page asks its host for: its own, unless that would push the conversation
 * away.
 */
export function askedHeight(
  height: number,
  { displayMode = 'inline', containerDimensions }: HostContext,
): number {
  if (displayMode !== 'inline') return height;
  return Math.min(height, MOST_INLINE, containerDimensions?.maxHeight ?? MOST_INLINE);
}
