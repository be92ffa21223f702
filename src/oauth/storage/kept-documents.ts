import type { ControlDatabase } from '../../control/database/control-database.ts';
import { seal, unseal } from '../../control/tokens/instance-secret.ts';

type Fetch = typeof globalThis.fetch;

const PURPOSE = 'oauth client';

/**
 * The last good documents of clients that somebody connected, beside the clients that registered themselves.
 */
export class KeptDocuments {
  readonly #control: ControlDatabase;
  readonly #secret: Buffer;
  readonly #onError: (error: Error) => void;

  /** @param onError told that a newer document could not be kept, which ends no connection */
  constructor(control: ControlDatabase, secret: Buffer, onError: (error: Error) => void) {
    this.#control = control;
    this.#secret = secret;
    this.#onError = onError;
  }

  async keep(client_id: string, document: object): Promise<void> {
    const metadata_sealed = seal(this.#secret, PURPOSE, JSON.stringify(document));
    await this.#control
      .insertInto('oauth_clients')
      .values({ client_id, metadata_sealed, created_at: new Date().toISOString() })
      .onConflict((conflict) => conflict.column('client_id').doUpdateSet({ metadata_sealed }))
      .execute();
  }

  async find(client_id: string): Promise<object | null> {
    const kept = await this.#control
      .selectFrom('oauth_clients')
      .select('metadata_sealed')
      .where('client_id', '=', client_id)
      .executeTakeFirst();
    const opened = kept && unseal(this.#secret, PURPOSE, kept.metadata_sealed);
    return opened ? JSON.parse(opened) : null;
  }

  /**
   * Gives the kept document where one cannot be fetched: a connection must not end because its app's web site
   * is down for a while. A new document takes its place.
   */
  standingIn(fetch: Fetch): Fetch {
    return async (input, options) => {
      const url = String(input);
      const kept = await this.find(url);
      if (kept === null) return fetch(url, options);
      const live = await fetch(url, options).catch(() => null);
      if (live?.status !== 200) return Response.json(kept);
      const document = (await live.json()) as object;
      await this.keep(url, document).catch(this.#onError);
      return Response.json(document, { headers: live.headers });
    };
  }
}
