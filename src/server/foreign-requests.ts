import { validateHostHeader, validateOriginHeader } from '@modelcontextprotocol/server';
import { shorten } from '../mcp/public-error.ts';
import { refusal } from './request-body.ts';

interface Known {
  /** Hostnames under which clients reach this server. */
  readonly hosts: readonly string[];
  /** Hostnames of web pages that may call it. */
  readonly origins: readonly string[];
}

/**
 * Refuses a request that was sent to another name than this server's, or by a web page that may not call it.
 * Without the first, a page anywhere could have its own name lead to this machine (DNS rebinding), and would
 * be no other page then.
 */
export function refuseForeign({ headers }: Request, { hosts, origins }: Known): Response | undefined {
  const host = validateHostHeader(headers.get('Host'), [...hosts]);
  if (!host.ok) return refused('Host', host.message, host.hostname, 'STORESIGHT_ALLOWED_HOSTS');
  const origin = validateOriginHeader(headers.get('Origin'), [...origins]);
  if (!origin.ok) return refused('Origin', origin.message, origin.hostname, 'STORESIGHT_ALLOWED_ORIGINS');
  return undefined;
}

function refused(header: string, why: string, hostname: string | undefined, setting: string): Response {
  const way =
    hostname === undefined
      ? `requests are taken whose ${header} is named in the setting ${setting}`
      : `if clients are right to use this name, the operator of this server adds ${hostname} to the setting ${setting}`;
  return refusal(403, -32000, shorten(`${why}; ${way}`));
}
