import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ControlDatabase, openControlDatabase } from '../../src/control/database/control-database.ts';
import { createAccount } from '../../src/control/people/accounts.ts';
import { createGrant } from '../../src/control/tokens/grants.ts';
import { Clients, MOST_UNUSED_CLIENTS } from '../../src/oauth/storage/clients.ts';
import { MOST_OF_ANYBODY, Records } from '../../src/oauth/storage/records.ts';
import { ENGINES, openPlaces, type Places } from '../control/engines.ts';

/** What anybody can have written into the control database has an end. */
const secret = randomBytes(32);
let places: Places;
let control: ControlDatabase;

beforeAll(async () => {
  places = await openPlaces();
});

afterAll(() => places[Symbol.asyncDispose]());

describe.each(ENGINES)('%s', (engine) => {
  beforeEach(async () => {
    control = await openControlDatabase(await places.fresh(engine));
  });

  afterEach(() => control.destroy());

  /** Rows of strangers, in one go. */
  async function fill(
    table: 'oauth_clients' | 'oauth_records',
    count: number,
    row: (index: number) => object,
  ) {
    for (let from = 0; from < count; from += 500) {
      const rows = Array.from({ length: Math.min(500, count - from) }, (_, index) => row(from + index));
      await control
        .insertInto(table)
        .values(rows as never)
        .execute();
    }
  }

  it('keeps so many clients that nobody connected, the youngest, and all that somebody did', async () => {
    const at = (index: number) => new Date(Date.now() - 1e7 + index).toISOString();
    await fill('oauth_clients', MOST_UNUSED_CLIENTS, (index) => ({
      client_id: `client-${index}`,
      metadata_sealed: '',
      created_at: at(index),
    }));
    const { account_id } = await createAccount(control, { email: 'ada@example.com', password: null });
    const client = { client_id: 'client-0', client_name: null, redirect_host: null };
    await createGrant(control, { account_id, allowlist: null, expires_at: new Date(0), client });
    const clients = new Clients(control, secret);
    await clients.upsert('new 1', { client_name: 'One' });
    await clients.upsert('new 2', { client_name: 'Two' });
    const rows = await control.selectFrom('oauth_clients').select('client_id').execute();
    const kept = new Set(rows.map(({ client_id }) => client_id));
    expect(kept.size).toBe(MOST_UNUSED_CLIENTS + 1);
    expect(['client-0', 'client-1', 'client-2', 'new 1', 'new 2'].map((id) => kept.has(id))).toEqual([
      true,
      false,
      true,
      true,
      true,
    ]);
  });

  it('keeps so many requests for authorization, those that end last, and every token', async () => {
    const end = (index: number) => new Date(Date.now() + 1e6 + index).toISOString();
    const row = (kind: string) => (index: number) => ({
      kind,
      id_hash: `hash-${index}`,
      grant_id: null,
      rotation: null,
      payload_sealed: '',
      consumed_at: null,
      expires_at: end(index),
    });
    await fill('oauth_records', MOST_OF_ANYBODY + 50, row('Interaction'));
    await fill('oauth_records', MOST_OF_ANYBODY + 50, row('RefreshToken'));
    const [requests, tokens] = [
      new Records(control, secret, 'Interaction'),
      new Records(control, secret, 'RefreshToken'),
    ];
    for (let index = 0; index < 100; index += 1) {
      await requests.upsert(`new-${index}`, {}, 3600);
      await tokens.upsert(`new-${index}`, {}, 3600);
    }
    const count = async (kind: string) =>
      (await control.selectFrom('oauth_records').select('id_hash').where('kind', '=', kind).execute()).length;
    expect([await count('Interaction'), await count('RefreshToken')]).toEqual([
      MOST_OF_ANYBODY,
      MOST_OF_ANYBODY + 150,
    ]);
    expect(await requests.find('new-0')).toBeDefined();
  });
});
