import { createHash } from 'node:crypto';
import type { ClickHouseClient } from '@clickhouse/client';
import type { ClickHousePlace } from './clickhouse-connection.ts';

/**
 * The servers of a ClickHouse. All of a business is on one shard, so a call asks one server, as if it were
 * alone.
 */
export class ClickHouseShards {
  readonly #clients: readonly [ClickHouseClient, ...ClickHouseClient[]];

  constructor(
    { shards: [first, ...others] }: ClickHousePlace,
    connect: (address: string) => ClickHouseClient,
  ) {
    this.#clients = [connect(first), ...others.map(connect)];
  }

  get first(): ClickHouseClient {
    return this.#clients[0];
  }

  get all(): readonly ClickHouseClient[] {
    return this.#clients;
  }

  /** The shard of a business. */
  of(businessId: string): ClickHouseClient {
    return this.#clients[shardOf(businessId, this.#clients.length)] ?? this.first;
  }

  async close(): Promise<void> {
    await Promise.all(this.#clients.map((client) => client.close()));
  }
}

/**
 * Rendezvous hashing (Thaler and Ravishankar, 1998): each shard draws a number for the business, the highest
 * wins. One more shard at the end of `count` takes an even share of the businesses from the others, and no
 * other moves.
 */
export function shardOf(businessId: string, count: number): number {
  const draws = Array.from({ length: count }, (_, shard) =>
    createHash('sha256').update(`${shard} ${businessId}`).digest('hex'),
  );
  return draws.indexOf(draws.toSorted().at(-1) ?? '');
}
