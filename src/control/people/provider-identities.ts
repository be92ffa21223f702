import type { ControlDatabase } from '../database/control-database.ts';
import type { Account } from './accounts.ts';

/** A person as another provider knows them. What the provider says was checked before. */
export interface Identity {
  readonly issuer: string;
  /** The identity stays theirs at this issuer for ever, whatever their e-mail. */
  readonly subject: string;
  readonly email: string | null;
  /** Whether the provider has made sure that the e-mail is theirs. */
  readonly is_email_verified: boolean;
}

/**
 * The account of this person: the one that was linked to them, else the one with their verified e-mail, which
 * is linked to them from then on. Null: no account yet; the operator of Storesight makes accounts.
 */
export async function accountOfIdentity(
  control: ControlDatabase,
  identity: Identity,
): Promise<Account | null> {
  const linked = await linkedAccount(control, identity);
  const { email, is_email_verified } = identity;
  if (linked !== null || email === null || !is_email_verified) return linked;
  // Transactions take turns, so of two first sign-ins at once the second one sees what the first has linked.
  return control.transaction().execute((transaction) => linkByEmail(transaction, identity, email));
}

async function linkByEmail(
  control: ControlDatabase,
  identity: Identity,
  email: string,
): Promise<Account | null> {
  const { issuer, subject } = identity;
  const account = await control
    .selectFrom('accounts')
    .select(['account_id', 'email'])
    .where('email', '=', foldAscii(email))
    .executeTakeFirst();
  if (account === undefined) return null;
  if (await isLinked(control, issuer, account)) return linkedAccount(control, identity);
  await control
    .insertInto('identities')
    .values({ issuer, subject, account_id: account.account_id })
    .onConflict((conflict) => conflict.columns(['issuer', 'subject']).doNothing())
    .execute();
  return linkedAccount(control, identity);
}

async function linkedAccount(control: ControlDatabase, identity: Identity): Promise<Account | null> {
  const account = await control
    .selectFrom('identities')
    .innerJoin('accounts', 'accounts.account_id', 'identities.account_id')
    .select(['accounts.account_id', 'email'])
    .where('issuer', '=', identity.issuer)
    .where('subject', '=', identity.subject)
    .executeTakeFirst();
  return account ?? null;
}

/** An account is one person's: an e-mail that the issuer gave to somebody new does not open it for them. */
async function isLinked(control: ControlDatabase, issuer: string, { account_id }: Account): Promise<boolean> {
  const link = await control
    .selectFrom('identities')
    .select('subject')
    .where('issuer', '=', issuer)
    .where('account_id', '=', account_id)
    .executeTakeFirst();
  return link !== undefined;
}

/**
 * TRICKY: not `normalEmail`, which is for what an operator types. Some letters outside ASCII become ASCII
 * ones in lower case, so that the owner of one address could take the account of another (the Kelvin sign `K`
 * and `k`).
 */
function foldAscii(email: string): string {
  return email.trim().replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
}
