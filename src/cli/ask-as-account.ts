import type { Arguments, ToolEnvironment } from '../asking/run-tool.ts';
import { findAccount } from '../control/people/accounts.ts';
import { accountCaller, type Caller, operatorCaller } from '../control/people/callers.ts';
import { InputError } from '../errors.ts';
import type { Instance } from '../server/instance.ts';
import { openWarehouse } from '../server/open-warehouse.ts';
import { toolEnvironment } from '../server/tool-environment.ts';
import type { CommandContext } from './command.ts';
import { stopSignal } from './stop-signals.ts';

/** The options that all commands which ask a tool have. */
export interface CallerOptions {
  readonly json?: true;
  readonly account?: string;
}

export const ACCOUNT_OPTION = [
  '--account <account>',
  'as this account (without: everything in the data folder)',
] as const;

export function readArguments(json: string): Arguments {
  try {
    const args: unknown = JSON.parse(json);
    if (typeof args === 'object' && args !== null && !Array.isArray(args)) return args as Arguments;
  } catch {}
  throw new InputError(`the arguments must be a JSON object, for example '{"business_id": "…"}'`);
}

export async function chooseCaller({ control }: Instance, options: CallerOptions): Promise<Caller> {
  if (options.account === undefined) return operatorCaller(control);
  return accountCaller(control, (await findAccount(control, options.account)).account_id);
}

export interface Asking {
  readonly environment: ToolEnvironment;
  readonly caller: Caller;
  readonly stop: AbortSignal;
}

/** Asks tools as the account that the options name. */
export async function askAs(
  { instance, settings }: Pick<CommandContext, 'instance' | 'settings'>,
  options: CallerOptions,
  ask: (asking: Asking) => Promise<void>,
): Promise<void> {
  const stop = stopSignal();
  const caller = await chooseCaller(instance, options);
  const warehouse = await openWarehouse(instance, settings);
  try {
    await ask({ environment: toolEnvironment(instance, warehouse, { stop }), caller, stop });
  } finally {
    await warehouse.close();
  }
}
