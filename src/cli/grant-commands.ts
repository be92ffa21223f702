import type { Command } from 'commander';
import { findAccount, listAccounts } from '../control/people/accounts.ts';
import { listAppGrants, revokeGrant } from '../control/tokens/grants.ts';
import { command, withInstance } from './command.ts';
import { table } from './text-table.ts';

export function addGrantCommands(program: Command): void {
  const grant = program
    .command('grant')
    .description('What connected apps and tokens may read, and until when');
  command(grant, 'list', 'Show the grants in force, newest first')
    .option('--account <account>', 'of one account only: e-mail or account_id')
    .action(
      withInstance<{ json?: true; account?: string }>(async ({ instance, output }, options) => {
        const { control } = instance;
        const account = options.account === undefined ? null : await findAccount(control, options.account);
        const connections = await listAppGrants(control, account?.account_id ?? null);
        const accounts = await listAccounts(control);
        const emails = new Map(accounts.map(({ account_id, email }) => [account_id, email]));
        const grants = connections.map(({ account_id, client_id, client_name, allowlist, ...rest }) => ({
          grant_id: rest.grant_id,
          account_id,
          email: emails.get(account_id) ?? null,
          client_id,
          client_name,
          redirect_host: rest.redirect_host,
          businesses: allowlist ?? 'all',
          created_at: rest.created_at,
          last_used_at: rest.last_used_at,
          expires_at: rest.expires_at,
        }));
        const rows = grants.map(({ account_id, client_id, client_name, created_at, businesses, ...row }) => ({
          ...row,
          app: client_id === null ? 'command line' : shown(client_name ?? client_id),
          businesses: businesses === 'all' ? 'all' : businesses.length,
        }));
        output.result({ grants }, table(rows, 'No grant is in force.'));
      }),
    );
  command(grant, 'revoke <grant_id>', 'End a grant: its tokens from the next call on').action(
    withInstance(async ({ instance, output }, _options, grant_id) => {
      await revokeGrant(instance.control, grant_id ?? '');
      output.result({ grant_id }, `Revoked ${grant_id}`);
    }),
  );
}

/** An app chooses its name: it must not move the cursor of a terminal, or fill it. */
function shown(name: string): string {
  return [...name.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, ' ')].slice(0, 40).join('');
}
