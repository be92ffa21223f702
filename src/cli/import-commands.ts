import { type Command, InvalidArgumentError, Option } from 'commander';
import { findBusiness } from '../control/businesses/businesses.ts';
import { importFiles } from '../import/run.ts';
import { type MaxRejects, readMaxRejects } from '../ingest/rejects.ts';
import { RejectsError } from '../snapshot/import-errors.ts';
import type { ImportReport } from '../snapshot/import-report.ts';
import { removedPersonalData } from '../snapshot/report-words.ts';
import { nothingIsNew, rowsAllThere } from '../snapshot/row-changes.ts';
import { readMappingFile } from '../sources/mapping/known-sources.ts';
import type { Settings } from '../sources/source.ts';
import { askForStoreCurrency } from './ask-for-store-currency.ts';
import { command, withInstance } from './command.ts';
import { describeBuild } from './describe-build.ts';
import { type SourceOptions, sourceSettings } from './source-options.ts';
import { describeSources } from './source-report.ts';
import { stopSignal } from './stop-signals.ts';
import { table } from './text-table.ts';

interface ImportOptions extends SourceOptions {
  readonly json?: true;
  readonly format: 'auto' | 'canonical';
  readonly dryRun?: true;
  readonly maxRejects: MaxRejects;
  readonly addLines?: true;
  readonly exportedAt?: string;
  readonly mapping?: readonly string[];
  readonly ordersFrom?: string;
  readonly whole?: true;
  readonly skipUnreadable?: true;
}

export function addImportCommands(program: Command): void {
  importCommand(program).action(
    withInstance<ImportOptions>(async ({ instance, output }, options, id, paths) => {
      const signal = stopSignal();
      const startedAt = performance.now();
      const business = await findBusiness(instance.control, String(id));
      const files = [paths].flat();
      const importOptions = {
        maxRejects: options.maxRejects,
        addsLines: options.addLines ?? false,
        isTrial: options.dryRun ?? false,
        ...(options.whole ? { incremental: null } : {}),
      };
      const importThem = (settings: Settings) =>
        output.progress(`Importing into ${business.name}`, (onStep) => {
          const context = { ...instance, onStep, signal };
          const isCanonical = options.format === 'canonical';
          return importFiles(context, business, isCanonical ? [onlyFolder(files)] : files, {
            ...importOptions,
            isCanonical,
            skipsUnreadable: options.skipUnreadable ?? false,
            settings,
            mappings: (options.mapping ?? []).map(readMappingFile),
          }).catch((error) => {
            if (error instanceof RejectsError && !output.isJson) output.result({}, describeRefused(error));
            throw error;
          });
        });
      const settings = settingsOf(options);
      const report = await importThem(settings).catch(async (error: unknown) =>
        importThem({ ...settings, 'store-currency': await askForStoreCurrency(error, business, output) }),
      );
      const seconds = Math.round(performance.now() - startedAt) / 1000;
      output.result({ ...report, seconds }, describe(report, seconds));
    }),
  );
}

function importCommand(program: Command): Command {
  return command(program, 'import <business_id>', "Load a merchant's files: all of them, or nothing changes")
    .argument(
      '<files...>',
      'files, folders and zip archives: exports as they are, DuckDB files of Fivetran, or our own format',
    )
    .addOption(
      new Option(
        '--format <format>',
        'what the files are: recognised (auto), or our own format by their names',
      )
        .choices(['auto', 'canonical'])
        .default('auto'),
    )
    .option('--dry-run', 'do all of it but serve the result')
    .addOption(
      new Option('--max-rejects <rows>', 'how many bad rows to leave out: a number, or a share such as 1%')
        .argParser(maxRejects)
        .default({ rows: 0 }, 'none'),
    )
    .option('--add-lines', 'keep the lines that orders have, instead of replacing all lines of an order')
    .option('--timezone <name>', 'of times without an offset from UTC, for example Europe/Prague')
    .option('--dates <order>', 'of 3/4/2026: dmy (3 April) or mdy (4 March)')
    .option('--currency <code>', 'of files that do not say it, for example EUR')
    .option(
      '--status <pair>',
      'what a status of the files is to us, for example "Bezahlt=paid"; may be given again',
      (pair: string, before: readonly string[] = []) => [...before, pair],
    )
    .option('--encoding <name>', 'of text files that are not UTF-8, for example windows-1250')
    .option(
      '--schema <names>',
      'of a DuckDB file where several schemas of Fivetran are of one system: those of this business, for example shopify_cz',
    )
    .option('--exported-at <date>', 'of exports whose facts have no date, for example 2026-10-31')
    .option(
      '--mapping <file>',
      'what the columns of a table mean, see `source map`; remembered for the business; may be given again',
      (file: string, before: readonly string[] = []) => [...before, file],
    )
    .option(
      '--orders-from <owner>',
      'whose orders the store has: ga4 (purchases that Google Analytics saw), where no shop exports any; shop to change back',
    )
    .option(
      '--store-currency <code>',
      'where most orders are in another currency than the store and have no exchange rate: the currency that the store is to have from now on, or keep to leave their money unknown',
    )
    .option(
      '--skip-unreadable',
      'leave out files that cannot be read or are reports without orders, and say which, instead of importing nothing',
    )
    .option(
      '--whole',
      'build the tables that tools read anew for everybody, instead of for whom the files concern where that is less work',
    );
}

function onlyFolder(paths: readonly string[]): string {
  const [folder, ...others] = paths;
  if (folder === undefined || others.length > 0)
    throw new InvalidArgumentError('--format canonical takes one folder.');
  return folder;
}

function settingsOf({ exportedAt, ...options }: ImportOptions): Settings {
  return {
    ...sourceSettings(options),
    ...(exportedAt === undefined ? {} : { 'exported-at': exportedAt }),
  };
}

function maxRejects(text: string): MaxRejects {
  const read = readMaxRejects(text);
  if (read === null) throw new InvalidArgumentError('it must be a number of rows, or a share such as 1%.');
  return read;
}

/** What the files were recognised as, and how many of their rows are bad. */
function describeRefused({ report }: RejectsError): string {
  const rows = Object.entries(report?.tables ?? {}).map(([name, { read, rejected }]) => ({
    table: name,
    read,
    rejected,
  }));
  const recognised = describeSources({ sources: report?.sources ?? [], reconciliation: [] });
  return [...recognised, table(rows, ''), ''].join('\n');
}

const NOT_COMPARED = { added: null, changed: null, unchanged: null };

function describe(report: ImportReport, seconds: number): string {
  const rows = Object.entries(report.tables).map(([name, { read, loaded, ...others }]) => {
    const { added, changed, unchanged } = report.changes[name] ?? NOT_COMPARED;
    return { table: name, read, loaded, new: added, changed, unchanged, ...others };
  });
  const allThere = rowsAllThere(report);
  return [
    ...describeSources(report),
    table(rows, ''),
    ...(allThere === null ? [] : [nothingIsNew(String(allThere))]),
    ...removedPersonalData(report).map((text) => `Note: ${text}`),
    ...report.warnings.map((warning) => `Note: ${warning}`),
    ...(report.rejects_file === null ? [] : [`Rows left out are listed in ${report.rejects_file}`]),
    `Model: ${describeBuild(report.build)}`,
    report.snapshot === null
      ? `Nothing was changed: this was a dry run of ${seconds} s`
      : `Serving snapshot ${report.snapshot} after ${seconds} s`,
  ].join('\n');
}
