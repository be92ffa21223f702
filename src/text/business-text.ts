/**
 * Text of a business in one line, cut to a length: control characters, line breaks and marks that turn the
 * direction of text are blanks. What was cut ends with `…`.
 *
 * @param most UTF-16 units of the result; never half a character
 */
export function shortText(text: string, most: number): string {
  const line = text
    .toWellFormed()
    .replace(/[\p{Cc}\s\u202a-\u202e\u2066-\u2069]+/gu, ' ')
    .trim();
  return line.length <= most ? line : `${line.slice(0, most - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** Null stays null. */
export function shortTextOrNull(text: unknown, most: number): string | null {
  return typeof text === 'string' ? shortText(text, most) : null;
}

/** Text of a business within a sentence of ours: nobody must take the one for the other. */
export function quoted(text: string): string {
  return JSON.stringify(shortText(text, 80));
}
