import { SHOWN_TABLES } from './shown-tables.ts';

const LONGEST = 80;
const MOST_NEAR = 4;

/**
 * What both tools say of a table that does not exist:
 * `there is no table order_items; near are store.order_items, orders`.
 */
export function unknownTable(name: string): string {
  const shown = name.length <= LONGEST ? name : `${name.slice(0, LONGEST)}…`;
  const near = nearTables(name);
  return `there is no table ${shown}${near.length === 0 ? '' : `; near are ${near.join(', ')}`}`;
}

/** What to do next where there is no such table. */
export const LISTED_TABLES =
  'describe_tables without arguments lists all tables, and with search those that have such columns.';

/** Tables whose names have the words of the name, those first that have most of them. */
function nearTables(name: string): string[] {
  const asked = wordsOf(name.slice(0, LONGEST));
  return [...SHOWN_TABLES.keys()]
    .map((table) => {
      const words = wordsOf(table);
      const shared = words.filter((word) => asked.includes(word)).length;
      return { table, shared, other: words.length + asked.length - 2 * shared };
    })
    .filter(({ shared }) => shared > 0)
    .toSorted((one, other) => one.other - other.other)
    .slice(0, MOST_NEAR)
    .map(({ table }) => table);
}

/** The words of a name, without the ends of plurals and without the schema of what was imported. */
function wordsOf(name: string): string[] {
  return name
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .map((word) => word.replace(/s$/, ''))
    .filter((word) => word.length > 2 && word !== 'store');
}
