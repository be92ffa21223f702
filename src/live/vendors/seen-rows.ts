import { createHash } from 'node:crypto';

/**
 * What was seen, as it lies in a cursor: by id, the moment of the last change and the beginning of a hash of
 * the row.
 */
export type Seen = Readonly<Record<string, string>>;

/** More rows than that are landed again instead: the cursor stays small. */
const MOST_SEEN = 5000;

/**
 * What was landed of the last while before a cursor, which is read again, since a vendor's clock and index
 * are late, and its moments have whole seconds. What did not change meanwhile is not landed again: else each
 * run would bring something.
 */
export class SeenRows {
  readonly #marks: Map<string, string>;

  constructor(seen: Seen) {
    this.#marks = new Map(Object.entries(seen));
  }

  /** Whether a row is not the one that was landed; it is from then on. */
  add(id: string, changedAt: string, row: unknown): boolean {
    const hash = createHash('sha256').update(JSON.stringify(row)).digest('base64url').slice(0, 12);
    const mark = `${changedAt} ${hash}`;
    if (this.#marks.get(id) === mark) return false;
    this.#marks.set(id, mark);
    return true;
  }

  /** Forgets what will not be read again: changes from before a moment, in milliseconds. */
  forgetBefore(moment: number): void {
    for (const [id, mark] of this.#marks)
      if (Date.parse(mark.split(' ', 1)[0] ?? '') < moment) this.#marks.delete(id);
  }

  toCursor(): Seen {
    return this.#marks.size > MOST_SEEN ? {} : Object.fromEntries(this.#marks);
  }
}
