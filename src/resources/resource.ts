/**
 * A text that an agent reads before it interprets answers. It is the same for every caller; that on
 * conditions gets an end.
 */
export interface Resource {
  readonly uri: string;
  readonly name: string;
  readonly title: string;
  /** When to read it. */
  readonly description: string;
  /** Markdown, at most 6,000 tokens. */
  readonly text: string;
}
