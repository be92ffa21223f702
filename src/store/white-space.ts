/**
 * What a reader does not see at the ends of a cell: white space as Unicode defines it, and characters without width
 * (joiners, marks of direction, the byte order mark). Spreadsheets and copying leave them there.
 */
const INVISIBLE = [
  ...['\t\n\v\f\r \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a'],
  ...['\u2028\u2029\u202f\u205f\u3000'],
  ...['\u00ad\u180e\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e'],
  ...['\u2060\u2061\u2062\u2063\u2064\u2066\u2067\u2068\u2069\ufeff'],
].join('');

/**
 * SQL: a text without invisible characters at its ends.
 *
 * Texts that begin and end with a visible ASCII character, nearly all, are told by two comparisons: DuckDB's `trim` takes
 * ten times as long, since it reads its list of characters anew for every value.
 */
export function trimmed(text: string): string {
  return `(case when ${text} between '!' and '~' and ${text}[-1] between '!' and '~' then ${text}
    else trim(${text}, '${INVISIBLE}') end)`;
}
