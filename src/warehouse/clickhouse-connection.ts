import { type ClickHouseClient, ClickHouseLogLevel, createClient } from '@clickhouse/client';
import { SHARED_SQL_SETTINGS } from './clickhouse-dialect.ts';
import { MOST_RESULT_ROWS } from './warehouse.ts';

export interface ClickHousePlace {
  /**
   * One address for each shard, `http://host:8123` or `https://host:8443`, in the order that says who lives
   * where.
   */
  readonly shards: readonly [string, ...string[]];
  readonly username: string;
  readonly password: string;
  readonly database: string;
  /** Its name in the servers' configuration, where the tables are replicated. */
  readonly cluster: string | undefined;
}

const URL_PARTS =
  /^clickhouse(?<secure>s)?:\/\/(?:(?<username>[^:@/?#]*)(?::(?<password>[^@/?#]*))?@)?(?<hosts>[^@/?#]+)(?:\/(?<database>[a-z][a-z0-9_]*))?(?:\?cluster=(?<cluster>[A-Za-z0-9_.-]+))?$/;

/**
 * Reads an address such as `clickhouse://user:password@host/database`, or `clickhouses://` where the
 * connection is encrypted. Several shards are hosts with commas between; replicated tables are named by
 * `?cluster=name`.
 *
 * @returns null for a text that is no such address
 */
export function readClickHouseUrl(text: string): ClickHousePlace | null {
  const parts = URL_PARTS.exec(text)?.groups;
  if (parts === undefined) return null;
  const { secure, username = '', password = '', hosts = '', database = 'storesight', cluster } = parts;
  const [first, ...others] = hosts.split(',').map((host) => addressOf(host, secure !== undefined));
  if (!first || others.includes(null)) return null;
  try {
    return {
      shards: [first, ...(others as string[])],
      username: decodeURIComponent(username) || 'default',
      password: decodeURIComponent(password),
      database,
      cluster,
    };
  } catch {
    return null;
  }
}

function addressOf(host: string, isSecure: boolean): string | null {
  const protocol = isSecure ? 'https:' : 'http:';
  const url = URL.parse(`${protocol}//${host}`);
  if (!url?.hostname) return null;
  return `${protocol}//${url.hostname}:${url.port || (isSecure ? '8443' : '8123')}`;
}

export interface ReadLimits {
  /** The most concurrent requests to a shard. */
  readonly connections: number;
  readonly timeoutSeconds: number;
  /** The memory limit of one query, for example `4GB`. Undefined: the server's own limit holds. */
  readonly memoryLimit?: string | undefined;
}

/**
 * Connects for tools: the server itself takes no writes over this connection, and stops what is too large,
 * takes too long or has lost its caller.
 */
export function connectToRead(
  place: ClickHousePlace,
  address: string,
  { connections, timeoutSeconds, memoryLimit }: ReadLimits,
): ClickHouseClient {
  return connect(place, address, connections, timeoutSeconds, {
    readonly: '2',
    max_execution_time: timeoutSeconds,
    max_result_rows: String(MOST_RESULT_ROWS),
    cancel_http_readonly_queries_on_client_close: 1,
    ...(memoryLimit === undefined ? {} : memorySettings(bytesOf(memoryLimit))),
  });
}

/** A query that comes near the limit goes on with temporary files. */
function memorySettings(bytes: number): Readonly<Record<string, string>> {
  const half = String(Math.floor(bytes / 2));
  return {
    max_memory_usage: String(bytes),
    max_bytes_before_external_group_by: half,
    max_bytes_before_external_sort: half,
  };
}

/** The bytes of `4GB` (1000 at a step) or `4GiB` (1024). */
function bytesOf(text: string): number {
  const [, amount, unit = '', binary] = /^([\d.]+)\s?([KMGT])(i?)B$/i.exec(text) ?? [];
  const step = binary === '' ? 1000 : 1024;
  return Math.floor(Number(amount) * step ** ('KMGT'.indexOf(unit.toUpperCase()) + 1));
}

/** A large table of one business takes its time to arrive. */
const WRITE_TIMEOUT_SECONDS = 3600;

/** Opens the connection for publishing and for the schema. */
export function connectToWrite(place: ClickHousePlace, address: string): ClickHouseClient {
  return connect(place, address, 4, WRITE_TIMEOUT_SECONDS, {});
}

function connect(
  { username, password }: ClickHousePlace,
  url: string,
  connections: number,
  timeoutSeconds: number,
  settings: Readonly<Record<string, string | number>>,
): ClickHouseClient {
  return createClient({
    url,
    username,
    password,
    application: 'storesight',
    // It would write whole queries, with their arguments, beside our log.
    log: { level: ClickHouseLogLevel.OFF },
    max_open_connections: connections,
    request_timeout: timeoutSeconds * 1000 + 5000,
    // A list of names can be longer than a URL may be.
    use_multipart_params_auto: true,
    compression: { request: true, response: true },
    clickhouse_settings: { ...SHARED_SQL_SETTINGS, ...settings },
  });
}
