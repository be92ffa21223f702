/**
 * How often a text must stand in a column before it counts as a word of the shop, such as a status, and not
 * as somebody's.
 */
export const COMMON = 3;

const LONGEST_CELL = 40;
/** A longer run may be a phone number, or the number of a card. */
const MOST_DIGITS = 8;

/**
 * A cell as it may be shown to the person who says what its column is. Numbers, dates and words that stand
 * there often are shown as they are; of everything else only the form, `Xxx@xxxx.xx`, since it may be
 * somebody's name or address.
 *
 * @param isCommon whether the text stands in its column at least `COMMON` times
 * @param shown the gate for personal data
 */
export function shownCell(cell: string, isCommon: boolean, shown: (text: string) => string): string {
  const short = [...cell].length > LONGEST_CELL ? `${[...cell].slice(0, LONGEST_CELL).join('')}…` : cell;
  const isHarmless = isAmount(cell) || isDate(cell) || (isCommon && isWord(cell) && shown(cell) === cell);
  return isHarmless
    ? short
    : short
        .replace(/\p{Lu}/gu, 'X')
        .replace(/\p{L}/gu, 'x')
        .replace(/\p{N}/gu, '0');
}

function isAmount(cell: string): boolean {
  const digits = cell.replace(/\D/g, '').length;
  return digits > 0 && digits <= MOST_DIGITS && /^[^\d@]{0,4}[\d\s.,'’-]+[^\d@]{0,4}$/.test(cell);
}

function isDate(cell: string): boolean {
  return /^\d{1,4}[./-] ?\d{1,2}[./-] ?\d{1,4}([T ]+\d{1,2}:\d{2}(:\d{2}(\.\d+)?)?( ?[AaPp][Mm])?( ?(Z|[+-]\d{2}:?\d{2}))?)?$/.test(
    cell,
  );
}

function isWord(cell: string): boolean {
  return cell.length <= 24 && !cell.includes('@') && cell.replace(/\D/g, '').length <= MOST_DIGITS;
}
