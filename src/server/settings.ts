import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { z } from 'zod';
import { namedExtensions } from '../business/extensions.ts';
import { readGroups } from '../business/tool-groups.ts';
import { InputError } from '../errors.ts';
import { isLoopback } from '../network/loopback.ts';
import { DEFAULT_LIMITS } from '../snapshot/import-limits.ts';
import { bytesOf } from '../snapshot/import-memory.ts';
import { readClickHouseUrl } from '../warehouse/clickhouse-connection.ts';
import { TrustedProxies } from './client-address.ts';

const positive = z.coerce.number({ error: 'it must be a whole number, at least 1' }).int().positive();
const size = z.string().regex(/^\d+(\.\d+)?\s?[KMGT]i?B$/i, 'it must be a size, for example 4GB');
const bytes = size.transform(bytesOf);
const port = z.coerce
  .number({ error: 'it must be a port, 0 to 65535' })
  .int()
  .min(0)
  .max(65535, 'it must be a port, 0 to 65535');
const url = z
  .url({ protocol: /^https?$/, error: 'it must be a URL, for example https://example.com' })
  .transform((text) => text.replace(/\/+$/, ''));
const SAFE = 'it must begin with https://, or passwords and tokens would travel unencrypted';
const isSafe = (text: string) => text.startsWith('https:') || isLoopback(new URL(text).hostname);

/**
 * The most connections. Each query that runs takes a thread of libuv's pool, and some must be left: see
 * src/cli/main.ts.
 */
const MOST_CONNECTIONS = 100;

function readList(text: string): string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean);
}

/** Names with commas between, of which each must exist. */
function named<Read>(read: (text: string) => Read) {
  return z
    .string()
    .default('')
    .transform((text, context) => {
      try {
        return read(text);
      } catch (error) {
        if (!(error instanceof InputError)) throw error;
        context.addIssue(error.message);
        return z.NEVER;
      }
    });
}

