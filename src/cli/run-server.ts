import { findAccount } from '../control/people/accounts.ts';
import { hasPassword } from '../control/people/credentials.ts';
import { prepareDemo } from '../demo/prepare-demo.ts';
import type { RunningServer } from '../server/listen.ts';
import { createLog } from '../server/log.ts';
import { serve } from '../server/serve.ts';
import { invite } from './account-commands.ts';
import { calledAs } from './called-as.ts';
import type { CommandContext } from './command.ts';
import { stopSignal, untilStopped } from './stop-signals.ts';
import { startSyncWorker } from './sync-worker.ts';
import { untilUncaught } from './uncaught-errors.ts';

export interface ServeOptions {
  readonly json?: true;
  readonly port?: number;
  readonly host?: string;
  readonly demo?: true;
  readonly behindProxy?: true;
  readonly sync?: boolean;
}

/**
 * Serves until the process is asked to end.
 *
 * @param onServing what is done as soon as clients are answered; `demoAccount` is the e-mail of the account
 *   that `--demo` makes
 */
export async function runServer(
  context: CommandContext,
  options: ServeOptions,
  onServing: (server: RunningServer, demoAccount: string | null) => Promise<void>,
): Promise<void> {
  const settings = {
    ...context.settings,
    PORT: options.port ?? context.settings.PORT,
    HOST: options.host ?? context.settings.HOST,
  };
  const log = createLog(settings);
  const uncaught = untilUncaught(log);
  const stop = stopSignal();
  const preparing = { ...context.instance, signal: stop };
  const demoAccount = options.demo ? await prepareDemo(preparing, context.output) : null;
  const server = await serve(context.instance, {
    settings,
    log,
    isBehindProxy: options.behindProxy === true,
  });
  // Where several servers share a control database, the operator chooses which of them does the work.
  const isSyncing = options.sync ?? settings.CONTROL_URL === undefined;
  const stopSyncing = isSyncing ? startSyncWorker(context.instance.control, log) : null;
  await onServing(server, demoAccount);
  await Promise.race([untilStopped(stop), uncaught]);
  await Promise.all([server.stop(), stopSyncing?.()]);
}

/** The link with which an account's password is set once; null where it has one. */
export async function firstPasswordLink(
  { instance, settings }: CommandContext,
  { baseUrl }: RunningServer,
  email: string,
): Promise<string | null> {
  const { account_id } = await findAccount(instance.control, email);
  if (await hasPassword(instance.control, account_id)) return null;
  return (await invite(instance, settings.AUTH_URL ?? baseUrl, account_id)).password_link;
}

export function howToSignIn(email: string, link: string | null): string {
  if (link === null)
    return `Your account is ${email}. Forgot its password? ${calledAs()} account invite --account ${email}`;
  return `Your account is ${email}. First choose its password:\n\n${link}`;
}
