import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { modelContent, query } from '../ingest/shop.ts';

/**
 * The bytes of every file of a data folder, and every value of every Parquet file and DuckDB database: what
 * is packed there is in no bytes.
 */
export async function everythingKept(folder: string): Promise<Map<string, string>> {
  const kept = new Map<string, string>();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    kept.set(path, readFileSync(path).toString('latin1'));
    if (path.endsWith('.parquet')) kept.set(`${path}, read`, JSON.stringify(await query(`from '${path}'`)));
    if (path.endsWith('.duckdb'))
      kept.set(`${path}, read`, JSON.stringify([...(await modelContent(path)).values()]));
  }
  return kept;
}
