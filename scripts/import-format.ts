import { type CanonicalTable, columnsOfFile, DELETED } from '../src/store/table.ts';
import { CANONICAL_TABLES } from '../src/store/tables/index.ts';

const MARK = '<!-- generated from src/store/tables by `npm run generate` -->';

/** The generated files of the import format, by path. @param guide the text of docs/import-format.md */
export function importFormatFiles(guide: string): Map<string, string> {
  const [written = ''] = guide.split(MARK);
  return new Map([
    ['docs/import-format.md', `${written}${MARK}\n\n${CANONICAL_TABLES.map(columnTable).join('\n')}`],
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
    description: `A row of ${table.name}; ${table.key.join(', ')} identify it.`,
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

function columnTable(table: CanonicalTable): string {
  const rows = Object.entries(table.columns).map(([name, column]) => {
    const marks = [...(table.key.includes(name) ? ['key'] : []), ...(column.required ? ['required'] : [])];
    return `| \`${name}\` | ${marks.join(', ')} | ${column.expected.replace(/^must be /, '').replaceAll('|', '\\|')} |`;
  });
  return [`### ${table.name}`, '', '| Column | | Value |', '|---|---|---|', ...rows, ''].join('\n');
}
