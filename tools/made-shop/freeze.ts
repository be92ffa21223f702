/**
 * Makes the made shop and writes it as the Parquet files that the product ships and imports at a first start:
 *
 *     node tools/made-shop/freeze.ts [FOLDER]
 *
 * Without a folder, into `demo-data/kamenice-outdoor`. The same generator gives the same rows on any machine,
 * which tests/demo/frozen-shop.full.test.ts checks.
 */
import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import type { Column } from '../../src/store/column-kinds.ts';
import { CANONICAL_TABLES } from '../../src/store/tables/all-tables.ts';
import { PACKAGE_FOLDER } from '../../src/version.ts';
import { writeDemoTables } from './generator/write-demo-shop.ts';

export const FROZEN_FOLDER = join(PACKAGE_FOLDER, 'demo-data/kamenice-outdoor');

/**
 * Writes the rows of canonical NDJSON files as one Parquet file for each; what is in the files stays the
 * same.
 */
export async function freeze(from: string, to: string): Promise<void> {
  const instance = await DuckDBInstance.create(':memory:');
  try {
    const db = await instance.connect();
    // The offset of a moment is not kept, only when it was.
    await db.run(`set timezone = 'UTC'`);
    await mkdir(to, { recursive: true });
    for (const { name, columns } of CANONICAL_TABLES) {
      const file = join(from, `${name}.ndjson`);
      if ((await stat(file).catch(() => null)) === null) continue;
      await freezeTable(db, file, join(to, `${name}.parquet`), columns);
    }
    db.closeSync();
  } finally {
    instance.closeSync();
  }
}

async function freezeTable(
  db: DuckDBConnection,
  from: string,
  to: string,
  columns: Readonly<Record<string, Column>>,
): Promise<void> {
  const keys = await db.runAndReadAll(
    `select distinct unnest(json_keys(json)) as key from read_ndjson_objects(${quoted(from)})`,
  );
  const written = new Set(keys.getRowObjects().map(({ key }) => String(key)));
  const known = Object.entries(columns).filter(([name]) => written.has(name));
  if (known.length < written.size) throw new Error(`${from} has a column that the canonical table lacks`);
  const types = known.map(([name]) => `"${name}": 'varchar'`).join(', ');
  const cells = known
    .map(
      ([name, column]) => `${cell(`"${name}"`, column.stored(name, (other) => other)[0]?.type)} as "${name}"`,
    )
    .join(', ');
  // One row group and delta encodings (format v2): dictionaries are written once, sorted numbers nearly
  // vanish.
  await db.run(`
    copy (select ${cells} from read_json(${quoted(from)}, format = 'newline_delimited', columns = {${types}}))
    to ${quoted(to)} (format parquet, compression zstd, compression_level 19, parquet_version v2, row_group_size 1000000)`);
}

/** Types that the import takes as they are; all else is text, as it stands in the file that is frozen. */
function cell(name: string, type: string | undefined): string {
  switch (type) {
    case 'bigint':
      return `cast(${name} as bigint)`;
    case 'boolean':
      return `cast(${name} as boolean)`;
    case 'timestamp':
      return `cast(${name} as timestamp with time zone)`;
    default:
      return name;
  }
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

if (import.meta.main) {
  const folder = await mkdtemp(join(tmpdir(), 'made-shop-'));
  try {
    await writeDemoTables(folder);
    await freeze(folder, process.argv[2] ?? FROZEN_FOLDER);
  } finally {
    await rm(folder, { recursive: true });
  }
}
