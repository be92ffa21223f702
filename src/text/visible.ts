/**
 * Makes other people's words fit for what a command prints, such as the name of a store: what would move the
 * cursor of a terminal, colour it or turn the direction of text is written as JSON writes it, `\u001b`, so
 * that JSON stays the same JSON.
 */
export function visible(text: string): string {
  return text.replace(/[\p{Cc}\u2028-\u202e\u2066-\u2069]/gu, escaped);
}

/** The same of a text whose lines are ours. */
export function visibleLines(text: string): string {
  return text.split('\n').map(visible).join('\n');
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
