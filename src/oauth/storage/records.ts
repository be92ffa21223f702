import type { Adapter, AdapterPayload } from 'oidc-provider';
import { errors } from 'oidc-provider';
import { isWithin } from '../../control/database/clock-tolerance.ts';
import type { ControlDatabase } from '../../control/database/control-database.ts';
import { WindowCounts } from '../../control/limits/window-counts.ts';
import { hashHandle, seal, unseal } from '../../control/tokens/instance-secret.ts';

/** Two uses of one handle within this are one client sending twice, and none is punished. */
export const SIMULTANEOUS_MS = 2_000;
/**
 * How long a used refresh token gives its successor again, to a host that did not get the answer or that
 * sends several. It is what hosts wait for an answer before they send again; and clocks of two servers may
 * differ by so much.
 */
export const GRACE_MS = 30_000;

/**
 * What anybody can create before a person signs in. A limited number of each kind is kept; those that end
 * first are deleted first.
 */
const OF_ANYBODY = ['Interaction', 'Session'];
export const MOST_OF_ANYBODY = 5_000;
const TRIMMED_EVERY = 100;

/**
 * A code is looked for by each request that has it, before its verifier is compared: so often at each server,
 * within its minute.
 */
export const TRIES_OF_CODE = 5;

const PURPOSE = 'oauth record';

/**
 * Codes, refresh tokens, sessions and interactions. A record is found by the hash of its handle, and what it
 * holds is sealed: neither can be used by who reads the database.
 */
export class Records implements Adapter {
  readonly #control: ControlDatabase;
  readonly #secret: Buffer;
  readonly #kind: string;
  readonly #tries: WindowCounts | null;
  #untrimmed = 0;

  constructor(control: ControlDatabase, secret: Buffer, kind: string) {
    this.#control = control;
    this.#secret = secret;
    this.#kind = kind;
    this.#tries = kind === 'AuthorizationCode' ? new WindowCounts(TRIES_OF_CODE, { minutes: 2 }) : null;
  }

  async upsert(handle: string, payload: AdapterPayload, expiresIn = 0): Promise<void> {
    const { jti, ...kept } = payload;
    const record = {
      grant_id: payload.grantId ?? null,
      rotation: payload.rotations ?? null,
      payload_sealed: seal(this.#secret, PURPOSE, JSON.stringify(kept)),
      expires_at: new Date(Date.now() + expiresIn * 1000).toISOString(),
    };
    await this.#control
      .insertInto('oauth_records')
      .values({
        kind: this.#kind,
        id_hash: hashHandle(handle),
        consumed_at: null,
        ...record,
      })
      .onConflict((conflict) => conflict.columns(['kind', 'id_hash']).doUpdateSet(record))
      .execute();
    if (OF_ANYBODY.includes(this.#kind)) await this.#trim();
  }

  async #trim(): Promise<void> {
    this.#untrimmed += 1;
    if (this.#untrimmed < TRIMMED_EVERY) return;
    this.#untrimmed = 0;
    await this.#control
      .deleteFrom('oauth_records')
      .where('kind', '=', this.#kind)
      .where('id_hash', 'in', (database) =>
        database
          .selectFrom('oauth_records')
          .select('id_hash')
          .where('kind', '=', this.#kind)
          .orderBy('expires_at', 'desc')
          .limit(10 * TRIMMED_EVERY)
          .offset(MOST_OF_ANYBODY),
      )
      .execute();
  }

  async find(handle: string): Promise<AdapterPayload | undefined> {
    const record = await this.#record(handle);
    const opened = record && unseal(this.#secret, PURPOSE, record.payload_sealed);
    if (!opened) return undefined;
    const payload = { ...JSON.parse(opened), jti: handle };
    if (await this.#isReplayed(record)) return { ...payload, consumed: true };
    return this.#isTriedOut(record) ? undefined : payload;
  }

  /**
   * Whether a code was tried too often. Nothing is used up by a refusal, so a client that sent a wrong
   * verifier may send the right one. But nobody tries for ever.
   */
  #isTriedOut({ id_hash, consumed_at }: ConsumableRecord & { readonly id_hash: string }): boolean {
    return consumed_at === null && this.#tries !== null && this.#tries.add(id_hash) > 0;
  }

  #record(handle: string) {
    return this.#control
      .selectFrom('oauth_records')
      .selectAll()
      .where('kind', '=', this.#kind)
      .where('id_hash', '=', hashHandle(handle))
      .where('expires_at', '>', new Date().toISOString())
      .executeTakeFirst();
  }

  /**
   * The record was consumed and is used again, neither at the same time nor as a retry: somebody else has it.
   */
  async #isReplayed(record: ConsumableRecord): Promise<boolean> {
    const { consumed_at, rotation } = record;
    if (consumed_at === null || isJustUsed(consumed_at)) return false;
    return rotation === null || !isInGrace(consumed_at) || (await this.#isSuccessorUsed(record));
  }

  async #isSuccessorUsed({ grant_id, rotation }: ConsumableRecord): Promise<boolean> {
    const used = await this.#control
      .selectFrom('oauth_records')
      .select('id_hash')
      .where('kind', '=', this.#kind)
      .where('grant_id', '=', grant_id)
      .where('rotation', '>', rotation)
      .where('consumed_at', 'is not', null)
      .executeTakeFirst();
    return used !== undefined;
  }

  /**
   * Consumes a code or a refresh token. Of all who try a code at once, one succeeds: the row is changed only
   * as it was read. All who try a refresh token at once, or again within the time of grace, succeed, and get
   * one successor (`successors.ts`). Whoever found it unused may be so slow that this time has ended, so that
   * is looked at once more.
   *
   * @throws InvalidGrant for the others
   */
  async consume(handle: string): Promise<void> {
    const record = await this.#record(handle);
    if (record === undefined || (await this.#isReplayed(record))) throw usedAlready();
    const { numUpdatedRows } = await this.#control
      .updateTable('oauth_records')
      .set({ consumed_at: new Date().toISOString() })
      .where('kind', '=', this.#kind)
      .where('id_hash', '=', record.id_hash)
      .where('consumed_at', 'is', null)
      .executeTakeFirst();
    const isFirst = numUpdatedRows === 1n;
    if (!isFirst && record.rotation === null) throw usedAlready();
  }

  async destroy(handle: string): Promise<void> {
    await this.#control
      .deleteFrom('oauth_records')
      .where('kind', '=', this.#kind)
      .where('id_hash', '=', hashHandle(handle))
      .execute();
  }

  async revokeByGrantId(grantId: string): Promise<void> {
    await this.#control
      .deleteFrom('oauth_records')
      .where('kind', '=', this.#kind)
      .where('grant_id', '=', grantId)
      .execute();
  }

  async findByUid(): Promise<undefined> {
    throw new Error('tokens do not depend on sessions, so none is asked by its uid');
  }

  async findByUserCode(): Promise<undefined> {
    throw new Error('there is no device flow');
  }
}

interface ConsumableRecord {
  readonly grant_id: string | null;
  readonly rotation: number | null;
  readonly consumed_at: string | null;
}

/**
 * Whether it was used just now. Another server may have set the moment, and its clock may be behind or ahead.
 */
function isJustUsed(consumed_at: string): boolean {
  return isInGrace(consumed_at) && Date.now() - Date.parse(consumed_at) < SIMULTANEOUS_MS;
}

function isInGrace(consumed_at: string): boolean {
  return isWithin(consumed_at, new Date().toISOString(), GRACE_MS);
}

function usedAlready() {
  return new errors.InvalidGrant('it was used already');
}
