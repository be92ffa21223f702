/**
 * The SQL of one step of the control database's tables. Both engines understand it, but for the words that
 * are given.
 */
export type Migration = (words: Words) => string;

/** What the engines say differently. */
export interface Words {
  /** The type of text that compares and sorts by its bytes. */
  readonly text: string;
  /** The type for integers of 64 bits. */
  readonly integer: string;
  /** What ends a table whose values must be of their column's type. */
  readonly strict: string;
}
