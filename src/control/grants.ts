import { randomUUID } from 'node:crypto';
import type { ControlDatabase } from './database.ts';

/** What a token was given: an account's businesses, all (also later ones) or a list. The token only names it. */
export interface Grant {
  readonly grant_id: string;
  readonly account_id: string;
  /** Null: all businesses of the account, also those assigned later. */
  readonly allowlist: readonly string[] | null;
}

export async function createGrant(
  control: ControlDatabase,
  options: {
    readonly account_id: string;
    readonly allowlist: readonly string[] | null;
    readonly expires_at: Date;
  },
): Promise<Grant> {
  const grant = { grant_id: randomUUID(), account_id: options.account_id };
  await control.transaction().execute(async (transaction) => {
    await transaction
      .insertInto('grants')
      .values({
        ...grant,
        all_businesses: options.allowlist === null ? 1 : 0,
        expires_at: options.expires_at.toISOString(),
        revoked_at: null,
        created_at: new Date().toISOString(),
        client_id: null,
        client_name: null,
        redirect_host: null,
        last_used_at: null,
      })
      .execute();
    for (const business_id of options.allowlist ?? []) {
      await transaction
        .insertInto('grant_businesses')
        .values({ grant_id: grant.grant_id, business_id })
        .execute();
    }
  });
  return { ...grant, allowlist: options.allowlist };
}

/** The grant as it is now; null when it is unknown, revoked or over. */
export async function findGrant(control: ControlDatabase, grantId: string): Promise<Grant | null> {
  const grant = await control
    .selectFrom('grants')
    .select(['grant_id', 'account_id', 'all_businesses'])
    .where('grant_id', '=', grantId)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', new Date().toISOString())
    .executeTakeFirst();
  if (grant === undefined) return null;
  if (grant.all_businesses === 1) return { ...grant, allowlist: null };
  const listed = await control
    .selectFrom('grant_businesses')
    .select('business_id')
    .where('grant_id', '=', grantId)
    .execute();
  return { ...grant, allowlist: listed.map((row) => row.business_id) };
}
