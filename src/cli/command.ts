import type { Command } from 'commander';
import { type Instance, openInstance } from '../server/instance.ts';
import { readSettings, type Settings } from '../server/settings.ts';
import { createOutput, type Output } from './command-output.ts';

/** What a command works with. */
export interface CommandContext {
  readonly settings: Settings;
  readonly instance: Instance;
  readonly output: Output;
}

/**
 * Adds a command that tells people what it did, or programs with `--json`.
 *
 * @param usage its name and arguments: `runs <business_id> <connection>`
 */
export function command(parent: Command, usage: string, description: string): Command {
  return parent.command(usage).description(description).option('--json', 'print one JSON document');
}

/** An action of a command: gives it the opened data folder, and closes that afterwards. */
export function withInstance<Options extends { json?: true }>(
  run: (context: CommandContext, options: Options, ...args: string[]) => Promise<void>,
): (...commanderArguments: unknown[]) => Promise<void> {
  return async (...commanderArguments) => {
    // Commander passes the positional arguments, then the options, then the command.
    const [options, ...reversed] = commanderArguments.slice(0, -1).reverse();
    const settings = readSettings(process.env);
    await using instance = await openInstance(settings);
    const context = { settings, instance, output: createOutput((options as { json?: true }).json === true) };
    await run(context, options as never, ...(reversed.reverse() as string[]));
  };
}
