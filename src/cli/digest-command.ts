import { writeFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { readDigest } from '../asking/digest.ts';
import { findBusiness } from '../control/businesses/businesses.ts';
import { InputError } from '../errors.ts';
import { ACCOUNT_OPTION, askAs, type CallerOptions } from './ask-as-account.ts';
import { command, withInstance } from './command.ts';

interface DigestOptions extends CallerOptions {
  readonly asOf?: string;
  readonly since?: string;
  readonly out?: string;
}

export function addDigestCommand(program: Command): void {
  command(
    program,
    'digest <business_id>',
    'Write what is unusual in a store, and what may not be quoted, as Markdown',
  )
    .option('--as-of <date>', 'judge the days before it (without: before the day of the last order)')
    .option('--since <date>', 'the first day judged (without: 7 days; at most 28)')
    .option('--out <file>', 'the file to write, where there is something to say (without: print it)')
    .option(...ACCOUNT_OPTION)
    .action(
      withInstance<DigestOptions>(async (context, options, id) => {
        const { business_id } = await findBusiness(context.instance.control, id);
        await askAs(context, options, async ({ environment, caller, stop }) => {
          const args = { business_id, as_of: options.asOf ?? null, since: options.since ?? null };
          const { watched, notes, hasNews, text } = await readDigest(environment, args, caller, stop);
          const file = hasNews ? (options.out ?? null) : null;
          if (file !== null) await write(file, text);
          context.output.result({ file, ...watched, notes }, file === null ? text : `Written to ${file}`);
        });
      }),
    );
}

async function write(file: string, page: string): Promise<void> {
  await writeFile(file, `${page}\n`).catch((error: Error) => {
    throw new InputError(`${file} cannot be written: ${error.message}`);
  });
}
