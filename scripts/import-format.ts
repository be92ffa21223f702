import { type BuildTable, MadeTable } from '../src/model-table/model-table.ts';
import { MODEL_TABLES } from '../src/snapshot/build/model-tables.ts';
import { type CanonicalTable, columnsOfFile, DELETED } from '../src/store/canonical-table.ts';
import type { Column } from '../src/store/column-kinds.ts';
import { CANONICAL_TABLES } from '../src/store/tables/all-tables.ts';

const MARK = '<!-- generated from src/store/tables by `npm run generate` -->';

/** The generated files of the import format, by path. @param guide the text of docs/import-format.md */
export function importFormatFiles(guide: string): Map<string, string> {
  const [written = ''] = guide.split(MARK);
  return new Map([
    ['docs/import-format.md', `${written}${MARK}\n\n${CANONICAL_TABLES.map(section).join('\n')}`],
    ...CANONICAL_TABLES.map(
      (table) => [`docs/import-format/${table.name}.schema.json`, `${schemaText(table)}\n`] as const,
    ),
  ]);
}

/** JSON Schema of one row, as in NDJSON. */
function schemaText(table: CanonicalTable): string {
  const columns = Object.entries(table.columns);
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: table.name,
    description: `${table.meaning.replaceAll('\n', ' ')} Identified by ${table.key.join(', ')}.`,
    type: 'object',
    properties: Object.fromEntries(
      Object.entries(columnsOfFile(table)).map(([name, column]) => [name, column.jsonSchema]),
    ),
    required: table.key.filter((name) => table.columns[name]?.required),
    if: { required: [DELETED], properties: { [DELETED]: { const: true } } },
    else: { required: columns.flatMap(([name, column]) => (column.required ? [name] : [])) },
  };
  return JSON.stringify(schema, null, 2);
}

function section(table: CanonicalTable): string {
  const rows = Object.entries(table.columns).map(([name, column]) => {
    const marks = [...(table.key.includes(name) ? ['key'] : []), ...(column.required ? ['required'] : [])];
    return `| \`${name}\` | ${marks.join(', ')} | ${shownValue(name, column)} |`;
  });
  const unread = unreadColumns(table).map((name) => `\`${name}\``);
  return [
    ...[`### ${table.name}`, '', table.meaning, ''],
    ...['| Column | | Value |', '|---|---|---|', ...rows, ''],
    ...(table.rules ?? []).map(({ column, expected }) => `- \`${column}\` ${expected}.`),
    ...(unread.length > 0 ? [`- In no answer yet, but kept: ${unread.join(', ')}.`] : []),
    ...(table.rules || unread.length > 0 ? [''] : []),
  ].join('\n');
}

function shownValue(name: string, column: Column): string {
  const value = column.expected.replace(/^must be /, '').replaceAll('|', '\\|');
  const [{ fallback } = {}] = column.stored(name, (cell) => cell);
  const isShown = fallback !== undefined && !fallback.startsWith('cast(');
  return isShown ? `${value}; empty: \`${fallback.replaceAll("'", '')}\`` : value;
}

/**
 * The columns that no step of a build names which reads the table: neither in its SQL nor, for a `*`, among
 * its columns.
 */
function unreadColumns(table: CanonicalTable): string[] {
  const words = new Set(
    madeTables()
      .filter(({ reads }) => reads.some(({ name }) => name === `store.${table.name}`))
      .flatMap(({ rows, types }) => [...(rows.text.match(/\w+/g) ?? []), ...Object.keys(types)]),
  );
  return Object.entries(table.columns).flatMap(([name, column]) => {
    const isRead = column.stored(name, (cell) => cell).some((stored) => words.has(stored.name));
    return isRead || table.key.includes(name) ? [] : [name];
  });
}

/** The model tables, and all the steps on the way to them. */
function madeTables(): MadeTable[] {
  const found = new Set<BuildTable>(MODEL_TABLES);
  for (const table of found) if (table instanceof MadeTable) for (const read of table.reads) found.add(read);
  return [...found].filter((table) => table instanceof MadeTable);
}
