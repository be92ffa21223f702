import { openCsvCells } from '../../ingest/source.ts';
import { literal, type Session } from '../../store/session.ts';
import type { CanonicalTable } from '../../store/table.ts';
import { CANONICAL_TABLES } from '../../store/tables/index.ts';
import { filled } from '../../store/white-space.ts';
import { isAmbiguous } from '../cells.ts';
import { columnName } from '../columns.ts';
import type { SourceInput } from '../recognise.ts';
import { TITLES } from './titles.ts';

/** What a column of a file looks like. No value of it: they may be somebody's. */
export interface ColumnLooks {
  readonly title: string;
  readonly filled: number;
  readonly looks: 'empty' | 'number' | 'decimal comma' | 'date' | 'e-mail' | 'text';
  /** The pattern of dates, where all of them fit one and no other. */
  readonly pattern: string | null;
  /** Of a column with few different texts: these, for a map. */
  readonly values: readonly string[];
}

/** Columns with more than this many different texts are not listed in a draft, nor longer texts. */
const FEW = { values: 20, letters: 40 } as const;

const PATTERNS = [
  ['DD.MM.YYYY HH:mm:ss', '[0-9]{1,2}[.][0-9]{1,2}[.][0-9]{4} [0-9]{1,2}:[0-9]{2}:[0-9]{2}'],
  ['DD.MM.YYYY HH:mm', '[0-9]{1,2}[.][0-9]{1,2}[.][0-9]{4} [0-9]{1,2}:[0-9]{2}'],
  ['DD.MM.YYYY', '[0-9]{1,2}[.][0-9]{1,2}[.][0-9]{4}'],
  ['YYYY/MM/DD HH:mm:ss', '[0-9]{4}/[0-9]{2}/[0-9]{2} [0-9]{1,2}:[0-9]{2}:[0-9]{2}'],
  ['YYYY/MM/DD', '[0-9]{4}/[0-9]{2}/[0-9]{2}'],
] as const;

const ISO = '[0-9]{4}-[0-9]{2}-[0-9]{2}([T ][0-9:.]+ ?(Z|[+-][0-9:]+)?)?';
const SLASHED = '[0-9]{1,2}/[0-9]{1,2}/[0-9]{4}.*';

/** Looks at the columns of a CSV file. */
export async function lookAtColumns(
  session: Session,
  { file }: SourceInput,
): Promise<readonly ColumnLooks[]> {
  const { header, relation } = await openCsvCells(session, file);
  const name = 'looked_at';
  await session.run(
    `create or replace temp table ${name} as select ${header.map((_, place) => `${filled(`c${place}`)} as c${place}`).join(', ')} from ${relation}`,
  );
  const columns: ColumnLooks[] = [];
  for (const [place, title] of header.entries())
    columns.push(await lookAt(session, name, `c${place}`, title));
  return columns;
}

async function lookAt(session: Session, relation: string, cell: string, title: string): Promise<ColumnLooks> {
  const all = (pattern: string) => `bool_and(regexp_full_match(${cell}, ${literal(pattern)}))`;
  const row = await session.row(`
    select count(${cell}) as filled, count(distinct ${cell}) as different, max(length(${cell})) as longest,
      ${all('-?[0-9]+([.][0-9]+)?')} and not bool_or(${isAmbiguous(cell)}) as is_number,
      ${all('[^0-9]{0,4}-?[0-9\\s\\x{a0}.]+(,[0-9]{1,2})?[^0-9]{0,4}')} and bool_or(${cell} like '%,%') as is_comma,
      ${all(ISO)} as is_iso, ${all(SLASHED)} as is_slashed, bool_and(${cell} like '%_@_%._%') as is_email,
      ${PATTERNS.map(([, pattern], index) => `${all(pattern)} as is_${index}`).join(', ')}
    from ${relation}`);
  const filled = Number(row.filled);
  const pattern = PATTERNS.find((_, index) => row[`is_${index}`] === true)?.[0] ?? null;
  const looks =
    filled === 0
      ? 'empty'
      : row.is_iso === true || row.is_slashed === true || pattern !== null
        ? 'date'
        : row.is_number === true
          ? 'number'
          : row.is_comma === true
            ? 'decimal comma'
            : row.is_email === true
              ? 'e-mail'
              : 'text';
  const isFew = Number(row.different) <= FEW.values && Number(row.longest) <= FEW.letters;
  const values =
    looks === 'text' && isFew && ourColumns(title).some(({ column }) => column === 'status')
      ? await session.rows(
          `select distinct ${cell} as value from ${relation} where ${cell} is not null order by 1`,
        )
      : [];
  return { title, filled, looks, pattern, values: values.map(({ value }) => String(value)) };
}

