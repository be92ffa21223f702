import type { Adapter, AdapterPayload } from 'oidc-provider';
import type { ControlDatabase } from '../../control/database/control-database.ts';
import { findGrant } from '../../control/tokens/grants.ts';
import { SCOPES } from '../scopes.ts';

/**
 * The grants of the control database, as oidc-provider reads them. The consent page makes them; there is no
 * second copy that could say something else.
 */
export class Grants implements Pick<Adapter, 'find' | 'destroy'> {
  readonly #control: ControlDatabase;
  readonly #resource: string;

  /** @param resource the MCP URL */
  constructor(control: ControlDatabase, resource: string) {
    this.#control = control;
    this.#resource = resource;
  }

  async find(grantId: string): Promise<AdapterPayload | undefined> {
    const grant = await findGrant(this.#control, grantId);
    if (grant === null || grant.client_id === null) return undefined;
    const scope = SCOPES.join(' ');
    return {
      kind: 'Grant',
      jti: grant.grant_id,
      iat: seconds(grant.created_at),
      exp: seconds(grant.expires_at),
      accountId: grant.account_id,
      clientId: grant.client_id,
      openid: { scope },
      resources: { [this.#resource]: scope, [`${this.#resource}/`]: scope },
    } as AdapterPayload;
  }

  /** A replayed code or token, or the client's own revocation. */
  async destroy(grantId: string): Promise<void> {
    await this.#control
      .updateTable('grants')
      .set({ revoked_at: new Date().toISOString() })
      .where('grant_id', '=', grantId)
      .where('revoked_at', 'is', null)
      .execute();
  }
}

function seconds(iso: string): number {
  return Math.floor(Date.parse(iso) / 1000);
}
