import { isLoopback } from '../../../network/loopback.ts';
import { VendorError } from '../../vendor.ts';

/** What a connection string says. */
export interface Server {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly database: string;
  /** `none` only on this machine: elsewhere the password and the rows could be read on their way. */
  readonly tls: 'verified' | 'unverified' | 'none';
}

const EXAMPLE = 'postgresql://reader:password@db.example.com:5432/warehouse';

/** These parameters tell a client nothing that matters here. */
const IGNORED = new Set(['application_name', 'channel_binding', 'connect_timeout', 'options', 'keepalives']);

const CHECKED_MODES = new Set(['prefer', 'require', 'verify-ca', 'verify-full']);

/**
 * Read here, and not by the driver, which would open the files that a connection string may name. @throws
 * VendorError
 */
export function readConnectionString(text: string): Server {
  const url = URL.parse(text.trim());
  const database = decoded(url?.pathname.replace(/^\//, '') ?? '');
  if (
    url === null ||
    !['postgres:', 'postgresql:'].includes(url.protocol) ||
    [url.hostname, url.username, url.password, database].includes('')
  )
    throw refused(
      `it must be written like ${EXAMPLE}, with %40 for an @ within the password, %23 for a #, %2F for a / and %3A for a :`,
    );
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  let tls: Server['tls'] = isLoopback(url.hostname) ? 'none' : 'verified';
  for (const [name, value] of url.searchParams) {
    if (name === 'sslmode') tls = tlsOf(value, url.hostname);
    else if (!IGNORED.has(name))
      throw refused(`leave "${name}" out of it: only sslmode is read there, and files of this server never`);
  }
  return {
    host,
    port: url.port === '' ? 5432 : Number(url.port),
    database,
    tls,
    user: decoded(url.username),
    password: decoded(url.password),
  };
}

function tlsOf(mode: string, hostname: string): Server['tls'] {
  if (CHECKED_MODES.has(mode)) return 'verified';
  if (mode === 'no-verify') return 'unverified';
  if (mode === 'disable' && isLoopback(hostname)) return 'none';
  throw refused(
    `sslmode may be verify-full (also what is meant without it), or no-verify where nobody can check the certificate of the server; it is read ` +
      'over TLS only',
  );
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw refused('a % in it is no part of such a code as %40; write %25 for it');
  }
}

function refused(why: string): VendorError {
  return new VendorError('unauthorized', `the connection string cannot be used: ${why}`);
}
