import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { MODEL_TABLES } from '../../src/snapshot/build/model-tables.ts';
import { Session } from '../../src/store/duckdb-session.ts';
import type { SnapshotReference } from '../../src/warehouse/warehouse.ts';
import { connectClickHouse } from './clickhouse.ts';
import { engineUrl } from './engines/engine-url.ts';

/**
 * Rows that a snapshot has on one engine alone, or more often there: some of each table, with the table's
 * name.
 */
export async function differencesOnClickHouse(
  snapshot: SnapshotReference,
  file: string,
): Promise<Record<string, unknown>[]> {
  const { client, reading, writing, place } = connectClickHouse(await engineUrl('clickhouse'));
  const folder = await mkdtemp(join(tmpdir(), 'storesight-comparing-'));
  try {
    using session = await Session.open(':memory:', {
      memory: '1GB',
      spillFolder: folder,
      spillLimit: '1GB',
    });
    await session.run(`set timezone = 'UTC'`);
    await session.run(`attach '${file}' as here (read_only)`);
    const found: Record<string, unknown>[] = [];
    for (const { name, types } of MODEL_TABLES) {
      const parquet = join(folder, `${name}.parquet`);
      const columns = Object.keys(types).join(', ');
      const { stream } = await client.exec({
        query: `select ${columns} from ${place.database}.${name}
          where business_id = {business_id: UUID} and snapshot_id = {snapshot_id: String} format Parquet`,
        query_params: { ...snapshot },
      });
      await pipeline(stream, createWriteStream(parquet));
      const there = Object.entries(types).map(([column, type]) => `cast(${column} as ${type}) as ${column}`);
      await session.run(`create table there as select ${there.join(', ')} from read_parquet('${parquet}')`);
      const here = `select ${columns} from here.${name}`;
      const only = (one: string, other: string, engine: string) =>
        `(select '${name}' as name, '${engine}' as only, t::varchar as row from (${one} except all ${other}) as t limit 3)`;
      found.push(
        ...(await session.rows(
          `${only(here, 'from there', 'DuckDB')} union all ${only('from there', here, 'ClickHouse')}`,
        )),
      );
      await session.run('drop table there');
    }
    await session.run('detach here');
    return found;
  } finally {
    await Promise.all([reading.close(), writing.close()]);
    await rm(folder, { recursive: true, force: true });
  }
}
