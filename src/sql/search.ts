import { all, parameter, type Sql, sql } from './sql.ts';

/**
 * True where every word of the text occurs in the column, without regard to case and accents: the column holds text
 * that is in lower case and without accents already. A text without words is everywhere.
 */
export function hasEveryWord(text: string, column: Sql): Sql {
  const words = new Set(text.split(/\s+/u).filter((word) => word !== ''));
  return all(
    [...words].map((word) => sql`position(lower(strip_accents(${parameter.text(word)})) in ${column}) > 0`),
  );
}
