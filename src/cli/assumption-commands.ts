import type { Command } from 'commander';
import { ASSUMPTION_KINDS, type Assumption, describeRate } from '../business/assumptions.ts';
import {
  addAssumption,
  listAssumptions,
  type NewAssumption,
  removeAssumption,
} from '../control/businesses/assumptions.ts';
import { findBusiness } from '../control/businesses/businesses.ts';
import { command, withInstance } from './command.ts';
import { table } from './text-table.ts';

/** The commands of `business` about costs that no file tells, which `profit_statement` reads. */
export function addAssumptionCommands(business: Command): void {
  const assumptions = business
    .command('assumptions')
    .description('Costs that no file tells, each from a day on; profit_statement counts with them');
  addList(assumptions);
  addAdd(assumptions);
  addRemove(assumptions);
}

function addList(assumptions: Command): void {
  command(assumptions, 'list <business_id>', 'Show what is assumed').action(
    withInstance(async ({ instance, output }, _options, id) => {
      const { business_id } = await findBusiness(instance.control, id as string);
      const assumed = await listAssumptions(instance.control, business_id);
      output.result(
        { business_id, assumptions: assumed },
        table(assumed.map(shown), 'Nothing is assumed; `business assumptions add` says what costs what.'),
      );
    }),
  );
}

function addAdd(assumptions: Command): void {
  command(
    assumptions,
    'add <business_id> <kind>',
    `Say what something costs, without VAT, from a day on. Kinds: ${Object.entries(ASSUMPTION_KINDS)
      .map(([kind, { meaning }]) => `${kind} (${meaning})`)
      .join('; ')}`,
  )
    .requiredOption('--from <day>', 'first day on which it holds, for example 2026-01-01')
    .option('--amount <money>', 'in the currency of the business; 0: it costs nothing')
    .option('--percent <percent>', 'of what the customer paid: of payment_fee alone')
    .option('--per <unit>', 'of email_cost: thousand (e-mails sent) or month')
    .option('--currency <code>', 'of the amount; it must be that of the business')
    .option(
      '--payment-method <name>',
      'of payment_fee: for orders paid so alone, named as the orders have it',
    )
    .option('--shipping-method <name>', 'of shipping_cost: for orders sent so alone')
    .option('--country <name>', 'of shipping_cost: for orders of this country alone')
    .action(
      withInstance<Omit<NewAssumption, 'kind'> & { json?: true }>(
        async ({ instance, output }, { json: _, ...options }, id, kind) => {
          const business = await findBusiness(instance.control, id as string);
          const added = await addAssumption(instance.control, business, { ...options, kind: kind as string });
          output.result(
            { business_id: business.business_id, assumption: added },
            `${business.name}: ${added.kind} is ${describeRate(added)} from ${added.from_day} on (${added.assumption_id})`,
          );
        },
      ),
    );
}

function addRemove(assumptions: Command): void {
  command(
    assumptions,
    'remove <business_id> <assumption_id>',
    'Forget one; what was assumed before it holds again',
  ).action(
    withInstance(async ({ instance, output }, _options, id, assumptionId) => {
      const business = await findBusiness(instance.control, id as string);
      await removeAssumption(instance.control, business.business_id, assumptionId as string);
      output.result(
        { business_id: business.business_id, removed: assumptionId },
        `${business.name}: ${assumptionId} is assumed no more`,
      );
    }),
  );
}

function shown(assumption: Assumption) {
  const { assumption_id, kind, from_day, payment_method, shipping_method, country } = assumption;
  const of = [payment_method, shipping_method, country].filter((name) => name !== null);
  return { assumption_id, kind, from_day, rate: describeRate(assumption), of: of.join(', ') || 'all' };
}
