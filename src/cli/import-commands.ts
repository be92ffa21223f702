import { type Command, InvalidArgumentError, Option } from 'commander';
import { findBusiness } from '../control/businesses.ts';
import { importFolder } from '../ingest/import.ts';
import { type MaxRejects, readMaxRejects } from '../ingest/rejects.ts';
import type { ImportReport } from '../ingest/report.ts';
import { withInstance } from './command.ts';
import { stopSignal } from './signals.ts';
import { table } from './table.ts';

interface ImportOptions {
  readonly json?: true;
  readonly maxRejects: MaxRejects;
  readonly addLines?: true;
}

export function addImportCommands(program: Command): void {
  program
    .command('import')
    .argument('<business_id>')
    .argument('<folder>', 'one file or folder per table, see docs/import-format.md')
    .description("Load a merchant's files: all of them, or nothing changes")
    .addOption(
      new Option('--format <format>', 'format of the files').choices(['canonical']).default('canonical'),
    )
    .addOption(
      new Option('--max-rejects <rows>', 'how many bad rows to leave out: a number, or a share such as 1%')
        .argParser(maxRejects)
        .default({ rows: 0 }, 'none'),
    )
    .option('--add-lines', 'keep the lines that orders have, instead of replacing all lines of an order')
    .option('--json', 'print one JSON document')
    .action(
      withInstance<ImportOptions>(async ({ instance, output }, options, id, folder) => {
        const signal = stopSignal();
        const startedAt = performance.now();
        const business = await findBusiness(instance.control, String(id));
        const report = await output.progress(`Importing into ${business.name}`, (onStep) =>
          importFolder({ ...instance, onStep, signal }, business, String(folder), {
            maxRejects: options.maxRejects,
            addsLines: options.addLines ?? false,
          }),
        );
        const seconds = Math.round(performance.now() - startedAt) / 1000;
        output.result({ ...report, seconds }, describe(report, seconds));
      }),
    );
}

function maxRejects(text: string): MaxRejects {
  const read = readMaxRejects(text);
  if (read === null) throw new InvalidArgumentError('it must be a number of rows, or a share such as 1%.');
  return read;
}

function describe(report: ImportReport, seconds: number): string {
  const rows = Object.entries(report.tables).map(([name, counts]) => ({ table: name, ...counts }));
  return [
    table(rows, ''),
    ...removedPersonalData(report).map((text) => `Note: ${text}`),
    ...report.warnings.map((warning) => `Note: ${warning}`),
    ...(report.rejects_file === null ? [] : [`Rows left out are listed in ${report.rejects_file}`]),
    `Serving snapshot ${report.snapshot} after ${seconds} s`,
  ].join('\n');
}

/** One line for each table: where e-mail addresses and phone numbers stood that a column is not there for. */
function removedPersonalData({ personal_data_removed }: ImportReport): string[] {
  return Object.entries(personal_data_removed).map(([name, columns]) => {
    const cells = Object.entries(columns).map(([column, count]) => `${column} ${count}`);
    return `e-mail addresses or phone numbers were taken out of cells of ${name}: ${cells.join(', ')}`;
  });
}
