import { existsSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname } from 'node:path';
import { type CANCEL_SYMBOL, intro, isCancel, multiselect, note, select, text } from '@clack/prompts';
import type { Command } from 'commander';
import type { Business } from '../../business/business.ts';
import { listBusinesses } from '../../control/businesses/businesses.ts';
import { createAccount, listAccounts } from '../../control/people/accounts.ts';
import { allowNewBusinesses } from '../../control/people/managers.ts';
import { DEMO_BUSINESSES, DEMO_EMAIL } from '../../demo/prepare-demo.ts';
import { InputError } from '../../errors.ts';
import { issuerPath } from '../../oauth/authorization-server.ts';
import type { RunningServer } from '../../server/listen.ts';
import { visible, visibleLines } from '../../text/visible.ts';
import { VERSION } from '../../version.ts';
import { pagePaths } from '../../web/paths.ts';
import { calledAs } from '../called-as.ts';
import { type CommandContext, withInstance } from '../command.ts';
import { CLIENT_APPS, type ClientApp, type Machine } from '../connect/client-apps.ts';
import { connectApp } from '../connect/connect-command.ts';
import { canAsk } from '../is-in-terminal.ts';
import { firstPasswordLink, howToSignIn, runServer } from '../run-server.ts';
import { addAddressOptions } from '../serve-commands.ts';
import { openInBrowser } from './open-in-browser.ts';

interface StartOptions {
  readonly json?: true;
  readonly port?: number;
  readonly host?: string;
}

/**
 * The stores that answers are about: those that are here, the demo stores, or one that the person makes in
 * the browser.
 */
type Begin = 'here' | 'demo' | 'own';

const MOST_NAMES = 3;

export function addStartCommand(program: Command): void {
  addAddressOptions(program.command('start'))
    .description('Ask what to begin with, serve it, and open the browser; so does `storesight` alone')
    .action(
      withInstance<StartOptions>(async (context, options) => {
        if (!canAsk())
          throw new InputError(
            '`start` asks questions, and no person is at this terminal',
            'Without questions: `serve --demo` for the demo stores; `business create`, `import` and `serve` for your own.',
          );
        await start(quiet(context), options);
      }),
    );
}

/** A person reads this terminal: of the log only what is wrong. */
function quiet(context: CommandContext): CommandContext {
  if (process.env.STORESIGHT_LOG_LEVEL) return context;
  return { ...context, settings: { ...context.settings, LOG_LEVEL: 'warn' } };
}

async function start(context: CommandContext, options: StartOptions): Promise<void> {
  const { instance } = context;
  const machine: Machine = { platform: process.platform, home: homedir(), env: process.env };
  intro(`Storesight ${VERSION}, with its data in ${instance.data.root}`, { output: process.stderr });
  const begin = await askWhatToBeginWith(await listBusinesses(instance.control));
  const ownAccount = begin === 'own' ? await askForAccount(context) : null;
  const apps = await askForApps(machine);
  try {
    await runServer(
      context,
      { ...options, ...(begin === 'demo' && { demo: true }) },
      async (server, demoAccount) => {
        for (const app of apps) await tellConnected(app, machine, server.mcpUrl);
        await leadToBrowser(context, machine, server, { begin, email: ownAccount ?? demoAccount });
      },
    );
  } finally {
    rmSync(instance.data.browserPage, { force: true });
  }
}

async function askWhatToBeginWith(stores: readonly Business[]): Promise<Begin> {
  const own = stores.filter(({ business_id }) => !DEMO_BUSINESSES.some(({ id }) => id === business_id));
  const here = {
    value: 'here' as const,
    label: visible(`The stores that are here: ${named(stores)}`),
  };
  const demo = {
    value: 'demo' as const,
    label: 'Two demo stores',
    hint: 'real orders of 2010 and 2011, and a made-up outdoor shop; ready in about fifteen seconds',
  };
  const asked = await select<Begin>({
    message: 'Which store do you want answers about?',
    options: [
      ...(own.length > 0 ? [here] : [demo]),
      {
        value: 'own',
        label: own.length > 0 ? 'Another store of mine' : 'My own store',
        hint: 'you bring its exported files, or connect it, in the browser',
      },
    ],
    output: process.stderr,
  });
  return answered(asked);
}

