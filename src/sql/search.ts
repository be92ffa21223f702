import { withoutAccents } from '../text/without-accents.ts';
import { all, parameter, type Sql, sql } from './sql.ts';

/**
 * True where every word of the text occurs in the column, without regard to case and accents: the column
 * holds text that is in lower case and without accents already. A text without words is everywhere.
 */
export function hasEveryWord(text: string, column: Sql): Sql {
  const words = new Set(text.split(/\s+/u).filter((word) => word !== ''));
  return all([...words].map((word) => sql`position(${parameter.text(searchable(word))} in ${column}) > 0`));
}

/**
 * True where the text occurs in the column in one piece, under the same terms. Blanks around it do not count;
 * a text of blanks is everywhere.
 */
export function hasPart(text: string, column: Sql): Sql {
  const part = searchable(text.trim());
  return part === '' ? sql`true` : sql`position(${parameter.text(part)} in ${column}) > 0`;
}

/**
 * Letter by letter what `lower(strip_accents(…))` made of the column in the build: engines differ in both
 * functions.
 */
export function searchable(text: string): string {
  const plain = withoutAccents(text).replaceAll('\ufeff', '').normalize('NFC');
  return [...plain].map((letter) => letter.toLowerCase()).join('');
}
