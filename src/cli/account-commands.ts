import { text } from 'node:stream/consumers';
import type { Command } from 'commander';
import { EVERY_PERMISSION, PERMISSIONS, type Permission } from '../business/business.ts';
import { findBusiness } from '../control/businesses/businesses.ts';
import {
  createAccount,
  findAccount,
  grantAccess,
  listAccounts,
  removeAccount,
  revokeAccess,
} from '../control/people/accounts.ts';
import { createPasswordLink } from '../control/people/credentials.ts';
import { InputError } from '../errors.ts';
import { issuerPath } from '../oauth/authorization-server.ts';
import type { Instance } from '../server/instance.ts';
import { defaultBaseUrl } from '../server/listen.ts';
import { readServedAt } from '../server/served-at.ts';
import type { Settings } from '../server/settings.ts';
import { pagePaths } from '../web/paths.ts';
import { command, withInstance } from './command.ts';
import { table } from './text-table.ts';

interface AccountOptions {
  readonly json?: true;
  readonly account: string;
  readonly business: string;
}

export function addAccountCommands(program: Command): void {
  const account = program.command('account').description('People and programs, and what they may read');
  command(account, 'create', 'Make an account; then grant it businesses')
    .requiredOption('--email <email>', 'how the person signs in')
    .option('--password-stdin', 'read a password from standard input')
    .action(
      withInstance<{ json?: true; email: string; passwordStdin?: true }>(
        async ({ instance, output, settings }, options) => {
          const password = options.passwordStdin ? (await text(process.stdin)).replace(/\r?\n$/, '') : null;
          const { account_id, email } = await createAccount(instance.control, {
            email: options.email,
            password,
          });
          const created = `Created ${email}: ${account_id}`;
          if (output.isJson || password !== null) return output.result({ account_id }, created);
          const invitation = await invite(instance, authUrlOf(instance, settings), account_id);
          output.result({ account_id }, `${created}\n\n${invitationText(invitation)}`);
        },
      ),
    );
  command(account, 'invite', 'Make a link with which the person sets a password, once; earlier links end')
    .requiredOption('--account <account>', 'e-mail or account_id')
    .action(
      withInstance<{ json?: true; account: string }>(async ({ instance, output, settings }, options) => {
        const { account_id } = await findAccount(instance.control, options.account);
        const invitation = await invite(instance, authUrlOf(instance, settings), account_id);
        output.result({ account_id, ...invitation }, invitationText(invitation));
      }),
    );
  command(account, 'grant', 'Assign a business to an account, and add permissions to those it has there')
    .requiredOption('--account <account>', 'e-mail or account_id')
    .requiredOption('--business <id>', 'business_id')
    .option('--permission <permission...>', `some of ${EVERY_PERMISSION.join(', ')}`)
    .option('--all-permissions', 'all but QUERY_DATA, which shows single rows')
    .action(
      withInstance<AccountOptions & { permission?: string[]; allPermissions?: true }>(
        async ({ instance, output }, options) => {
          const permissions = readPermissions(options);
          const { account_id, email } = await findAccount(instance.control, options.account);
          const { business_id, name } = await findBusiness(instance.control, options.business);
          await grantAccess(instance.control, account_id, business_id, permissions);
          output.result(
            { account_id, business_id, permissions },
            `${email} may read ${name}: ${permissions.join(', ')}`,
          );
        },
      ),
    );
  command(account, 'revoke', 'Take a business from an account, at once')
    .requiredOption('--account <account>', 'e-mail or account_id')
    .requiredOption('--business <id>', 'business_id')
    .action(
      withInstance<AccountOptions>(async ({ instance, output }, options) => {
        const { account_id, email } = await findAccount(instance.control, options.account);
        const { business_id, name } = await findBusiness(instance.control, options.business);
        await revokeAccess(instance.control, account_id, business_id);
        output.result({ account_id, business_id }, `${email} may no longer read ${name}`);
      }),
    );
  command(
    account,
    'remove',
    'Remove an account, as when somebody leaves: its connections and tokens end at once',
  )
    .requiredOption('--account <account>', 'e-mail or account_id')
    .action(
      withInstance<{ json?: true; account: string }>(async ({ instance, output }, options) => {
        const { account_id, email } = await findAccount(instance.control, options.account);
        await removeAccount(instance.control, account_id);
        output.result({ account_id }, `Removed ${email}, with all its connections and tokens`);
      }),
    );
  command(account, 'list', 'Show the accounts and what they may read').action(
    withInstance(async ({ instance, output }) => {
      const accounts = await listAccounts(instance.control);
      const rows = accounts.map(({ businesses, ...row }) => ({ ...row, businesses: businesses.length }));
      output.result({ accounts }, table(rows, 'No account yet; make one with `account create`.'));
    }),
  );
}

function readPermissions(options: { permission?: string[]; allPermissions?: true }): readonly Permission[] {
  const named = (options.permission ?? []).flatMap((list) => list.split(',')).filter(Boolean);
  const names: readonly string[] = options.allPermissions ? [...PERMISSIONS, ...named] : named;
  const unknown = names.find((name) => !EVERY_PERMISSION.some((permission) => permission === name));
  if (unknown !== undefined)
    throw new InputError(`--permission ${unknown} must be one of ${EVERY_PERMISSION.join(', ')}`);
  if (names.length === 0)
    throw new InputError('say --permission with at least one permission, or --all-permissions');
  return EVERY_PERMISSION.filter((permission) => names.includes(permission));
}

interface Invitation {
  readonly password_link: string;
  /** The moment is ISO 8601 in UTC. */
  readonly expires_at: string;
}

/** A link with which the account's password can be set once, at the pages of the sign-in. */
export async function invite({ control }: Instance, authUrl: string, accountId: string): Promise<Invitation> {
  const { handle, expires_at } = await createPasswordLink(control, accountId);
  const { passwordLink } = pagePaths(issuerPath(authUrl));
  return { password_link: new URL(passwordLink(handle), authUrl).href, expires_at };
}

/** The address of the sign-in from the settings, else where a server last said that it is. */
function authUrlOf({ data }: Instance, settings: Settings): string {
  return settings.AUTH_URL ?? settings.BASE_URL ?? readServedAt(data) ?? defaultBaseUrl(settings);
}

function invitationText({ password_link, expires_at }: Invitation): string {
  return `To set the password, once, before ${expires_at}, while the server runs:\n\n${password_link}`;
}
