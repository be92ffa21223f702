import { all, join, type Parameter, parameter, type Sql, sql } from './sql.ts';

/** True where every word of the text occurs in at least one of the columns. A text without words is everywhere. */
export function hasEveryWord(text: string, columns: readonly Sql[]): Sql {
  const words = new Set(text.split(/\s+/u).filter((word) => word !== ''));
  // No word holds a blank, so none is found across the border of two columns.
  const searched = join(
    columns.map((column) => sql`coalesce(${column}, '')`),
    sql` || ' ' || `,
  );
  return all(
    [...words].map((word) => sql`position(${searchKey(parameter.text(word))} in ${searchKey(searched)}) > 0`),
  );
}

/** Text as it is compared in searches: without regard to case and accents. */
function searchKey(value: Sql | Parameter): Sql {
  return sql`lower(strip_accents(${value}))`;
}
