import type { Command } from 'commander';
import { findBusiness } from '../control/businesses/businesses.ts';
import { findAccount } from '../control/people/accounts.ts';
import {
  addManager,
  allowNewBusinesses,
  listAllManagers,
  listCreators,
  refuseNewBusinesses,
  removeManager,
} from '../control/people/managers.ts';
import { InputError } from '../errors.ts';
import { command, withInstance } from './command.ts';
import { table } from './text-table.ts';

interface ManagerOptions {
  readonly json?: true;
  readonly account: string;
  readonly business?: string;
  readonly newStores?: true;
}

export function addManagerCommands(program: Command): void {
  const manager = program
    .command('manager')
    .description('Who may import into stores in the browser, and make new ones');
  withRole(manager.command('add'))
    .description('Let an account import into a store, take imports back, and name other managers of it')
    .action(
      withInstance<ManagerOptions>(async ({ instance: { control }, output }, options) => {
        const { account_id, email } = await findAccount(control, options.account);
        const business = businessOf(options);
        if (business === null) {
          await allowNewBusinesses(control, account_id);
          return output.result({ account_id, new_stores: true }, `${email} may make new stores`);
        }
        const { business_id, name } = await findBusiness(control, business);
        await addManager(control, account_id, business_id);
        output.result({ account_id, business_id }, `${email} manages ${name}`);
      }),
    );
  withRole(manager.command('remove'))
    .description('Take that from an account, at once; what it may read stays')
    .action(
      withInstance<ManagerOptions>(async ({ instance: { control }, output }, options) => {
        const { account_id, email } = await findAccount(control, options.account);
        const business = businessOf(options);
        if (business === null) {
          await refuseNewBusinesses(control, account_id);
          return output.result({ account_id, new_stores: false }, `${email} may no longer make new stores`);
        }
        const { business_id, name } = await findBusiness(control, business);
        await removeManager(control, account_id, business_id);
        output.result({ account_id, business_id }, `${email} no longer manages ${name}`);
      }),
    );
  command(manager, 'list', 'Show who manages which store, and who may make new ones').action(
    withInstance(async ({ instance: { control }, output }) => {
      const [managers, creators] = await Promise.all([listAllManagers(control), listCreators(control)]);
      const rows = [
        ...managers.map(({ email, name, business_id }) => ({ email, manages: name, business_id })),
        ...creators.map(({ email }) => ({ email, manages: '(may make new stores)', business_id: null })),
      ];
      output.result(
        { managers, new_stores: creators },
        table(rows, 'Nobody yet; name somebody with `manager add`.'),
      );
    }),
  );
}

function withRole(command: Command): Command {
  return command
    .requiredOption('--account <account>', 'e-mail or account_id')
    .option('--business <id>', 'business_id of the store')
    .option('--new-stores', 'instead of one store: making new ones, which the account manages then')
    .option('--json', 'print one JSON document');
}

/** Null with --new-stores. */
function businessOf({ business, newStores }: ManagerOptions): string | null {
  if ((business === undefined) !== (newStores === undefined)) return business ?? null;
  throw new InputError('say either --business with the id of a store, or --new-stores');
}
