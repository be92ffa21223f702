import type { Command } from 'commander';
import { listBusinesses } from '../control/businesses/businesses.ts';
import { businessesIn } from '../control/database/same-instance.ts';
import { adoptInstance } from '../server/instance.ts';
import { readSettings } from '../server/settings.ts';
import { createOutput } from './command-output.ts';

export function addInstanceCommands(program: Command): void {
  program
    .command('instance')
    .description('A data folder and a control database, which belong together')
    .command('adopt')
    .option('--json', 'print one JSON document')
    .description('Say that they do from now on: one was lost, or is of another instance')
    .action(async ({ json }: { json?: true }) => {
      await using instance = await adoptInstance(readSettings(process.env));
      const known = (await listBusinesses(instance.control)).map(({ business_id }) => business_id);
      const unknown = businessesIn(instance.data).filter((id) => !known.includes(id));
      createOutput(json === true).result(
        { data_folder: instance.data.root, businesses: known, unknown_businesses: unknown },
        [
          `${instance.data.root} and the control database belong together now.`,
          'If the secret is another one than before, people connect their apps anew, and customers of earlier imports no',
          'longer meet those of later ones: import the files of such a business into a new one.',
          ...describeUnknown(unknown),
        ].join('\n'),
      );
    });
}

/** Businesses of which there is a folder, and no row in the control database. */
export function describeUnknown(unknown: readonly string[]): string[] {
  if (unknown.length === 0) return [];
  return [
    '\nThe control database does not know these businesses, whose data are in the data folder:',
    ...unknown,
    'Make one with `business create --id`, with the time zone and currency that it had; then `snapshot adopt`.',
  ];
}
