import { randomUUID } from 'node:crypto';
import { EVERY_PERMISSION, type Permission } from '../../business/business.ts';
import { InputError } from '../../errors.ts';
import type { ControlDatabase } from '../database/control-database.ts';
import { hashPassword } from './password-hashes.ts';

export interface Account {
  readonly account_id: string;
  readonly email: string;
}

/** @throws InputError when the address is no e-mail address or has an account already */
export async function createAccount(
  control: ControlDatabase,
  { email, password }: { email: string; password: string | null },
): Promise<Account> {
  const address = normalEmail(email);
  if (!/^[^\s@]+@[^\s@]+$/.test(address)) throw new InputError(`${email} is not an e-mail address`);
  const account = { account_id: randomUUID(), email: address };
  const { numInsertedOrUpdatedRows } = await control
    .insertInto('accounts')
    .values({
      ...account,
      password_hash: password === null ? null : await hashPassword(password, address),
      created_at: new Date().toISOString(),
    })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .executeTakeFirst();
  if (numInsertedOrUpdatedRows === 0n)
    throw new InputError(`there is already an account with the e-mail ${address}`);
  return account;
}

/** @param key an e-mail or an account_id. @throws InputError when there is no such account */
export async function findAccount(control: ControlDatabase, key: string): Promise<Account> {
  const account = await control
    .selectFrom('accounts')
    .select(['account_id', 'email'])
    .where((where) => where.or([where('email', '=', normalEmail(key)), where('account_id', '=', key)]))
    .executeTakeFirst();
  if (account === undefined) throw new InputError(`there is no account ${key}; \`account list\` shows them`);
  return account;
}

/**
 * Removes an account with its sessions, links, connections and assignments. What it was connected to reads
 * nothing from the next call on.
 */
export async function removeAccount(control: ControlDatabase, accountId: string): Promise<void> {
  await control.deleteFrom('accounts').where('account_id', '=', accountId).execute();
}

export async function hasAccount(control: ControlDatabase, accountId: string): Promise<boolean> {
  const account = await control
    .selectFrom('accounts')
    .select('account_id')
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return account !== undefined;
}

export function normalEmail(email: string): string {
  return email.trim().toLowerCase();
}

export interface Assignment {
  readonly business_id: string;
  readonly permissions: readonly Permission[];
}

export async function listAccounts(
  control: ControlDatabase,
): Promise<(Account & { businesses: Assignment[] })[]> {
  const accounts = await control
    .selectFrom('accounts')
    .select(['account_id', 'email'])
    .orderBy('email')
    .execute();
  return Promise.all(
    accounts.map(async (account) => ({
      ...account,
      businesses: await assignmentsOf(control, account.account_id),
    })),
  );
}

/** The account's businesses, with what it may do on each. */
export async function assignmentsOf(control: ControlDatabase, accountId: string): Promise<Assignment[]> {
  const rows = await control
    .selectFrom('assignments')
    .leftJoin('permissions', (join) =>
      join
        .onRef('permissions.account_id', '=', 'assignments.account_id')
        .onRef('permissions.business_id', '=', 'assignments.business_id'),
    )
    .select(['assignments.business_id', 'permission'])
    .where('assignments.account_id', '=', accountId)
    .orderBy('assignments.business_id')
    .execute();
  const assigned = Map.groupBy(rows, (row) => row.business_id);
  return [...assigned].map(([business_id, permissions]) => ({
    business_id,
    permissions: EVERY_PERMISSION.filter((permission) =>
      permissions.some((row) => row.permission === permission),
    ),
  }));
}

/** What the account may do on one business; null when it is not assigned. */
export async function permissionsOn(
  control: ControlDatabase,
  accountId: string,
  businessId: string,
): Promise<readonly Permission[] | null> {
  const assignment = await control
    .selectFrom('assignments')
    .select('business_id')
    .where('account_id', '=', accountId)
    .where('business_id', '=', businessId)
    .executeTakeFirst();
  if (assignment === undefined) return null;
  const rows = await control
    .selectFrom('permissions')
    .select('permission')
    .where('account_id', '=', accountId)
    .where('business_id', '=', businessId)
    .execute();
  return EVERY_PERMISSION.filter((permission) => rows.some((row) => row.permission === permission));
}

/** Assigns the account to the business and adds permissions to those it has there. */
export async function grantAccess(
  control: ControlDatabase,
  accountId: string,
  businessId: string,
  permissions: readonly Permission[],
): Promise<void> {
  const assignment = { account_id: accountId, business_id: businessId };
  await control.transaction().execute(async (transaction) => {
    await transaction
      .insertInto('assignments')
      .values(assignment)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    for (const permission of permissions) {
      await transaction
        .insertInto('permissions')
        .values({ ...assignment, permission })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    }
  });
}

/**
 * Ends the assignment, with all permissions.
 *
 * @throws InputError when there is no assignment
 */
export async function revokeAccess(
  control: ControlDatabase,
  accountId: string,
  businessId: string,
): Promise<void> {
  const { numDeletedRows } = await control
    .deleteFrom('assignments')
    .where('account_id', '=', accountId)
    .where('business_id', '=', businessId)
    .executeTakeFirst();
  if (numDeletedRows === 0n) throw new InputError('the account is not assigned to this business');
}
