/** A sign of a currency, a minus or a bracket beside the digits, as `cell-sql.ts` reads them. */
const BESIDE = '[^0-9]{0,6}';
const BLANK = String.raw`[\s\x{a0}\x{202f}\x{2009}'’]`;

/**
 * How a cell is written if its decimals stand behind a sign, and how one is that could not be read with the
 * other sign.
 */
function patternsOf(decimal: string, thousands: string): { readonly is: string; readonly tells: string } {
  const whole = `([0-9]+|[0-9]{1,3}(${thousands}[0-9]{3})+|[0-9]{1,3}(${BLANK}[0-9]{3})+)`;
  const group = `[0-9]{1,3}${thousands}[0-9]{3}`;
  return {
    is: `${BESIDE}${whole}(${decimal}[0-9]+)?${BESIDE}`,
    // `12,5`, `1,2345`, `0,125`, `1234,500`, `1.234,500`, `1 234,500`, `1.234.567`.
    tells: [
      `${decimal}([0-9]{1,2}|[0-9]{4,})${BESIDE}$`,
      `(^|[^0-9.,])(0|[0-9]{4,})${decimal}[0-9]{3}${BESIDE}$`,
      `(${group}|${BLANK}[0-9]{3})${decimal}[0-9]{3}${BESIDE}$`,
      `${group}${thousands}[0-9]{3}`,
    ].join('|'),
  };
}

/** Amounts or percentages with their sign, which are read alike with either sign of decimals. */
export const SIGNED_PATTERN = {
  is: `${BESIDE}[0-9]+([.][0-9]{1,2})?${BESIDE}`,
  tells: String.raw`[%\p{Sc}]`,
} as const;

/**
 * Patterns for the cells of a column, by the sign before the decimals: all must be written so, and one must
 * tell that it is this sign.
 */
export const NUMBER_PATTERNS = {
  comma: patternsOf(',', '[.]'),
  point: patternsOf('[.]', ','),
} as const;
