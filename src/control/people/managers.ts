import type { Business } from '../../business/business.ts';
import { InputError } from '../../errors.ts';
import { businessesByName } from '../businesses/businesses.ts';
import type { ControlDatabase } from '../database/control-database.ts';
import { type Account, grantAccess } from './accounts.ts';

/*
 * A role of ours beside the contract's permissions: those say what an account reads, this one that it may
 * import into a business and take imports back, in the browser. It is held by an account that is assigned to
 * the business, and ends with the assignment.
 */

/** Assigns the business where that is missing, without a permission to read. */
export async function addManager(
  control: ControlDatabase,
  accountId: string,
  businessId: string,
): Promise<void> {
  await grantAccess(control, accountId, businessId, []);
  await control
    .insertInto('business_managers')
    .values({ account_id: accountId, business_id: businessId, created_at: new Date().toISOString() })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** The account keeps what it may read. @throws InputError when it does not manage the business */
export async function removeManager(
  control: ControlDatabase,
  accountId: string,
  businessId: string,
): Promise<void> {
  const { numDeletedRows } = await control
    .deleteFrom('business_managers')
    .where('account_id', '=', accountId)
    .where('business_id', '=', businessId)
    .executeTakeFirst();
  if (numDeletedRows === 0n) throw new InputError('the account does not manage this business');
}

/**
 * Removes another manager. Where two take the role from each other at once, one of them keeps it. @throws
 * InputError when nobody would be left
 */
export async function removeOtherManager(
  control: ControlDatabase,
  accountId: string,
  businessId: string,
): Promise<void> {
  await control.transaction().execute(async (transaction) => {
    await removeManager(transaction, accountId, businessId);
    if ((await listManagers(transaction, businessId)).length === 0)
      throw new InputError('somebody must manage the store: give the role to another account first');
  });
}

export async function manages(
  control: ControlDatabase,
  accountId: string,
  businessId: string,
): Promise<boolean> {
  const found = await control
    .selectFrom('business_managers')
    .select('business_id')
    .where('account_id', '=', accountId)
    .where('business_id', '=', businessId)
    .executeTakeFirst();
  return found !== undefined;
}

/** The businesses that the account manages, by name. */
export function managedBusinesses(control: ControlDatabase, accountId: string): Promise<Business[]> {
  const managed = control
    .selectFrom('business_managers')
    .select('business_id')
    .where('account_id', '=', accountId);
  return businessesByName(control).where('business_id', 'in', managed).execute();
}

/** The managers of the business, by e-mail. */
export function listManagers(control: ControlDatabase, businessId: string): Promise<Account[]> {
  return control
    .selectFrom('business_managers')
    .innerJoin('accounts', 'accounts.account_id', 'business_managers.account_id')
    .select(['accounts.account_id', 'email'])
    .where('business_id', '=', businessId)
    .orderBy('email')
    .execute();
}

/** The accounts to which the business is assigned and that do not manage it, by e-mail. */
export async function accountsOtherThanManagers(
  control: ControlDatabase,
  businessId: string,
): Promise<Account[]> {
  const managers = await listManagers(control, businessId);
  const assigned = await control
    .selectFrom('assignments')
    .innerJoin('accounts', 'accounts.account_id', 'assignments.account_id')
    .select(['accounts.account_id', 'email'])
    .where('business_id', '=', businessId)
    .orderBy('email')
    .execute();
  return assigned.filter(({ account_id }) => !managers.some((manager) => manager.account_id === account_id));
}

/** All who manage something, by e-mail and business. */
export function listAllManagers(
  control: ControlDatabase,
): Promise<(Account & { readonly business_id: string; readonly name: string })[]> {
  return control
    .selectFrom('business_managers')
    .innerJoin('accounts', 'accounts.account_id', 'business_managers.account_id')
    .innerJoin('businesses', 'businesses.business_id', 'business_managers.business_id')
    .select(['accounts.account_id', 'email', 'businesses.business_id', 'name'])
    .orderBy('email')
    .orderBy('name')
    .execute();
}

export async function allowNewBusinesses(control: ControlDatabase, accountId: string): Promise<void> {
  await control
    .insertInto('business_creators')
    .values({ account_id: accountId, created_at: new Date().toISOString() })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** @throws InputError when the account had no right to */
export async function refuseNewBusinesses(control: ControlDatabase, accountId: string): Promise<void> {
  const { numDeletedRows } = await control
    .deleteFrom('business_creators')
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  if (numDeletedRows === 0n) throw new InputError('the account may not make new stores');
}

export async function mayCreateBusinesses(control: ControlDatabase, accountId: string): Promise<boolean> {
  const found = await control
    .selectFrom('business_creators')
    .select('account_id')
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return found !== undefined;
}

/** Accounts that may make new businesses, by e-mail. */
export function listCreators(control: ControlDatabase): Promise<Account[]> {
  return control
    .selectFrom('business_creators')
    .innerJoin('accounts', 'accounts.account_id', 'business_creators.account_id')
    .select(['accounts.account_id', 'email'])
    .orderBy('email')
    .execute();
}
