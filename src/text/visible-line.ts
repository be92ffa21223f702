/** Something to see: not only joiners, marks or the blank pattern of Braille. */
const INK = /[^\s\p{M}\p{Cf}\u2800]/u;

export function hasInk(text: string): boolean {
  return INK.test(text);
}

/**
 * A text that may hold anything as one line that cannot reorder or imitate the text around it, or hide words
 * in it: no control characters, line breaks, invisible characters or changes of the writing direction. What
 * was cut ends with `…`.
 *
 * @param longest in characters
 */
export function visibleLine(text: string, longest: number): string {
  // Each character that is shown may have some beside it that are not; what comes after that is never
  // reached.
  const beginning = text.slice(0, Math.min(text.length, 16 * longest));
  const characters = [...withoutInvisible(beginning)];
  if (characters.length <= longest && beginning.length === text.length) return characters.join('');
  return `${characters
    .slice(0, longest - 1)
    .join('')
    .trimEnd()}…`;
}

function withoutInvisible(text: string): string {
  return (
    text
      .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
      // Joiners and variation selectors stay: Persian, Hindi and emoji are written with them.
      .replace(/(?!\u200c|\u200d|\ufe0e|\ufe0f)[\p{Cf}\p{Co}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu, '')
      // Marks piled on a letter would cover the lines above and below.
      .replace(/(\p{M}{3})\p{M}+/gu, '$1')
      .replace(/ +/g, ' ')
      .trim()
  );
}
