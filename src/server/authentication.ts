import { type AuthInfo, OAuthError, OAuthErrorCode, requireBearerAuth } from '@modelcontextprotocol/server';
import type { Logger } from 'pino';
import type { ControlDatabase } from '../control/database/control-database.ts';
import type { GrantUses } from '../control/tokens/grant-uses.ts';
import { findGrant, type Grant } from '../control/tokens/grants.ts';
import { COMMAND_LINE, type TokenOrigin, verifyToken } from '../control/tokens/signed-tokens.ts';
import { OperatorError } from '../errors.ts';
import { logRefusal } from '../mcp/public-error.ts';
import { hideUnexpected } from '../mcp/unexpected-error.ts';
import { SCOPE } from '../oauth/scopes.ts';

export interface AuthenticationOptions {
  readonly control: ControlDatabase;
  readonly uses: GrantUses;
  readonly log: Logger;
  /** The tokens of our authorization server; those of the command line are taken beside them. */
  readonly origin: TokenOrigin;
  readonly resourceMetadataUrl: string;
}

/** Who sends a request, or the response that refuses it and says where to sign in. */
export function createAuthentication(
  options: AuthenticationOptions,
): (request: Request) => Promise<AuthInfo | Response> {
  return requireBearerAuth({
    verifier: { verifyAccessToken: (token) => verifyAccessToken(options, token) },
    requiredScopes: [SCOPE],
    resourceMetadataUrl: options.resourceMetadataUrl,
  });
}

async function verifyAccessToken(options: AuthenticationOptions, token: string): Promise<AuthInfo> {
  const authInfo = await readToken(options, token).catch((error: unknown) => {
    if (!(error instanceof OperatorError)) {
      const message = hideUnexpected(options.log, error, 'authentication failed');
      throw new OAuthError(OAuthErrorCode.ServerError, message);
    }
    logRefusal(options.log, error, {}, 'authentication refused');
    throw new OAuthError(OAuthErrorCode.TemporarilyUnavailable, error.message);
  });
  if (authInfo === null) {
    throw new OAuthError(OAuthErrorCode.InvalidToken, 'The access token is invalid, expired or revoked');
  }
  return authInfo;
}

/** The token only names a grant; what it may read is read here, at every request. */
async function readToken(
  { control, uses, origin }: AuthenticationOptions,
  token: string,
): Promise<AuthInfo | null> {
  const verified = await verifyToken(control, token, [origin, COMMAND_LINE]);
  const grant = verified === null ? null : await findGrant(control, verified.grant_id);
  if (verified === null || grant === null) return null;
  if (grant.account_id !== verified.account_id || grant.client_id !== verified.client_id) return null;
  uses.record(grant.grant_id);
  return {
    token,
    clientId: grant.client_id ?? 'command-line',
    scopes: [...verified.scopes],
    expiresAt: verified.expires_at,
    extra: { grant },
  };
}

export function grantOf(authInfo: AuthInfo | undefined): Grant {
  if (authInfo?.extra?.grant === undefined)
    throw new Error('a request without a grant reached the MCP server');
  return authInfo.extra.grant as Grant;
}
