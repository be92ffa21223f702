import { literal } from './duckdb-session.ts';

/**
 * What a reader does not see at the ends of a cell: white space as Unicode defines it, and characters without
 * width (joiners, marks of direction, the byte order mark). Spreadsheets and copying leave them there.
 */
const INVISIBLE = [
  ...['\t\n\v\f\r \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a'],
  ...['\u2028\u2029\u202f\u205f\u3000'],
  ...['\u00ad\u180e\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e'],
  ...['\u2060\u2061\u2062\u2063\u2064\u2066\u2067\u2068\u2069\ufeff'],
].join('');

/** Printable ASCII, `!` to `~`. */
const VISIBLE = String.fromCharCode(...Array.from({ length: 94 }, (_, index) => 33 + index));

/**
 * SQL: a text without invisible characters at its ends.
 *
 * Texts that begin and end with a visible ASCII character, nearly all, are told by two comparisons: DuckDB's
 * `trim` takes ten times as long, since it reads its list of characters anew for every value.
 */
export function trimmed(text: string): string {
  return unlessVisible(text, trim(text));
}

/** The same, and null where nothing is left. */
export function filled(text: string): string {
  return unlessVisible(text, `nullif(${trim(text)}, '')`);
}

/**
 * The last character is looked for in a list, since DuckDB would take it out of the text once for each bound
 * of a range.
 */
function unlessVisible(text: string, otherwise: string): string {
  return `(case when ${text} between '!' and '~' and contains(${literal(VISIBLE)}, ${text}[-1]) then ${text} else ${otherwise} end)`;
}

const trim = (text: string) => `trim(${text}, '${INVISIBLE}')`;
