import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { writeFiles } from '../ingest/staging.ts';

/** Writes a DuckDB file, and closes it. */
export async function writeDuckdb(path: string, statements: readonly string[]): Promise<string> {
  const instance = await DuckDBInstance.create(path);
  const connection = await instance.connect();
  try {
    for (const statement of statements) await connection.run(statement);
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
  return path;
}

/** Statements that make tables of a schema out of CSV files, with the types that DuckDB finds in them. */
export function tablesOfCsv(
  schema: string,
  folder: string,
  files: Readonly<Record<string, string>>,
): string[] {
  writeFiles(folder, files);
  return [
    `create schema if not exists "${schema}"`,
    ...Object.keys(files).map(
      (name) =>
        `create table "${schema}"."${name.replace('.csv', '')}" as from read_csv('${join(folder, name)}', auto_type_candidates = ['BOOLEAN', 'BIGINT', 'DOUBLE', 'TIMESTAMP', 'VARCHAR'])`,
    ),
  ];
}
