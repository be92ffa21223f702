import { type BuildTable, MadeTable, ModelTable } from '../src/model-table/model-table.ts';
import { MODEL_TABLES } from '../src/snapshot/build/model-tables.ts';

export const MODEL_DOC = 'docs/model.md';

/** The description of the model tables. */
export function modelDoc(): string {
  return `# The model

<!-- generated from the tables of src/domains by \`npm run generate\` -->

The tables that tools read. Every import makes them from the canonical tables ([import format](import-format.md)), one set for each
snapshot. Types are DuckDB's; moments are UTC, dates those of the business. \`…_key\` are numbers
for what is named by text elsewhere. A key never changes, also when older rows are imported later; so keys say nothing about the sequence of rows.

${MODEL_TABLES.map(section).join('\n')}`;
}

function section(table: ModelTable): string {
  const columns = Object.entries(table.types).map(([name, type]) => `\`${name}\` ${type}`);
  return `## ${table.name}

${table.meaning}

Columns: ${columns.join(', ')}.

Made from: ${sourcesOf(table).join(', ')}.
`;
}

/** The canonical and model tables that its rows come from, whatever lies between. */
function sourcesOf(table: ModelTable): string[] {
  const sources = (read: BuildTable): string[] =>
    read instanceof MadeTable && !(read instanceof ModelTable)
      ? read.reads.flatMap(sources)
      : [`\`${read.name}\``];
  return [...new Set(table.reads.flatMap(sources))].sort();
}
