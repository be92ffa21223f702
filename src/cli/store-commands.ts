import { text } from 'node:stream/consumers';
import type { Command } from 'commander';
import { findBusiness } from '../control/businesses/businesses.ts';
import { readIdentifiers } from '../ingest/delete-person.ts';
import { type ForgottenReport, forgetPersons } from '../live/forget-persons.ts';
import { plural } from '../text/plural.ts';
import { command, withInstance } from './command.ts';
import { stopSignal } from './stop-signals.ts';
import { table } from './text-table.ts';

export function addStoreCommands(program: Command): void {
  const store = program.command('store').description("A business's data as they were imported");
  command(
    store,
    'delete-person <business_id>',
    'Delete all rows of a person for good, older snapshots included. Who it is, is read from standard input: e-mail ' +
      'addresses, phone numbers (with + or 00) and ids of profiles or customers, one on a line',
  ).action(
    withInstance(async ({ instance, output }, _options, id) => {
      const signal = stopSignal();
      const business = await findBusiness(instance.control, String(id));
      const identifiers = readIdentifiers(await text(process.stdin));
      const report = await output.progress(`Deleting from ${business.name}`, (onStep) =>
        forgetPersons({ ...instance, onStep, signal }, business, identifiers),
      );
      output.result(report, describe(report));
    }),
  );
}

function describe({
  rows,
  landed_rows,
  uploads_discarded,
  snapshots_removed,
  unknown_identifiers,
  snapshot,
}: ForgottenReport): string {
  const notes =
    unknown_identifiers.length === 0
      ? []
      : [`Note: nothing names what stood on lines ${unknown_identifiers.join(', ')} (without blank ones).`];
  if (
    Object.keys(rows).length === 0 &&
    snapshots_removed === 0 &&
    landed_rows === 0 &&
    uploads_discarded === 0
  ) {
    return ['No row names any of them.', ...notes].join('\n');
  }
  return [
    table(
      Object.entries(rows).map(([name, deleted]) => ({ table: name, deleted })),
      'What is served had no row of theirs; older snapshots had.',
    ),
    ...(uploads_discarded === 0
      ? []
      : [
          `${plural(uploads_discarded, 'upload that was not published is', 'uploads that were not published are')} discarded: files of the shop, in which they may be.`,
        ]),
    ...(landed_rows === 0 ? [] : [`${landed_rows} rows of theirs that connections had landed are gone too.`]),
    ...notes,
    `Deleted for good; ${snapshots_removed} older snapshots are gone, so there is none to go back to. Served now: ${snapshot}.`,
    'Backups and the shop itself may have the person still: delete there too, or the next import brings the rows back.',
  ].join('\n');
}
