import { Command, CommanderError } from 'commander';
import { type Instance, openInstance } from '../server/instance.ts';
import { readSettings, type Settings } from '../server/settings.ts';
import { VERSION } from '../version.ts';
import { addAccountCommands } from './account-commands.ts';
import { addBusinessCommands } from './business-commands.ts';
import { addImportCommands } from './import-commands.ts';
import { createOutput, type Output, reportFailure } from './output.ts';
import { addServeCommands } from './serve-commands.ts';
import { addToolCommands } from './tool-commands.ts';

/** What a command works with. */
export interface CommandContext {
  readonly settings: Settings;
  readonly instance: Instance;
  readonly output: Output;
}

/** Gives a command the opened data folder, and closes it afterwards. */
export type WithInstance = <Options extends { json?: true }>(
  run: (context: CommandContext, options: Options, ...args: string[]) => Promise<void>,
) => (...commanderArguments: unknown[]) => Promise<void>;

const withInstance: WithInstance =
  (run) =>
  async (...commanderArguments) => {
    // Commander passes the positional arguments, then the options, then the command.
    const [options, ...reversed] = commanderArguments.slice(0, -1).reverse();
    const settings = readSettings(process.env);
    await using instance = await openInstance(settings);
    const context = { settings, instance, output: createOutput((options as { json?: true }).json === true) };
    await run(context, options as never, ...(reversed.reverse() as string[]));
  };

export async function runCommandLine(argv: readonly string[]): Promise<void> {
  const program = new Command('storesight')
    .description('Read-only analytics over MCP for online stores.')
    .version(VERSION)
    .configureHelp({ showGlobalOptions: true })
    .exitOverride()
    .showHelpAfterError('(--help shows what there is)');
  addServeCommands(program, withInstance);
  addBusinessCommands(program, withInstance);
  addAccountCommands(program, withInstance);
  addImportCommands(program, withInstance);
  addToolCommands(program, withInstance);
  try {
    await program.parseAsync(argv);
  } catch (error) {
    const isJson = argv.includes('--json');
    // Commander has told the usage error or shown the help already.
    if (!(error instanceof CommanderError)) reportFailure(error, isJson);
    else if (isJson && error.exitCode !== 0)
      process.stdout.write(`${JSON.stringify({ error: error.message.replace(/^error: /, '') })}\n`);
    process.exitCode = error instanceof CommanderError ? error.exitCode : 1;
  }
}
