import type { ClickHouseClient } from '@clickhouse/client';
import { CLICKHOUSE_TABLES } from './clickhouse-tables.ts';

/** Makes the database, its tables and their columns on one server; leaves what is there, so that an update adds to it. */
export async function createClickHouseSchema(client: ClickHouseClient, database: string): Promise<void> {
  await client.command({ query: `create database if not exists ${database}` });
  for (const [name, { columns, order }] of Object.entries(CLICKHOUSE_TABLES)) {
    const declared = Object.entries(columns).map(([column, type]) => `${column} ${type}`);
    await client.command({
      query: `create table if not exists ${database}.${name} (
        business_id UUID codec(ZSTD),
        snapshot_id LowCardinality(String) codec(ZSTD),
        ${declared.join(',\n        ')}
      ) engine = MergeTree order by (business_id, snapshot_id, ${order.join(', ')})`,
    });
    const additions = declared.map((column) => `add column if not exists ${column}`);
    await client.command({ query: `alter table ${database}.${name} ${additions.join(', ')}` });
  }
}
