import type { ControlDatabase } from '../database/control-database.ts';
import { hashHandle, newHandle } from '../tokens/instance-secret.ts';
import type { Account } from './accounts.ts';

/** How long a browser stays signed in to the pages; connected apps do not depend on it. */
export const SESSION_SECONDS = 12 * 3600;

/** Begins a session and gives its handle, for the cookie. */
export async function beginSession(control: ControlDatabase, accountId: string): Promise<string> {
  const handle = newHandle();
  const now = Date.now();
  await control
    .insertInto('sessions')
    .values({
      session_hash: hashHandle(handle),
      account_id: accountId,
      created_at: new Date(now).toISOString(),
      expires_at: new Date(now + SESSION_SECONDS * 1000).toISOString(),
    })
    .execute();
  return handle;
}

/** The account of this session. It is null when there is no such session, or when it has ended. */
export async function findSession(control: ControlDatabase, handle: string): Promise<Account | null> {
  const account = await control
    .selectFrom('sessions')
    .innerJoin('accounts', 'accounts.account_id', 'sessions.account_id')
    .select(['accounts.account_id', 'email'])
    .where('session_hash', '=', hashHandle(handle))
    .where('expires_at', '>', new Date().toISOString())
    .executeTakeFirst();
  return account ?? null;
}

export async function endSession(control: ControlDatabase, handle: string): Promise<void> {
  await control.deleteFrom('sessions').where('session_hash', '=', hashHandle(handle)).execute();
}

/**
 * Ends all sessions of an account, as when its password changes: somebody who knew the old one is signed out
 * everywhere.
 */
export async function endSessionsOf(control: ControlDatabase, accountId: string): Promise<void> {
  await control.deleteFrom('sessions').where('account_id', '=', accountId).execute();
}
