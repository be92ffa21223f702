import { type AuthInfo, OAuthError, OAuthErrorCode, requireBearerAuth } from '@modelcontextprotocol/server';
import type { Logger } from 'pino';
import type { ControlDatabase } from '../control/database.ts';
import { findGrant, type Grant } from '../control/grants.ts';
import { verifyToken } from '../control/tokens.ts';
import { hideUnexpected } from '../mcp/unexpected-error.ts';

export const SCOPE = 'mcp';

/** Who sends a request, or the response that refuses it and says where to sign in. */
export function createAuthentication(
  control: ControlDatabase,
  log: Logger,
  resourceMetadataUrl: string,
): (request: Request) => Promise<AuthInfo | Response> {
  return requireBearerAuth({
    verifier: { verifyAccessToken: (token) => verifyAccessToken(control, log, token) },
    requiredScopes: [SCOPE],
    resourceMetadataUrl,
  });
}

async function verifyAccessToken(control: ControlDatabase, log: Logger, token: string): Promise<AuthInfo> {
  const authInfo = await readToken(control, token).catch((error: unknown) => {
    throw new OAuthError(OAuthErrorCode.ServerError, hideUnexpected(log, error, 'authentication failed'));
  });
  if (authInfo === null) {
    throw new OAuthError(OAuthErrorCode.InvalidToken, 'The access token is invalid, expired or revoked');
  }
  return authInfo;
}

/** The token only names a grant; what it may read is read here, at every request. */
async function readToken(control: ControlDatabase, token: string): Promise<AuthInfo | null> {
  const verified = await verifyToken(control, token);
  const grant = verified === null ? null : await findGrant(control, verified.grant_id);
  if (verified === null || grant === null || grant.account_id !== verified.account_id) return null;
  return {
    token,
    clientId: 'command-line',
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