function named(stores: readonly Business[]): string {
  const names = stores.slice(0, MOST_NAMES).map(({ name }) => name);
  const others = stores.length - names.length;
  return others > 0 ? `${names.join(', ')} and ${others} more` : names.join(', ');
}

/** @returns the e-mail of an account that may make stores in the browser */
async function askForAccount({ instance: { control } }: CommandContext): Promise<string> {
  const accounts = (await listAccounts(control)).filter(({ email }) => email !== DEMO_EMAIL);
  const [first, ...others] = accounts;
  const asked = await text({
    message: 'Your e-mail address, with which you sign in here. It is sent to nobody.',
    ...(first !== undefined && others.length === 0 && { initialValue: first.email }),
    validate: (given) =>
      /^[^\s@]+@[^\s@]+$/.test((given ?? '').trim()) ? undefined : 'This is not an e-mail address.',
    output: process.stderr,
  });
  const wanted = answered(asked).trim().toLowerCase();
  const account =
    accounts.find(({ email }) => email === wanted) ??
    (await createAccount(control, { email: wanted, password: null }));
  await allowNewBusinesses(control, account.account_id);
  return account.email;
}

/** Apps of this machine whose settings are to name the server. Choosing one is the yes to writing them. */
async function askForApps(machine: Machine): Promise<readonly ClientApp[]> {
  const found = CLIENT_APPS.filter((app) => isHere(app, machine));
  if (found.length === 0) return [];
  const asked = await multiselect({
    message: 'Into the settings of which apps shall I write Storesight? None is fine, too.',
    options: found.map((app) => ({ value: app, label: app.name, hint: app.file(machine) })),
    required: false,
    output: process.stderr,
  });
  return answered(asked);
}

function isHere(app: ClientApp, machine: Machine): boolean {
  const file = app.file(machine);
  return existsSync(file) || (dirname(file) !== machine.home && existsSync(dirname(file)));
}

async function tellConnected(app: ClientApp, machine: Machine, mcpUrl: string): Promise<void> {
  try {
    process.stderr.write(`${visibleLines(await connectApp(app, machine, mcpUrl))}\n`);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    // The server runs, and the other apps can be written.
    process.stderr.write(`${visibleLines(`${app.name}: ${error.message}\n${error.hint ?? ''}`)}\n`);
  }
}

async function leadToBrowser(
  context: CommandContext,
  machine: Machine,
  server: RunningServer,
  { begin, email }: { begin: Begin; email: string | null },
): Promise<void> {
  const link = email === null ? null : await firstPasswordLink(context, server, email);
  const page = link ?? pageOf(context.settings.AUTH_URL ?? server.baseUrl, begin);
  const isOpened = await openInBrowser(page, context.instance.data.browserPage, machine);
  const signIn = email === null ? '' : `\n\n${howToSignIn(email, link)}`;
  note(
    `MCP URL for any client: ${server.mcpUrl}
${isOpened ? 'Your browser opens' : 'Open in your browser'}: ${link === null ? page : 'the link below'}
Ctrl+C stops the server; \`${calledAs()}\` starts it again.`,
    'Storesight is running',
    { output: process.stderr },
  );
  process.stdout.write(`${signIn}\n\n`);
}

function pageOf(authUrl: string, begin: Begin): string {
  const paths = pagePaths(issuerPath(authUrl));
  return new URL(begin === 'own' ? paths.stores : paths.connect, authUrl).href;
}

function answered<Answer>(asked: Answer | typeof CANCEL_SYMBOL): Answer {
  if (isCancel(asked)) throw new InputError('nothing was started');
  return asked;
}