/** `STORESIGHT_<NAME>` of each, with its meaning in docs/settings.md. */
const SETTINGS = z.object({
  DATA: z
    .string()
    .min(1)
    .default('storesight-data')
    .transform((folder) => resolve(folder)),
  // A character that should have been encoded would move a part of the password to where it is shown.
  CONTROL_URL: z
    .string()
    .refine(
      (text) => /^postgres(ql)?:\/\/[^/?#]*\/[^/?#@]+(\?[^#@]*)?$/.test(text) && URL.canParse(text),
      'it must be like postgres://user:password@host/database, special characters in its parts percent-encoded',
    )
    .optional(),
  WAREHOUSE_URL: z
    .string()
    .transform((text, context) => {
      const place = readClickHouseUrl(text);
      if (place !== null) return place;
      context.addIssue(
        'it must be like clickhouse://user:password@host/database, special characters in its parts percent-encoded',
      );
      return z.NEVER;
    })
    .optional(),
  PORT: port.default(8787),
  HOST: z.string().min(1).default('127.0.0.1'),
  // The metadata that leads a client to its sign-in stands at the root of the host (RFC 9728), so it must be
  // ours.
  BASE_URL: url
    .refine((text) => URL.parse(text)?.origin === text.toLowerCase(), 'it must end after the host and port')
    .refine(isSafe, SAFE)
    .optional(),
  AUTH_URL: url
    .refine(
      (text) => URL.parse(text)?.href.replace(/\/$/, '') === text && !/[?#@]/.test(text),
      'it must be written as browsers do, without user, query and fragment',
    )
    .refine(isSafe, SAFE)
    .optional(),
  // The issuer stays as it is typed: it is compared letter by letter.
  OIDC_ISSUER: z
    .url({ protocol: /^https?$/, error: 'it must be a URL, for example https://login.example.com' })
    .optional(),
  OIDC_CLIENT_ID: z.string().min(1).optional(),
  OIDC_CLIENT_SECRET: z.string().min(1).optional(),
  OIDC_TRUST_EMAIL: z.enum(['true', 'false']).default('false'),
  ALLOWED_HOSTS: z
    .string()
    .default('')
    .transform((text) => readList(text.toLowerCase()))
    .refine(
      (hosts) => hosts.every((host) => URL.parse(`http://${host}`)?.hostname === host),
      'it must be hostnames without scheme and port, with commas between, like host.docker.internal',
    ),
  ALLOWED_ORIGINS: z.string().default('').transform(readList),
  GROUPS: named(readGroups),
  EXTENSIONS: named(namedExtensions),
  TRUSTED_PROXIES: z
    .string()
    .transform((text, context) => {
      const proxies = TrustedProxies.listed(readList(text));
      if (proxies !== null) return proxies;
      context.addIssue(
        'it must be addresses and ranges with commas between, like 203.0.113.7,10.0.0.0/8,2001:db8::/32',
      );
      return z.NEVER;
    })
    .optional(),
  RATE_LIMIT: positive.default(12_000),
  MAX_REQUEST_BYTES: positive.default(1_048_576),
  CONNECTIONS: positive.default(2000),
  // Longer than proxies keep their unused connections: nginx and AWS 60 s, Caddy 120 s. A shorter time here
  // makes them send requests into connections that are closed at that moment.
  KEEP_ALIVE_S: positive.default(125),
  METRICS_PORT: port.optional(),
  METRICS_HOST: z.string().min(1).default('127.0.0.1'),
  OTLP_URL: z
    .url({ protocol: /^https?$/, error: 'it must be a URL, for example http://127.0.0.1:4318' })
    .optional(),
  QUERY_TIMEOUT_S: positive.default(30),
  QUERY_CONNECTIONS: positive
    .max(MOST_CONNECTIONS, `it must be at most ${MOST_CONNECTIONS}`)
    .default(Math.min(MOST_CONNECTIONS, Math.max(4, 2 * availableParallelism()))),
  OPEN_SNAPSHOTS: positive.default(500),
  KEPT_ANSWERS: bytes.prefault('64MB'),
  MEMORY_LIMIT: size.optional(),
  SPILL_LIMIT: size.optional(),
  IMPORT_MEMORY: size.optional(),
  IMPORT_ROWS: positive.default(DEFAULT_LIMITS.rows),
  IMPORT_UNPACKED: bytes.prefault('64GiB'),
  IMPORT_WRITTEN: bytes.optional(),
  IMPORT_MINUTES: positive.default(DEFAULT_LIMITS.minutes),
  SYNCS_AT_ONCE: positive.max(32, 'it must be at most 32').default(2),
  RUN_MINUTES: positive.max(1440, 'it must be at most 1440, a day').default(60),
  // This setting is for stub vendors on this machine. Nothing else that is private can be reached by it.
  VENDORS_ON_LOOPBACK: z
    .enum(['true', 'false'])
    .default('false')
    .transform((text) => text === 'true'),
  UPLOAD_FILE_LIMIT: bytes.prefault('2GB'),
  UPLOAD_LIMIT: bytes.prefault('4GB'),
  UPLOAD_ACCOUNT_LIMIT: bytes.prefault('8GB'),
  UPLOAD_SPACE: bytes.prefault('20GB'),
  UPLOAD_HOURS: positive.default(24),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),
});

export type Settings = z.output<typeof SETTINGS>;

/** @throws InputError that names the variable that does not fit */
export function readSettings(environment: NodeJS.ProcessEnv): Settings {
  const given = Object.fromEntries(
    Object.keys(SETTINGS.shape).map((name) => [name, environment[`STORESIGHT_${name}`] || undefined]),
  );
  const settings = SETTINGS.safeParse(given);
  if (settings.success) return settings.data;
  const [issue] = settings.error.issues;
  throw new InputError(
    `STORESIGHT_${issue?.path.join('.')} does not fit: ${issue?.message}; see docs/settings.md`,
  );
}
