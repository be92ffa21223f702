import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { DuckDBInstance } from '@duckdb/node-api';
import type { Business } from '../../src/business/business.ts';
import { currentSnapshot } from '../../src/control/businesses/businesses.ts';
import { readParts, rowsOf } from '../../src/snapshot/canonical-parts.ts';
import { ImportError } from '../../src/snapshot/import-errors.ts';
import type { ImportReport } from '../../src/snapshot/import-report.ts';
import { Session } from '../../src/store/duckdb-session.ts';
import { canonicalTable } from '../../src/store/tables/all-tables.ts';
import { csvRows } from '../oracle/csv-text.ts';
import type { TestInstance } from '../support/test-instance.ts';

/** File names and contents; a name that ends with `.gz` is packed. */
export type Files = Readonly<Record<string, string | Buffer>>;

/** Writes the files to a new folder. */
export function writeFiles(test: TestInstance, files: Files): string {
  const folder = mkdtempSync(join(test.folder, 'files-'));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), name.endsWith('.gz') ? gzipSync(content) : content);
  }
  return folder;
}

export function importFiles(
  test: TestInstance,
  business: Business,
  files: Files,
  maxRejects?: string,
): Promise<ImportReport> {
  return test.importFolder(business, writeFiles(test, files), maxRejects);
}

/** The error of an import that must be refused. */
export async function refusal(
  test: TestInstance,
  business: Business,
  files: Files | string,
  maxRejects?: string,
): Promise<ImportError> {
  const folder = typeof files === 'string' ? files : writeFiles(test, files);
  const error = await test.importFolder(business, folder, maxRejects).then(
    () => new Error('the import was not refused'),
    (error: Error) => error,
  );
  if (error instanceof ImportError) return error;
  throw error;
}

/** The canonical rows of the served snapshot, as text, in the order of `key`. */
export async function storedRows(
  test: TestInstance,
  business: Business,
  table: string,
  select: string,
): Promise<unknown[][]> {
  const snapshot = await currentSnapshot(test.instance.control, business.business_id);
  const folder = test.instance.data.snapshot(business.business_id, snapshot?.snapshot_id ?? 'none');
  return query(`select ${select} from (${await storedSql(folder, table)}) order by all`);
}

/** SQL: the rows of a canonical table in the folder of a snapshot. */
export async function storedSql(folder: string, tableName: string): Promise<string> {
  using session = await Session.open(':memory:', { memory: '1GB', spillFolder: folder, spillLimit: '1GB' });
  return rowsOf(canonicalTable(tableName), (await readParts(session, folder)).get(tableName) ?? []);
}

let reading: Promise<DuckDBInstance> | undefined;

/** Making a DuckDB takes longer than most of what it is asked here, so one is for all. */
export async function query(statement: string): Promise<unknown[][]> {
  reading ??= DuckDBInstance.create(':memory:', { threads: '1' });
  const connection = await (await reading).connect();
  try {
    return (await connection.runAndReadAll(statement)).getRowsJson();
  } finally {
    connection.closeSync();
  }
}

interface TableRows {
  readonly columns: readonly string[];
  readonly rows: readonly unknown[][];
}

/** All that a model holds, by table. */
export async function modelContent(file: string): Promise<Map<string, TableRows>> {
  const duckDb = await DuckDBInstance.create(':memory:', { threads: '1' });
  const connection = await duckDb.connect();
  try {
    await connection.run(`attach '${file}' as model (read_only); use model`);
    const tables = await connection.runAndReadAll(
      "select table_name from duckdb_tables() where database_name = 'model' order by table_name",
    );
    const content = new Map<string, TableRows>();
    for (const [table] of tables.getRowsJson()) {
      const read = await connection.runAndReadAll(`from "${table}"`);
      content.set(String(table), { columns: read.columnNames(), rows: read.getRowsJson() });
    }
    return content;
  } finally {
    connection.closeSync();
    duckDb.closeSync();
  }
}

/** file, line, column, value, reason; without the header. */
export function readRejects(report: { readonly rejects_file: string | null } | undefined): string[][] {
  if (typeof report?.rejects_file !== 'string') return [];
  return csvRows(readFileSync(report.rejects_file, 'utf8')).slice(1);
}

/** What a client sees of a business: tools over all its history that together read every table. */
export async function answers(test: TestInstance, business: Business): Promise<unknown> {
  const call = {
    business_id: business.business_id,
    from_date: '2020-01-01T00:00:00',
    to_date: '2026-12-31T23:59:59',
  };
  return [
    await test.ask('order_statistics', call),
    await test.ask('order_statistics_trend', { ...call, breakdown: 'month' }),
    await test.ask('product_statistics', { ...call, limit: 1000 }),
    await test.ask('category_statistics', { ...call, limit: 1000 }),
  ];
}

/** A small shop as CSV texts; other tests change one thing of it. */
export const SMALL_SHOP = {
  'orders.csv': `order_id,ordered_at,email,total
A1,2024-01-05T10:00:00,jana@example.com,100.50
A2,2024-01-06T11:00:00,petr@example.com,200
A3,2024-02-01T09:30:00,jana@example.com,50
`,
  'order_items.csv': `order_id,line_no,external_product_id,quantity,unit_price
A1,1,P1,2,40
A1,2,P2,1,20.50
A2,1,P1,5,40
A3,1,P2,1,50
`,
  'products.csv': `external_product_id,name,brand,categories,price,purchase_price
P1,Mug,Acme,Kitchen|Gifts,40,25
P2,Plate,Bolt,Kitchen,20.50,10
`,
} as const;
