import { Command, CommanderError } from 'commander';
import { VERSION } from '../version.ts';
import { reportFailure } from './command-output.ts';
import { canAsk } from './is-in-terminal.ts';
import { StoppedError } from './stop-signals.ts';

interface Commands {
  readonly names: readonly string[];
  readonly add: (program: Command) => Promise<void>;
}

/** The commands, loaded when one of them is asked for: most do without the server and its libraries. */
const COMMANDS: readonly Commands[] = [
  { names: ['start'], add: async (to) => (await import('./start/start-command.ts')).addStartCommand(to) },
  { names: ['serve'], add: async (to) => (await import('./serve-commands.ts')).addServeCommands(to) },
  {
    names: ['worker'],
    add: async (to) => (await import('./worker-commands.ts')).addWorkerCommands(to),
  },
  {
    names: ['business'],
    add: async (to) => (await import('./business-commands.ts')).addBusinessCommands(to),
  },
  {
    names: ['snapshot'],
    add: async (to) => (await import('./snapshot-commands.ts')).addSnapshotCommands(to),
  },
  { names: ['store'], add: async (to) => (await import('./store-commands.ts')).addStoreCommands(to) },
  { names: ['account'], add: async (to) => (await import('./account-commands.ts')).addAccountCommands(to) },
  { names: ['manager'], add: async (to) => (await import('./manager-commands.ts')).addManagerCommands(to) },
  { names: ['token'], add: async (to) => (await import('./token-commands.ts')).addTokenCommands(to) },
  { names: ['grant'], add: async (to) => (await import('./grant-commands.ts')).addGrantCommands(to) },
  { names: ['key'], add: async (to) => (await import('./key-commands.ts')).addKeyCommands(to) },
  {
    names: ['instance'],
    add: async (to) => (await import('./instance-commands.ts')).addInstanceCommands(to),
  },
  { names: ['source'], add: async (to) => (await import('./source-commands.ts')).addSourceCommands(to) },
  { names: ['import'], add: async (to) => (await import('./import-commands.ts')).addImportCommands(to) },
  { names: ['jobs'], add: async (to) => (await import('./job-commands.ts')).addJobCommands(to) },
  { names: ['call', 'stdio'], add: async (to) => (await import('./tool-commands.ts')).addToolCommands(to) },
  {
    names: ['connect'],
    add: async (to) => (await import('./connect/connect-command.ts')).addConnectCommand(to),
  },
  { names: ['digest'], add: async (to) => (await import('./digest-command.ts')).addDigestCommand(to) },
  { names: ['report'], add: async (to) => (await import('./report-commands.ts')).addReportCommand(to) },
  { names: ['chart'], add: async (to) => (await import('./chart-commands.ts')).addChartCommand(to) },
  {
    names: ['warehouse'],
    add: async (to) => (await import('./warehouse-commands.ts')).addWarehouseCommands(to),
  },
];

export async function runCommandLine(given: readonly string[]): Promise<void> {
  // A person who says nothing is asked; a program that says nothing gets the help.
  const argv = given.length === 2 && canAsk() ? [...given, 'start'] : given;
  const asked = COMMANDS.filter(({ names }) => names.some((name) => name === argv[2]));
  const program = await programWith(asked.length > 0 ? asked : COMMANDS);
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

/** All commands, or some of them. */
export async function programWith(commands: readonly Commands[] = COMMANDS): Promise<Command> {
  const program = new Command('storesight')
    .description('Read-only analytics over MCP for online stores.')
    .version(VERSION)
    .configureHelp({ showGlobalOptions: true })
    .exitOverride()
    .showHelpAfterError('(--help shows what there is)');
  for (const { add } of commands) await add(program);
  return program;
}
