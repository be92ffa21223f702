import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { confirm, isCancel } from '@clack/prompts';
import type { Command } from 'commander';
import { DataFolder } from '../../control/data-folder/data-folder.ts';
import { InputError, ReasonError } from '../../errors.ts';
import { defaultBaseUrl } from '../../server/listen.ts';
import { readServedAt } from '../../server/served-at.ts';
import { readSettings, type Settings } from '../../server/settings.ts';
import { VERSION } from '../../version.ts';
import { isInCacheOfNpx } from '../called-as.ts';
import { createOutput, type Output } from '../command-output.ts';
import { canAsk } from '../is-in-terminal.ts';
import { CLIENT_APPS, type ClientApp, type Machine, type Server } from './client-apps.ts';
import { SERVER_NAME, withServer } from './edit-settings.ts';
import { readSettingsFile, writeSettingsFile } from './settings-file.ts';

interface ConnectOptions {
  readonly url?: string;
  readonly remove?: true;
  readonly yes?: true;
  readonly json?: true;
}

const IDS = CLIENT_APPS.map(({ id }) => id).join(', ');

export function addConnectCommand(program: Command): void {
  program
    .command('connect')
    .argument('<client>', `one of ${IDS}`)
    .option('--url <url>', 'the MCP URL of the server (without: of the server of this data folder)')
    .option('--remove', 'take Storesight out of the settings of the client again')
    .option('--yes', 'write without asking')
    .option('--json', 'print one JSON document')
    .description('Write Storesight into the settings of an MCP client')
    .action(async (client: string, options: ConnectOptions) => {
      const app = CLIENT_APPS.find(({ id }) => id === client);
      if (app === undefined)
        throw new InputError(
          `there is no client "${client}"; known are ${IDS}`,
          'Settings for other clients are on the page /connect of the server.',
        );
      const machine: Machine = { platform: process.platform, home: homedir(), env: process.env };
      await connect(app, machine, options, createOutput(options.json === true));
    });
}

async function connect(
  app: ClientApp,
  machine: Machine,
  options: ConnectOptions,
  output: Output,
): Promise<void> {
  const path = app.file(machine);
  const entry = options.remove ? undefined : app.entry(serverOf(readSettings(process.env), options.url));
  const before = await readSettingsFile(path);
  const after = changed(app, path, before, entry);
  const isChange = after !== before;
  if (isChange) {
    await agree(app, path, entry, options, output);
    await writeSettingsFile(path, before, after);
  }
  output.result(
    { client: app.id, file: path, changed: isChange, server: entry ?? null },
    told(app, path, isChange, entry),
  );
}

/**
 * Writes the server into the settings of an app without asking.
 *
 * @returns what was done, and what the person does next
 */
export async function connectApp(app: ClientApp, machine: Machine, mcpUrl: string): Promise<string> {
  const path = app.file(machine);
  const entry = app.entry(serverOf(readSettings(process.env), mcpUrl));
  const before = await readSettingsFile(path);
  const after = changed(app, path, before, entry);
  if (after !== before) await writeSettingsFile(path, before, after);
  return told(app, path, after !== before, entry);
}

function changed(
  app: ClientApp,
  path: string,
  before: string,
  entry: Record<string, unknown> | undefined,
): string {
  try {
    return withServer(before, app, entry);
  } catch (error) {
    if (!(error instanceof ReasonError)) throw error;
    const byHand =
      entry === undefined
        ? `take ${SERVER_NAME} out of ${app.servers.join('.')}`
        : `write this into ${app.servers.join('.')}: ${JSON.stringify({ [SERVER_NAME]: entry })}`;
    throw new InputError(`${path} ${error.message}; nothing was written`, `Mend the file, or ${byHand}`);
  }
}

async function agree(
  { name }: ClientApp,
  path: string,
  entry: Record<string, unknown> | undefined,
  { yes }: ConnectOptions,
  { isJson }: Output,
): Promise<void> {
  if (yes) return;
  const change =
    entry === undefined
      ? `take ${SERVER_NAME} out of ${path}`
      : `write ${SERVER_NAME}: ${JSON.stringify(entry)} into ${path}`;
  if (isJson || !canAsk())
    throw new InputError(`${name}: nothing was written`, `This would ${change}. Add --yes to do it.`);
  const answer = await confirm({ message: `${name}: ${change}?`, output: process.stderr });
  if (isCancel(answer) || !answer) throw new InputError('nothing was written');
}

function told(
  { name, next }: ClientApp,
  path: string,
  isChange: boolean,
  entry: Record<string, unknown> | undefined,
): string {
  if (entry === undefined)
    return isChange
      ? `${name}: ${SERVER_NAME} was taken out of ${path}`
      : `${name}: ${SERVER_NAME} is not in ${path}`;
  return `${name}: ${SERVER_NAME} ${isChange ? 'was written into' : 'is already in'} ${path}\n${next}`;
}

function serverOf(settings: Settings, asked: string | undefined): Server {
  // What a server last wrote there is where people sign in, which is another place only where AUTH_URL says
  // so.
  const served = settings.AUTH_URL === undefined ? readServedAt(new DataFolder(settings.DATA)) : undefined;
  const url = asked ?? `${settings.BASE_URL ?? served ?? defaultBaseUrl(settings)}/mcp`;
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new InputError(
      `--url "${url}" is not an http or https URL`,
      'For example --url https://shop.example.com/mcp',
    );
  return { url, command: { ...startsProgram(), env: { STORESIGHT_DATA: resolve(settings.DATA) } } };
}

/**
 * How an app starts this program.
 *
 * @param program this one, and the Node that it runs on: paths that stay, or in the cache of npx, which npm
 *   may empty
 */
export function startsProgram(
  program: string = process.argv[1] ?? '',
  node: string = process.execPath,
): { command: string; args: string[] } {
  if (!isInCacheOfNpx(program) && !isInCacheOfNpx(node))
    return { command: node, args: [resolve(program), 'stdio'] };
  // The package brings a Node that is new enough, whichever the app finds (bin/storesight.js).
  return { command: 'npx', args: ['--yes', `storesight@${VERSION}`, 'stdio'] };
}
