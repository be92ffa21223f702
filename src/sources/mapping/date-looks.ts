const DAY = '[0-9]{1,2}';
const YEAR = '[0-9]{4}';
const MONTH = '(?:[Jj]an|[Ff]eb|[Mm]ar|[Aa]pr|[Mm]ay|[Jj]un|[Jj]ul|[Aa]ug|[Ss]ep|[Oo]ct|[Nn]ov|[Dd]ec)';
const WHOLE_MONTH =
  '(?:January|February|March|April|May|June|July|August|September|October|November|December)';

const TIMES = [
  ['', ''],
  [' HH:mm', ` ${DAY}:[0-9]{2}`],
  [' HH:mm:ss', ` ${DAY}:[0-9]{2}:[0-9]{2}`],
  [' h:mm A', ` ${DAY}:[0-9]{2} [AaPp][Mm]`],
  [' h:mm:ss A', ` ${DAY}:[0-9]{2}:[0-9]{2} [AaPp][Mm]`],
] as const;

/** A pattern as mappings write it, and a regular expression of the cells that may be written so. */
interface Looks {
  readonly pattern: string;
  readonly cells: string;
}

function withTimes(days: readonly (readonly [day: string, cells: string])[]): readonly Looks[] {
  return days.flatMap(([day, cells]) =>
    TIMES.map(([time, end]) => ({ pattern: day + time, cells: cells + end })),
  );
}

/** Days in an order that is written in no other way. */
const PLAIN = withTimes([
  ['DD.MM.YYYY', `${DAY}[.]${DAY}[.]${YEAR}`],
  ['YYYY/MM/DD', `${YEAR}/${DAY}/${DAY}`],
  ['YYYY.MM.DD', `${YEAR}[.]${DAY}[.]${DAY}`],
  ['YYYY.MM.DD.', `${YEAR}[.]${DAY}[.]${DAY}[.]`],
  ['YYYY. MM. DD.', `${YEAR}[.] ${DAY}[.] ${DAY}[.]`],
  ['D-MMM-YYYY', `${DAY}-${MONTH}-${YEAR}`],
  ['D MMM YYYY', `${DAY} ${MONTH} ${YEAR}`],
  ['D MMMM YYYY', `${DAY} ${WHOLE_MONTH} ${YEAR}`],
  ['MMM D, YYYY', `${MONTH} ${DAY}, ${YEAR}`],
  ['MMMM D, YYYY', `${WHOLE_MONTH} ${DAY}, ${YEAR}`],
  ['MMM-DD-YY', `${MONTH}-[0-9]{2}-[0-9]{2}`],
]);

/** Days first, with a year of two digits. Where all first numbers are 20 or more, they may be the years. */
const SHORT_YEARS = withTimes([['DD.MM.YY', `${DAY}[.]${DAY}[.][0-9]{2}`]]);

/** Days of which the cells together tell whether the day or the month comes first. */
const SLASHED = withTimes([
  ['DD/MM/YYYY', `${DAY}/${DAY}/${YEAR}`],
  ['DD-MM-YYYY', `${DAY}-${DAY}-${YEAR}`],
]);
const SLASHED_SHORT_YEARS = withTimes([['DD/MM/YY', `${DAY}/${DAY}/[0-9]{2}`]]);

/** Numbers that are moments, where the title of the column says that it holds dates. */
const NUMBERS: readonly Looks[] = [
  { pattern: 'YYYYMMDD', cells: '20[0-9]{2}(?:0[1-9]|1[0-2])(?:[0-2][0-9]|3[01])' },
  { pattern: 'excel', cells: '[3-6][0-9]{4}(?:[.,][0-9]+)?' },
  { pattern: 'unix', cells: '1[0-9]{9}' },
  { pattern: 'unix_ms', cells: '1[0-9]{12}' },
];

/** Patterns that one cell fits: all cells are then compared with these alone. */
export function datesLike(cell: string, isDate: boolean): readonly Looks[] {
  const all = [...PLAIN, ...SHORT_YEARS, ...SLASHED, ...SLASHED_SHORT_YEARS, ...(isDate ? NUMBERS : [])];
  return all.filter(({ cells }) => new RegExp(`^${cells}$`).test(cell));
}

interface Found {
  readonly pattern: string;
  readonly isEitherOrder: boolean;
}

/**
 * The pattern that all cells of a column fit; null where they may be written in several ways that are not
 * asked for.
 *
 * @param numbers the largest first and second number of all cells, and the smallest first one
 */
export function patternOf(
  { pattern }: Looks,
  numbers: { readonly first: number; readonly second: number; readonly leastFirst: number },
): Found | null {
  const isShort = [...SHORT_YEARS, ...SLASHED_SHORT_YEARS].some((each) => each.pattern === pattern);
  if (isShort && numbers.leastFirst >= 20) return null;
  const isSlashed = [...SLASHED, ...SLASHED_SHORT_YEARS].some((each) => each.pattern === pattern);
  if (!isSlashed) return { pattern, isEitherOrder: false };
  const isDayFirst = numbers.first > 12;
  const isMonthFirst = numbers.second > 12;
  if (isDayFirst && isMonthFirst) return null;
  return {
    pattern: isMonthFirst ? monthFirst(pattern) : pattern,
    isEitherOrder: !isDayFirst && !isMonthFirst,
  };
}

/** `MM/DD/YYYY` for `DD/MM/YYYY`. */
export function monthFirst(pattern: string): string {
  return pattern.replace(/DD(.)MM/, 'MM$1DD');
}