interface OurColumn {
  readonly table: string;
  readonly column: string;
}

/** What a title means in the exports that were seen. */
function ourColumns(title: string): OurColumn[] {
  const name = columnName(title).replace(/[_\s]+/g, ' ');
  return TITLES.flatMap(({ table, column, titles }) => (titles.includes(name) ? [{ table, column }] : []));
}

/** A commented mapping to be completed by a person: what the titles of columns tell is filled in, the rest is left open. */
export function draftMapping(name: string, file: string, columns: readonly ColumnLooks[]): string {
  const tables = CANONICAL_TABLES.filter((table) => isMeant(table, columns));
  return [
    '# Which columns of the file become which of ours. Complete what is marked with TODO, then:',
    `#   storesight import BUSINESS ${JSON.stringify(file)} --mapping mapping.yaml --dry-run`,
    '# Expressions, instead of the title of a column:',
    '#   {text: Column}                                          as it stands there',
    '#   {number: Column, decimal: comma}                        1.234,50 or 1 234,50; point: 1,234.50',
    '#   {date: Column, pattern: DD.MM.YYYY HH:mm, zone: Europe/Prague}',
    '#   {constant: EUR}',
    '#   {map: Column, values: {Theirs: ours}, otherwise: ours}  otherwise may be left out: other texts are refused',
    '#   {split: Column, by: ","}                                a list',
    '#   {first: [Column, {constant: 0}]}                        the first that is not empty',
    '#   {sum: [Net, Tax]}, {difference: [Gross, Discount]}, {quotient: [Line total, Quantity]}, {absolute: Refund}',
    '# docs/sources/mapping.md has all of them. Our columns: docs/import-format.md.',
    `name: ${name}`,
    `title: ${JSON.stringify(`Rows of ${file}`)}`,
    '# A file is recognised by these columns, whatever its name.',
    `recognise: [${columns
      .filter(({ title }) => title !== '')
      .slice(0, 8)
      .map(({ title }) => JSON.stringify(title))
      .join(', ')}]`,
    '# fill_down: [Order number]    # where cells of an order stand in its first row alone',
    'tables:',
    ...(tables.length === 0 ? ['  # TODO: one of our tables, for example', '  # orders:'] : []),
    ...tables.flatMap((table) => draftTable(table, columns)),
    '# Columns of the file:',
    ...columns.map(({ title, looks, filled }) => `#   ${JSON.stringify(title)}: ${looks}, ${filled} filled`),
    '',
  ].join('\n');
}

/** Whether the titles tell of more than the key of a table. */
function isMeant(table: CanonicalTable, columns: readonly ColumnLooks[]): boolean {
  const meant = columns.flatMap(({ title }) => ourColumns(title)).filter((each) => each.table === table.name);
  const required = Object.entries(table.columns).filter(([, { required }]) => required);
  const found = required.filter(([name]) => meant.some(({ column }) => column === name));
  return found.length > 1 && found.length >= required.length - 1;
}

function draftTable(table: CanonicalTable, columns: readonly ColumnLooks[]): string[] {
  const lines = Object.entries(table.columns).flatMap(([name, { required }]) => {
    const found = columns.find(({ title }) =>
      ourColumns(title).some((each) => each.table === table.name && each.column === name),
    );
    if (found !== undefined) return [`    ${name}: ${draftExpression(name, found)}`];
    return required ? [`    ${name}: TODO    # required`] : [];
  });
  return [`  ${table.name}:`, ...lines];
}

function draftExpression(name: string, { title, looks, pattern, values }: ColumnLooks): string {
  const column = JSON.stringify(title);
  if (looks === 'decimal comma') return `{number: ${column}, decimal: comma}`;
  if (looks === 'date' && pattern !== null)
    return `{date: ${column}, pattern: "${pattern}"}    # zone: Europe/Prague, else --timezone`;
  if (name === 'status' && values.length > 0)
    return `{map: ${column}, values: {${values.map((value) => `${JSON.stringify(value)}: TODO`).join(', ')}}}    # pending, paid, fulfilled, cancelled or returned`;
  return column;
}
