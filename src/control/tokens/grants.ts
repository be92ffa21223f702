import { randomUUID } from 'node:crypto';
import { InputError } from '../../errors.ts';
import type { ControlDatabase } from '../database/control-database.ts';

/**
 * What a token was given: an account's businesses, all (also later ones) or a list. The token only names it.
 */
export interface Grant {
  readonly grant_id: string;
  readonly account_id: string;
  /** It is null for a grant made on the command line. */
  readonly client_id: string | null;
  /** Null means all businesses of the account, also those assigned later. */
  readonly allowlist: readonly string[] | null;
}

/** An app to which a person gave a grant, as it called itself then. */
export interface GrantedClient {
  readonly client_id: string;
  readonly client_name: string | null;
  /** Where the app's answers are sent: a host, or the scheme of an app on a device. */
  readonly redirect_host: string | null;
}

/**
 * @param options.grant_id so that an answer given twice makes one grant, as the later one says; without: a
 *   new one
 */
export async function createGrant(
  control: ControlDatabase,
  options: {
    readonly grant_id?: string;
    readonly account_id: string;
    readonly allowlist: readonly string[] | null;
    readonly expires_at: Date;
    readonly client?: GrantedClient;
  },
): Promise<Grant> {
  const { account_id, allowlist, client } = options;
  const grant_id = options.grant_id ?? randomUUID();
  const all_businesses = allowlist === null ? 1 : 0;
  await control.transaction().execute(async (transaction) => {
    await transaction
      .insertInto('grants')
      .values({
        grant_id,
        account_id,
        all_businesses,
        expires_at: options.expires_at.toISOString(),
        revoked_at: null,
        created_at: new Date().toISOString(),
        client_id: client?.client_id ?? null,
        client_name: client?.client_name ?? null,
        redirect_host: client?.redirect_host ?? null,
        last_used_at: null,
      })
      .onConflict((conflict) => conflict.column('grant_id').doUpdateSet({ all_businesses }))
      .execute();
    await replaceAllowlist(transaction, grant_id, allowlist ?? []);
  });
  return { grant_id, account_id, client_id: client?.client_id ?? null, allowlist };
}

/** The grant as it is now; null when it is unknown, revoked or over. */
export async function findGrant(
  control: ControlDatabase,
  grantId: string,
): Promise<(Grant & { readonly created_at: string; readonly expires_at: string }) | null> {
  const grant = await control
    .selectFrom('grants')
    .select(['grant_id', 'account_id', 'client_id', 'all_businesses', 'created_at', 'expires_at'])
    .where('grant_id', '=', grantId)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', new Date().toISOString())
    .executeTakeFirst();
  if (grant === undefined) return null;
  const { all_businesses, ...found } = grant;
  return { ...found, allowlist: all_businesses === 1 ? null : await allowlistOf(control, grantId) };
}

async function allowlistOf(control: ControlDatabase, grantId: string): Promise<string[]> {
  const listed = await control
    .selectFrom('grant_businesses')
    .select('business_id')
    .where('grant_id', '=', grantId)
    .orderBy('business_id')
    .execute();
  return listed.map((row) => row.business_id);
}

/** A grant that is in force, as its owner and the operator see it. */
export interface AppGrant extends Grant {
  readonly client_name: string | null;
  readonly redirect_host: string | null;
  readonly created_at: string;
  readonly expires_at: string;
  readonly last_used_at: string | null;
}

/** The grants in force, newest first: of one account, or all. */
export async function listAppGrants(control: ControlDatabase, accountId: string | null): Promise<AppGrant[]> {
  const grants = await control
    .selectFrom('grants')
    .selectAll()
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', new Date().toISOString())
    .$if(accountId !== null, (query) => query.where('account_id', '=', accountId ?? ''))
    .orderBy('created_at', 'desc')
    .orderBy('grant_id')
    .execute();
  return Promise.all(
    grants.map(async ({ all_businesses, revoked_at, ...grant }) => ({
      ...grant,
      allowlist: all_businesses === 1 ? null : await allowlistOf(control, grant.grant_id),
    })),
  );
}

/** Whether somebody connected this app, now or before. */
export async function hasGrants(control: ControlDatabase, clientId: string): Promise<boolean> {
  const grant = await control
    .selectFrom('grants')
    .select('grant_id')
    .where('client_id', '=', clientId)
    .executeTakeFirst();
  return grant !== undefined;
}

/** Changes what a grant gives, from the next call on. */
export async function changeAllowlist(
  control: ControlDatabase,
  grantId: string,
  allowlist: readonly string[] | null,
): Promise<void> {
  await control.transaction().execute(async (transaction) => {
    await transaction
      .updateTable('grants')
      .set({ all_businesses: allowlist === null ? 1 : 0 })
      .where('grant_id', '=', grantId)
      .execute();
    await replaceAllowlist(transaction, grantId, allowlist ?? []);
  });
}

async function replaceAllowlist(
  control: ControlDatabase,
  grant_id: string,
  allowlist: readonly string[],
): Promise<void> {
  await control.deleteFrom('grant_businesses').where('grant_id', '=', grant_id).execute();
  for (const business_id of allowlist) {
    await control.insertInto('grant_businesses').values({ grant_id, business_id }).execute();
  }
}

/**
 * Ends a grant: its access tokens from the next call on, and its refresh tokens.
 *
 * @throws InputError when there is no such grant in force
 */
export async function revokeGrant(control: ControlDatabase, grantId: string): Promise<void> {
  const { numUpdatedRows } = await control
    .updateTable('grants')
    .set({ revoked_at: new Date().toISOString() })
    .where('grant_id', '=', grantId)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) {
    throw new InputError(`there is no grant ${grantId} in force; \`grant list\` shows those there are`);
  }
}
