/** What stands for what in patterns of dates, and in DuckDB's. Longer ones first. */
const TOKENS = [
  ['YYYY', '%Y'],
  ['YY', '%y'],
  ['MMMM', '%B'],
  ['MMM', '%b'],
  ['MM', '%m'],
  ['M', '%m'],
  ['DD', '%d'],
  ['D', '%d'],
  ['HH', '%H'],
  ['H', '%H'],
  ['hh', '%I'],
  ['h', '%I'],
  ['mm', '%M'],
  ['ss', '%S'],
  ['A', '%p'],
] as const;

/** Seconds or milliseconds since 1970 in UTC. */
export const UNIX_PATTERNS = ['unix', 'unix_ms'];

/**
 * Days since the 30th of December 1899, with a fraction for the time: what a spreadsheet shows of a date in a
 * cell of numbers.
 */
export const SERIAL_PATTERN = 'excel';

/**
 * `DD.MM.YYYY HH:mm` as DuckDB writes it; null where it is no date, says something twice, or has other
 * letters.
 */
export function readPattern(pattern: string): string | null {
  if (UNIX_PATTERNS.includes(pattern) || pattern === SERIAL_PATTERN) return pattern;
  let rest = pattern;
  let format = '';
  while (rest !== '') {
    const token = TOKENS.find(([name]) => rest.startsWith(name));
    if (token === undefined && !/^[ .,:/T_-]/.test(rest)) return null;
    if (token !== undefined && format.includes(token[1])) return null;
    format += token?.[1] ?? rest.charAt(0);
    rest = rest.slice(token?.[0].length ?? 1);
  }
  const hasOneYear = format.includes('%Y') !== format.includes('%y');
  const isDay = hasOneYear && /%[mbB]/.test(format) && format.includes('%d');
  const isTwelveHours = format.includes('%I') === format.includes('%p');
  return isDay && isTwelveHours ? format : null;
}
