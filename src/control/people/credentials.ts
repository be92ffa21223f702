import { InputError } from '../../errors.ts';
import type { ControlDatabase } from '../database/control-database.ts';
import type { Asker } from '../limits/fair-queue.ts';
import { hashHandle, newHandle } from '../tokens/instance-secret.ts';
import { type Account, normalEmail } from './accounts.ts';
import { endSessionsOf } from './browser-sessions.ts';
import { hashPassword, isPassword } from './password-hashes.ts';

/**
 * The account with this e-mail and password; null for any other pair, after the same time.
 *
 * @throws QueueFullError when too many passwords wait to be checked; nothing was said about this one
 */
export async function checkCredentials(
  control: ControlDatabase,
  { email, password }: { readonly email: string; readonly password: string },
  asker: Asker,
): Promise<Account | null> {
  const account = await findByEmail(control, normalEmail(email));
  if (!(await isPassword(password, account?.password_hash ?? null, asker)) || account === undefined)
    return null;
  return { account_id: account.account_id, email: account.email };
}

async function findByEmail(control: ControlDatabase, email: string) {
  // No address contains NUL, and PostgreSQL refuses it.
  if (email.includes('\0')) return undefined;
  return control
    .selectFrom('accounts')
    .select(['account_id', 'email', 'password_hash'])
    .where('email', '=', email)
    .executeTakeFirst();
}

export async function hasPassword(control: ControlDatabase, accountId: string): Promise<boolean> {
  const account = await control
    .selectFrom('accounts')
    .select('password_hash')
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return (account?.password_hash ?? null) !== null;
}

/**
 * Sets the password, and ends the account's sessions and its link to set one. @throws InputError when it is
 * too short or too long
 */
export async function setPassword(
  control: ControlDatabase,
  { account_id, email }: Account,
  password: string,
  asker: Asker,
): Promise<void> {
  const password_hash = await hashPassword(password, email, asker);
  await control.transaction().execute(async (transaction) => {
    await transaction.deleteFrom('password_links').where('account_id', '=', account_id).execute();
    await replacePassword(transaction, account_id, password_hash);
  });
}

async function replacePassword(
  control: ControlDatabase,
  accountId: string,
  password_hash: string,
): Promise<void> {
  await control.updateTable('accounts').set({ password_hash }).where('account_id', '=', accountId).execute();
  await endSessionsOf(control, accountId);
}

/** The days for which a link to set a password is valid. */
const PASSWORD_LINK_DAYS = 7;

/**
 * Makes a handle with which the account's password can be set once. It revokes the account's earlier links.
 */
export async function createPasswordLink(
  control: ControlDatabase,
  accountId: string,
): Promise<{ readonly handle: string; readonly expires_at: string }> {
  const handle = newHandle();
  const expires_at = new Date(Date.now() + PASSWORD_LINK_DAYS * 24 * 3600 * 1000).toISOString();
  await control.transaction().execute(async (transaction) => {
    await transaction.deleteFrom('password_links').where('account_id', '=', accountId).execute();
    await transaction
      .insertInto('password_links')
      .values({ link_hash: hashHandle(handle), account_id: accountId, expires_at })
      .execute();
  });
  return { handle, expires_at };
}

/** The account whose password the link sets. It is null when the link was used or has expired. */
export async function findPasswordLink(control: ControlDatabase, handle: string): Promise<Account | null> {
  const account = await control
    .selectFrom('password_links')
    .innerJoin('accounts', 'accounts.account_id', 'password_links.account_id')
    .select(['accounts.account_id', 'email'])
    .where('link_hash', '=', hashHandle(handle))
    .where('expires_at', '>', new Date().toISOString())
    .executeTakeFirst();
  return account ?? null;
}

const LINK_OVER = 'this link was used already, or has expired; ask for a new one';

/**
 * Sets the password that the link was made for, once.
 *
 * @throws InputError when the link was used or is over, or the password is too short or too long; then the
 *   link stays
 */
export async function usePasswordLink(
  control: ControlDatabase,
  handle: string,
  password: string,
): Promise<Account> {
  const account = await findPasswordLink(control, handle);
  if (account === null) throw new InputError(LINK_OVER);
  const asker = { key: hashHandle(handle), isKnown: true };
  const password_hash = await hashPassword(password, account.email, asker);
  return control.transaction().execute(async (transaction) => {
    const { numDeletedRows } = await transaction
      .deleteFrom('password_links')
      .where('link_hash', '=', hashHandle(handle))
      .where('expires_at', '>', new Date().toISOString())
      .executeTakeFirst();
    if (numDeletedRows === 0n) throw new InputError(LINK_OVER);
    await replacePassword(transaction, account.account_id, password_hash);
    return account;
  });
}
