import type { ClickHouseClient } from '@clickhouse/client';
import type { ClickHousePlace } from './clickhouse-connection.ts';
import type { ClickHouseShards } from './clickhouse-shards.ts';
import { CLICKHOUSE_TABLES } from './clickhouse-tables.ts';

/**
 * How many parts a table has at least on a shard with many businesses. What removes a snapshot rewrites one
 * of them, so it stays quick when the others hold billions of rows; a partition for each business would be
 * thousands of them.
 */
const PARTITIONS = 64;

/** The partition in which the rows of a business lie. Its value is the id of the partition too. */
export const partitionOf = (businessId: string) => `cityHash64(${businessId}) % ${PARTITIONS}`;

/**
 * Makes the database, its tables and their columns on every server; leaves what is there, so that an update
 * adds to it.
 */
export async function createClickHouseSchema(
  shards: ClickHouseShards,
  { database, cluster }: Pick<ClickHousePlace, 'database' | 'cluster'>,
): Promise<void> {
  // A cluster tells all its servers, other servers are told one by one.
  const servers = cluster === undefined ? shards.all : [shards.first];
  for (const server of servers) {
    for (const query of schemaStatements(database, cluster)) await run(server, query);
  }
}

async function run(server: ClickHouseClient, query: string): Promise<void> {
  await server.command({ query, clickhouse_settings: { distributed_ddl_output_mode: 'throw' } });
}

export function schemaStatements(database: string, cluster: string | undefined): string[] {
  const everywhere = cluster === undefined ? '' : ` on cluster '${cluster}'`;
  const engine = cluster === undefined ? 'MergeTree' : 'ReplicatedMergeTree';
  return [
    `create database if not exists ${database}${everywhere}`,
    ...CLICKHOUSE_TABLES.flatMap(({ name, columns, order }) => {
      const declared = Object.entries(columns).map(([column, { clickhouse }]) => `${column} ${clickhouse}`);
      const additions = declared.map((column) => `add column if not exists ${column}`);
      return [
        `create table if not exists ${database}.${name}${everywhere} (
          business_id UUID codec(ZSTD),
          snapshot_id LowCardinality(String) codec(ZSTD),
          ${declared.join(',\n          ')}
        ) engine = ${engine}
        partition by ${partitionOf('business_id')}
        order by (${['business_id', 'snapshot_id', ...order].join(', ')})`,
        `alter table ${database}.${name}${everywhere} ${additions.join(', ')}`,
      ];
    }),
  ];
}
