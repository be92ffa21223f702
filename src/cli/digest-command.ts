import { writeFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { EXTENSION_TOOLS } from '../catalogue.ts';
import { findBusiness } from '../control/businesses.ts';
import { InputError } from '../errors.ts';
import { runTool } from '../mcp/run-tool.ts';
import { ACCOUNT_OPTION, askAs, type CallerOptions } from './ask-as-account.ts';
import { command, withInstance } from './command.ts';
import { visible } from './visible.ts';

interface DigestOptions extends CallerOptions {
  readonly asOf?: string;
  readonly since?: string;
  readonly out?: string;
}

/** What `watch` answers, as far as the page has it. */
interface Watched {
  readonly from_date: string;
  readonly to_date: string;
  readonly summary: string;
  readonly alerts: readonly { readonly sentence: string }[];
  readonly trust: readonly { readonly text: string; readonly touches: string }[];
}

const watch = EXTENSION_TOOLS.find(({ name }) => name === 'watch') as (typeof EXTENSION_TOOLS)[number];

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
        const { business_id, name } = await findBusiness(context.instance.control, id);
        await askAs(context, options, async ({ environment, caller, stop }) => {
          const args = { business_id, as_of: options.asOf ?? null, since: options.since ?? null };
          const { result, notes = [] } = await runTool(environment, watch, args, caller, stop);
          const watched = result as Watched;
          const hasNews = watched.alerts.length + watched.trust.length > 0;
          const page = digestPage(name, watched, notes);
          const file = hasNews ? (options.out ?? null) : null;
          if (file !== null) await write(file, page);
          const said = hasNews
            ? page
            : `${watched.summary} Nothing is missing or stale, so there is no page to write.`;
          context.output.result({ file, ...watched, notes }, file === null ? said : `Written to ${file}`);
        });
      }),
    );
}

async function write(file: string, page: string): Promise<void> {
  await writeFile(file, `${page}\n`).catch((error: Error) => {
    throw new InputError(`${file} cannot be written: ${error.message}`);
  });
}

function digestPage(name: string, watched: Watched, notes: readonly string[]): string {
  const { from_date, to_date, summary, alerts, trust } = watched;
  return [
    `# ${markdown(name)}: ${from_date} to ${to_date}`,
    markdown(summary),
    ...section(
      'May not be quoted as it is',
      trust.map(({ text, touches }) => `${markdown(text)} It touches ${markdown(touches)}.`),
    ),
    ...section(
      'Unusual',
      alerts.map(({ sentence }) => markdown(sentence)),
    ),
    ...section('Notes', notes.map(markdown)),
  ].join('\n\n');
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`## ${title}`, lines.map((line) => `- ${line}`).join('\n')];
}

/** Names of a store's products and campaigns are other people's words: they are shown, and mean nothing to Markdown. */
function markdown(text: string): string {
  return visible(text).replace(/[\\`*_[\]<>#|~]/g, String.raw`\$&`);
}
