/**
 * What a platform fills in for each recipient, in the ways of writing it that are common; a regular
 * expression.
 */
export const PLACEHOLDER = String.raw`\{\{[^{}]*\}\}|\*\|[^|*]*\|\*|%%[^%\s]+%%|\$\{[^{}\s]*\}`;

/** The placeholders of the texts, each once as written, in order. */
export function placeholdersOf(text: string): string[] {
  return [...new Set([...text.matchAll(new RegExp(PLACEHOLDER, 'g'))].map(([placeholder]) => placeholder))];
}
