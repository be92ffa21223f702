import { type Command, InvalidArgumentError } from 'commander';
import { findBusiness } from '../control/businesses/businesses.ts';
import { findAccount } from '../control/people/accounts.ts';
import { createGrant } from '../control/tokens/grants.ts';
import { signToken } from '../control/tokens/signed-tokens.ts';
import { InputError } from '../errors.ts';
import type { Instance } from '../server/instance.ts';
import { command, withInstance } from './command.ts';

/** The time to live: thirty days. */
const DEFAULT_TTL_SECONDS = 30 * 24 * 3600;

export function addTokenCommands(program: Command): void {
  const token = program.command('token').description('Access tokens for MCP clients');
  command(token, 'create', 'Make a bearer token for an account')
    .requiredOption('--account <account>', 'e-mail or account_id')
    .option(
      '--businesses <ids>',
      '`all`, also those assigned later, or business_ids with commas between',
      'all',
    )
    .option('--ttl <seconds>', 'how long it is valid', readSeconds, DEFAULT_TTL_SECONDS)
    .action(
      withInstance<{ json?: true; account: string; businesses: string; ttl: number }>(
        async ({ instance, output }, options) => {
          const created = await createToken(instance, options);
          output.result(created, `${created.access_token}\n\nValid until ${created.expires_at}.`);
        },
      ),
    );
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
