import { existsSync, writeFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import type { Command } from 'commander';
import { findBusiness } from '../control/businesses/businesses.ts';
import { forgetSourceSettings, readSourceSettings } from '../control/businesses/source-settings.ts';
import { InputError } from '../errors.ts';
import { formatOf, readsInShort } from '../sources/formats.ts';
import { describeProposals } from '../sources/mapping/draft-mapping.ts';
import { knownSources } from '../sources/mapping/known-sources.ts';
import { mapFile } from '../sources/mapping/map-file.ts';
import { withInstance } from './command.ts';
import { createOutput } from './command-output.ts';
import { addConnectionCommands, describeConnections } from './connection-commands.ts';
import { table } from './text-table.ts';

interface MapOptions {
  readonly json?: true;
  readonly output: string;
  readonly encoding?: string;
}

export function addSourceCommands(program: Command): void {
  const source = program
    .command('source')
    .description(
      'Where the data of a business comes from: connections, and what files of other systems mean',
    );
  addConnectionCommands(source);
  addMap(source);
  addFormats(source);
  addList(source);
  addForget(source);
}

function addMap(source: Command): void {
  source
    .command('map')
    .argument('<file>')
    .description('Show the columns of a table (CSV or .xlsx) and write a mapping for them, to be completed')
    .option('--output <file>', 'where to write it', 'mapping.yaml')
    .option('--encoding <name>', 'of a file that is not UTF-8, for example windows-1250')
    .option('--json', 'print one JSON document')
    .action(async (file: string, options: MapOptions) => {
      if (existsSync(options.output))
        throw new InputError(`${options.output} exists already; name another file with --output`);
      const { columns, mapping, known, proposals, sheet } = await mapFile(file, options.encoding);
      writeFileSync(options.output, mapping, { flag: 'wx' });
      const shown = columns.map((column) => {
        const ours = proposals.filter(({ from }) => from === column);
        return {
          column: column.title,
          looks: column.looks,
          filled: column.filled,
          first: column.first.filter((cell) => cell !== '').join(' · '),
          becomes: ours.map((each) => `${each.table}.${each.column}`).join(', '),
          confidence: ours[0]?.confidence ?? '',
          why: ours[0]?.why ?? '',
        };
      });
      createOutput(options.json === true).result(
        { columns: shown, mapping: options.output, known, sheet },
        [
          table(shown, 'no columns'),
          ...(sheet === null ? [] : [`Of the sheets, ${sheet} was looked at.`]),
          ...describeProposals(proposals),
          ...(known === null ? [] : [`${basename(file)} is ${known}: it can be imported without a mapping`]),
          `${resolve(options.output)} was written. Complete what is marked with TODO in it, then:`,
          `  storesight import BUSINESS ${file} --mapping ${options.output} --dry-run`,
        ].join('\n'),
      );
    });
}

function addFormats(source: Command): void {
  source
    .command('formats')
    .description('Show the exports of other systems that `import` recognises, and what is read of each')
    .option('--json', 'print one JSON document')
    .action((options: { json?: true }) => {
      const sources = knownSources([], new Map());
      createOutput(options.json === true).result(
        { formats: sources.map(formatOf) },
        [
          table(
            sources.map((each) => ({ source: each.name, what: each.title, reads: readsInShort(each) })),
            '',
          ),
          'All names of columns: --json.',
          'Our own format (docs/import-format.md), as .csv, .ndjson or .parquet, in files named after its tables.',
          'Any other table of text, with a mapping of its columns: `storesight source map FILE` begins one.',
        ].join('\n'),
      );
    });
}

function addList(source: Command): void {
  source
    .command('list')
    .argument('<business_id>')
    .description('Show the connections of a business, and what is remembered of its files')
    .option('--json', 'print one JSON document')
    .action(
      withInstance(async ({ instance, output }, _options, id) => {
        const business = await findBusiness(instance.control, String(id));
        const remembered = await readSourceSettings(instance.control, business.business_id);
        const sources = [...remembered].map(([name, { mapping, ...settings }]) => ({
          source: name,
          has_mapping: mapping !== undefined,
          settings,
        }));
        const rows = sources.map(({ source, has_mapping, settings }) => ({
          source,
          mapping: has_mapping ? 'yes' : 'no',
          settings: Object.entries(settings)
            .map(([name, value]) => `--${name} ${value.replaceAll('\n', ', ')}`)
            .join(' '),
        }));
        const { connections, lines } = await describeConnections({ instance }, business.business_id);
        output.result(
          { connections, sources },
          [lines, ...(rows.length === 0 ? [] : ['', 'Remembered of its files:', table(rows, '')])].join('\n'),
        );
      }),
    );
}

function addForget(source: Command): void {
  source
    .command('forget')
    .argument('<business_id>')
    .argument('<source>')
    .description('Forget the mapping and the settings of a source; what was imported stays')
    .option('--json', 'print one JSON document')
    .action(
      withInstance(async ({ instance, output }, _options, id, name) => {
        const business = await findBusiness(instance.control, String(id));
        const isForgotten = await forgetSourceSettings(instance.control, business.business_id, String(name));
        if (!isForgotten)
          throw new InputError(
            `nothing is remembered of ${name}; \`storesight source list ${id}\` shows what is`,
          );
        output.result({ forgotten: name }, `Forgot ${name}.`);
      }),
    );
}
