/**
 * A note tells of a part only when it is at least this share of the whole. With less of it a number rounds to
 * the same whole percent, so nobody reads anything else; such a note in every answer would only teach to skip
 * notes. What explains a null, and what nobody can weigh (orders without an exchange rate), is told of
 * however little it is. See docs/decisions/0243-notes-of-noise.md.
 */
const LEAST_PERCENT = 1;

/** A part of a whole, of the same unit. Null: nobody knows how much it is, and then it may be much. */
export interface PartOfWhole {
  readonly part: number | null;
  readonly whole: number | null;
}

/**
 * Whether a part can change what is read: it makes enough of the whole by one of its measures, such as the
 * count and the money.
 *
 * @example isTelling({ part: 37, whole: 14150 }, { part: 80_000, whole: 37_500_000 }) // false
 */
export function isTelling(...measures: readonly PartOfWhole[]): boolean {
  return measures.some(({ part, whole }) =>
    part === null || whole === null
      ? true
      : part !== 0 && 100 * Math.abs(part) >= LEAST_PERCENT * Math.abs(whole),
  );
}
