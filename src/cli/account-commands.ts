import { text } from 'node:stream/consumers';
import { type Command, InvalidArgumentError } from 'commander';
import { createAccount, findAccount, grantAccess, listAccounts, revokeAccess } from '../control/accounts.ts';
import { findBusiness } from '../control/businesses.ts';
import { createGrant } from '../control/grants.ts';
import { signToken } from '../control/tokens.ts';
import { PERMISSIONS, type Permission } from '../model/business.ts';
import { InputError } from '../model/errors.ts';
import type { Instance } from '../server/instance.ts';
import { withInstance } from './command.ts';
import { table } from './table.ts';

interface AccountOptions {
  readonly json?: true;
  readonly account: string;
  readonly business: string;
}

/** Thirty days. */
const DEFAULT_TTL_SECONDS = 30 * 24 * 3600;

export function addAccountCommands(program: Command): void {
  const account = program.command('account').description('People and programs, and what they may read');
  account
    .command('create')
    .requiredOption('--email <email>', 'how the person signs in')
    .option('--password-stdin', 'read a password from standard input')
    .option('--json', 'print one JSON document')
    .description('Make an account; then grant it businesses')
    .action(
      withInstance<{ json?: true; email: string; passwordStdin?: true }>(
        async ({ instance, output }, options) => {
          const password = options.passwordStdin ? (await text(process.stdin)).replace(/\r?\n$/, '') : null;
          const { account_id, email } = await createAccount(instance.control, {
            email: options.email,
            password,
          });
          output.result({ account_id }, `Created ${email}: ${account_id}`);
        },
      ),
    );
  account
    .command('grant')
    .requiredOption('--account <account>', 'e-mail or account_id')
    .requiredOption('--business <id>', 'business_id')
    .option('--permission <permission...>', `some of ${PERMISSIONS.join(', ')}`)
    .option('--all-permissions', 'all of them')
    .option('--json', 'print one JSON document')
    .description('Assign a business to an account, with permissions')
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
  account
    .command('revoke')
    .requiredOption('--account <account>', 'e-mail or account_id')
    .requiredOption('--business <id>', 'business_id')
    .option('--json', 'print one JSON document')
    .description('Take a business from an account, at once')
    .action(
      withInstance<AccountOptions>(async ({ instance, output }, options) => {
        const { account_id, email } = await findAccount(instance.control, options.account);
        const { business_id, name } = await findBusiness(instance.control, options.business);
        await revokeAccess(instance.control, account_id, business_id);
        output.result({ account_id, business_id }, `${email} may no longer read ${name}`);
      }),
    );
  account
    .command('list')
    .option('--json', 'print one JSON document')
    .description('Show the accounts and what they may read')
    .action(
      withInstance(async ({ instance, output }) => {
        const accounts = await listAccounts(instance.control);
        const rows = accounts.map(({ businesses, ...row }) => ({ ...row, businesses: businesses.length }));
        output.result({ accounts }, table(rows, 'No account yet; make one with `account create`.'));
      }),
    );

  const token = program.command('token').description('Access tokens for MCP clients');
  token
    .command('create')
    .requiredOption('--account <account>', 'e-mail or account_id')
    .option(
      '--businesses <ids>',
      '`all`, also those assigned later, or business_ids with commas between',
      'all',
    )
    .option('--ttl <seconds>', 'how long it is valid', readSeconds, DEFAULT_TTL_SECONDS)
    .option('--json', 'print one JSON document')
    .description('Make a bearer token for an account')
    .action(
      withInstance<{ json?: true; account: string; businesses: string; ttl: number }>(
        async ({ instance, output }, options) => {
          const created = await createToken(instance, options);
          output.result(created, `${created.access_token}\n\nValid until ${created.expires_at}.`);
        },
      ),
    );
}

function readPermissions(options: { permission?: string[]; allPermissions?: true }): readonly Permission[] {
  if (options.allPermissions) return PERMISSIONS;
  const names = (options.permission ?? []).flatMap((list) => list.split(',')).filter(Boolean);
  const unknown = names.find((name) => !PERMISSIONS.some((permission) => permission === name));
  if (unknown !== undefined)
    throw new InputError(`--permission ${unknown} must be one of ${PERMISSIONS.join(', ')}`);
  if (names.length === 0)
    throw new InputError('say --permission with at least one permission, or --all-permissions');
  return PERMISSIONS.filter((permission) => names.includes(permission));
}

function readSeconds(value: string): number {
  const seconds = Number(value);
  if (!Number.isSafeInteger(seconds) || seconds < 1 || seconds > 10 * 365 * 24 * 3600) {
    throw new InvalidArgumentError('it must be a whole number of seconds, at most ten years.');
  }
  return seconds;
}

/** @throws InputError when the account or a listed business does not exist */
export async function createToken(
  { control, secret }: Instance,
  options: { readonly account: string; readonly businesses: string; readonly ttl: number },
) {
  const { account_id } = await findAccount(control, options.account);
  const allowlist = options.businesses === 'all' ? null : await readBusinessIds(control, options.businesses);
  const expires_at = new Date(Date.now() + options.ttl * 1000);
  const { grant_id } = await createGrant(control, { account_id, allowlist, expires_at });
  return signToken(control, secret, { grant_id, account_id, expires_at });
}

async function readBusinessIds(control: Instance['control'], list: string): Promise<string[]> {
  const ids = [...new Set(list.split(',').map((id) => id.trim()))].filter(Boolean);
  if (ids.length === 0) throw new InputError('--businesses must be `all` or at least one business_id');
  return Promise.all(ids.map(async (id) => (await findBusiness(control, id)).business_id));
}
