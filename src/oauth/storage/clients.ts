import type { Adapter, AdapterPayload } from 'oidc-provider';
import type { ControlDatabase } from '../../control/database/control-database.ts';
import { seal, unseal } from '../../control/tokens/instance-secret.ts';
import { isUnused } from './unused-clients.ts';

const PURPOSE = 'oauth client';
/**
 * Anybody can register. The most clients that are kept although nobody connected them; the oldest are deleted
 * first.
 */
export const MOST_UNUSED_CLIENTS = 1_000;

/** Clients that registered themselves. Their metadata is sealed, since it may hold a secret. */
export class Clients implements Pick<Adapter, 'upsert' | 'find' | 'destroy'> {
  readonly #control: ControlDatabase;
  readonly #secret: Buffer;

  constructor(control: ControlDatabase, secret: Buffer) {
    this.#control = control;
    this.#secret = secret;
  }

  async upsert(client_id: string, metadata: AdapterPayload): Promise<void> {
    const metadata_sealed = seal(this.#secret, PURPOSE, JSON.stringify(metadata));
    await this.#control
      .insertInto('oauth_clients')
      .values({ client_id, metadata_sealed, created_at: new Date().toISOString() })
      .execute();
    await this.#forgetOldestUnused();
  }

  async #forgetOldestUnused(): Promise<void> {
    await this.#control
      .deleteFrom('oauth_clients')
      .where('client_id', 'in', (database) =>
        database
          .selectFrom('oauth_clients')
          .select('oauth_clients.client_id')
          .where(isUnused)
          .orderBy('oauth_clients.created_at', 'desc')
          .orderBy('oauth_clients.client_id')
          .limit(100)
          .offset(MOST_UNUSED_CLIENTS),
      )
      .execute();
  }

  async find(client_id: string): Promise<AdapterPayload | undefined> {
    // A client whose name is the URL of its document is asked for that (`KeptDocuments` are its copies). The
    // database takes no text with NUL, and no client is called so.
    if (/^https:/i.test(client_id) || client_id.includes('\0')) return undefined;
    const client = await this.#control
      .selectFrom('oauth_clients')
      .select('metadata_sealed')
      .where('client_id', '=', client_id)
      .executeTakeFirst();
    const opened = client && unseal(this.#secret, PURPOSE, client.metadata_sealed);
    return opened ? JSON.parse(opened) : undefined;
  }

  async destroy(client_id: string): Promise<void> {
    await this.#control.deleteFrom('oauth_clients').where('client_id', '=', client_id).execute();
  }
}
