import { createHmac } from 'node:crypto';
import Provider from 'oidc-provider';
import { keyFor } from '../control/tokens/instance-secret.ts';

/**
 * The successor of a refresh token is made from it and the instance's secret. So a client that sends one
 * token twice, to any server, before or after a restart, gets one successor; and nothing that could be used
 * is kept for that: the token itself is known to its client alone, and without it the secret and the database
 * give no successor.
 */
export function deriveSuccessors(provider: Provider, secret: Buffer): void {
  const key = keyFor(secret, 'successors of refresh tokens');
  // oidc-provider gives no other way to choose what a token is called; an access token is a JWT and is not
  // meant.
  const model = provider.RefreshToken.prototype as unknown as { generateTokenId(): string };
  const random = model.generateTokenId;
  model.generateTokenId = function () {
    const used = Provider.ctx?.oidc.entities.RotatedRefreshToken;
    if (used === undefined) return random.call(this);
    return createHmac('sha256', key).update(`${used.grantId} ${used.jti}`).digest('base64url');
  };
}
