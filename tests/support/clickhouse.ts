import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { ClickHouseClient } from '@clickhouse/client';
import {
  type ClickHousePlace,
  connectToRead,
  connectToWrite,
  readClickHouseUrl,
} from '../../src/warehouse/clickhouse-connection.ts';
import { ClickHouseShards } from '../../src/warehouse/clickhouse-shards.ts';

const PROCESS = fileURLToPath(new URL('clickhouse-process.ts', import.meta.url));

interface ConnectedClickHouse {
  readonly place: ClickHousePlace;
  readonly reading: ClickHouseShards;
  readonly writing: ClickHouseShards;
  readonly client: ClickHouseClient;
}

/** A ClickHouse of its own, in a process of its own. */
export interface TestClickHouse extends ConnectedClickHouse {
  /** As a setting names it. */
  readonly url: string;
  stop(): Promise<void>;
}

export async function startClickHouse(): Promise<TestClickHouse> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', PROCESS]);
  const closed = once(child, 'close');
  const errors = text(child.stderr);
  const [line] = await Promise.race([once(child.stdout, 'data'), closed.then(() => [''])]);
  if (String(line) === '') throw new Error(`ClickHouse did not start:\n${await errors}`);
  const url = `${String(line).trim().replace('http:', 'clickhouse:')}/storesight`;
  const connected = connectClickHouse(url);
  return {
    url,
    ...connected,
    stop: async () => {
      await Promise.all([connected.reading.close(), connected.writing.close()]);
      child.stdin.end();
      await closed;
    },
  };
}

export function connectClickHouse(url: string): ConnectedClickHouse {
  const place = readClickHouseUrl(url);
  if (place === null) throw new Error(url);
  const limits = { connections: 4, timeoutSeconds: 60 };
  const reading = new ClickHouseShards(place, (address) => connectToRead(place, address, limits));
  const writing = new ClickHouseShards(place, (address) => connectToWrite(place, address));
  return { place, reading, writing, client: writing.first };
}
