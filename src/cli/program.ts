import { Command, CommanderError } from 'commander';
import { VERSION } from '../version.ts';
import { addAccountCommands } from './account-commands.ts';
import { addBusinessCommands } from './business-commands.ts';
import { addGrantCommands } from './grant-commands.ts';
import { addImportCommands } from './import-commands.ts';
import { addInstanceCommands } from './instance-commands.ts';
import { addKeyCommands } from './key-commands.ts';
import { reportFailure } from './output.ts';
import { addServeCommands } from './serve-commands.ts';
import { StoppedError } from './signals.ts';
import { addSnapshotCommands } from './snapshot-commands.ts';
import { addTokenCommands } from './token-commands.ts';
import { addToolCommands } from './tool-commands.ts';
import { addWarehouseCommands } from './warehouse-commands.ts';

export async function runCommandLine(argv: readonly string[]): Promise<void> {
  const program = new Command('storesight')
    .description('Read-only analytics over MCP for online stores.')
    .version(VERSION)
    .configureHelp({ showGlobalOptions: true })
    .exitOverride()
    .showHelpAfterError('(--help shows what there is)');
  addServeCommands(program);
  addBusinessCommands(program);
  addSnapshotCommands(program);
  addAccountCommands(program);
  addTokenCommands(program);
  addGrantCommands(program);
  addKeyCommands(program);
  addInstanceCommands(program);
  addImportCommands(program);
  addToolCommands(program);
  addWarehouseCommands(program);
  try {
    await program.parseAsync(argv);
  } catch (error) {
    const isJson = argv.includes('--json');
    // Commander has told the usage error or shown the help already.
    if (!(error instanceof CommanderError)) reportFailure(error, isJson);
    else if (isJson && error.exitCode !== 0)
      process.stdout.write(`${JSON.stringify({ error: error.message.replace(/^error: /, '') })}\n`);
    process.exitCode = error instanceof CommanderError || error instanceof StoppedError ? error.exitCode : 1;
  }
}
