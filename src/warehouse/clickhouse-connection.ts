import { type ClickHouseClient, ClickHouseLogLevel, createClient } from '@clickhouse/client';
import { SHARED_SQL_SETTINGS } from './clickhouse-dialect.ts';

export interface ClickHousePlace {
  /** `http://host:8123` or `https://host:8443`. */
  readonly url: string;
  readonly username: string;
  readonly password: string;
  readonly database: string;
}

/** Of `clickhouse://user:password@host/database`, or `clickhouses://` where the connection is encrypted. */
export function readClickHouseUrl(text: string): ClickHousePlace {
  const isSecure = text.startsWith('clickhouses:');
  const url = new URL(text.replace(/^clickhouses?:/, isSecure ? 'https:' : 'http:'));
  const port = url.port || (isSecure ? '8443' : '8123');
  return {
    url: `${url.protocol}//${url.hostname}:${port}`,
    username: decodeURIComponent(url.username) || 'default',
    password: decodeURIComponent(url.password),
    database: url.pathname.slice(1) || 'storesight',
  };
}

export interface ConnectionLimits {
  /** How many requests are under way at once; further ones wait. */
  readonly connections: number;
  readonly timeoutSeconds: number;
}

/** For tools: the server itself takes no writes over it, and stops what takes too long or has lost its caller. */
export function connectToRead(place: ClickHousePlace, limits: ConnectionLimits): ClickHouseClient {
  return connect(place, limits, {
    readonly: '2',
    max_execution_time: limits.timeoutSeconds,
    cancel_http_readonly_queries_on_client_close: 1,
  });
}

/** For publishing and the schema. */
export function connectToWrite(place: ClickHousePlace): ClickHouseClient {
  return connect(place, { connections: 4, timeoutSeconds: 3600 }, {});
}

function connect(
  { url, username, password }: ClickHousePlace,
  { connections, timeoutSeconds }: ConnectionLimits,
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
