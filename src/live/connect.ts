import type { Business } from '../business/business.ts';
import type { Connection, Secrets } from '../control/connections.ts';
import { changeConnection, createConnection, listConnections, openSecrets } from '../control/connections.ts';
import type { ControlDatabase } from '../control/database.ts';
import { InputError } from '../errors.ts';
import { createAccess, type Log, withoutSecrets } from './access.ts';
import { type Check, type Vendor, VendorError } from './vendor.ts';

export const INTERVAL_SECONDS = { usual: 900, least: 60, most: 7 * 86_400 } as const;

interface ConnectContext {
  readonly control: ControlDatabase;
  readonly secret: Buffer;
  readonly log: Log;
  readonly signal: AbortSignal;
  readonly allowsLoopback?: boolean;
}

interface NewConnection {
  readonly vendor: Vendor;
  /** The name that people will use for the connection. By default the vendor's, unless another connection has it. */
  readonly name?: string | undefined;
  readonly settings: Readonly<Record<string, string | undefined>>;
  readonly secrets: Secrets;
  readonly intervalSeconds?: number | undefined;
}

export interface Connected {
  readonly connection: Connection;
  readonly check: Check;
}

/**
 * Tries the access, and connects the business with it.
 *
 * @throws InputError when something of it cannot be, or the vendor refuses: nothing was made then
 */
export async function connect(
  context: ConnectContext,
  business: Business,
  { vendor, name, settings: given, secrets, intervalSeconds = INTERVAL_SECONDS.usual }: NewConnection,
): Promise<Connected> {
  const settings = readSettings(vendor, given);
  refuseSecrets(vendor, secrets);
  refuseInterval(intervalSeconds);
  const known = await listConnections(context.control, business.business_id);
  const called = name ?? freeName(vendor, known);
  if (!/^[a-z\d][a-z\d-]{0,39}$/.test(called))
    throw new InputError(
      `--name ${called} does not fit: up to 40 small letters, digits and dashes, beginning with a letter or a digit`,
    );
  if (known.some((connection) => connection.name === called))
    throw new InputError(`the business has a connection called ${called} already; choose another --name`);
  const check = await tryAccess(context, vendor, { name: called, settings, secrets });
  const connection = await createConnection(context.control, context.secret, {
    ...{ business_id: business.business_id, name: called, vendor: vendor.name, settings, secrets },
    ...{ account: check.account, account_id: check.accountId ?? null, interval_s: intervalSeconds },
  });
  return { connection, check };
}

/** Secrets and settings, by their names: those that are another. */
export interface Change {
  readonly secrets: Secrets;
  readonly settings?: Readonly<Record<string, string | undefined>>;
}

/**
 * Another key for a connection, or another address of the same account, once it was tried. What was read stays, and so do
 * settings and optional secrets that are not given, such as that of the webhooks; with another address all secrets do.
 *
 * @throws InputError also where the key is of another account: its rows would be mixed with those that were read
 */
export async function changeKey(
  context: ConnectContext,
  connection: Connection,
  vendor: Vendor,
  { secrets: given, settings: said = {} }: Change,
): Promise<Check> {
  const changes = Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined));
  const settings = readSettings(vendor, { ...connection.settings, ...changes });
  const isOfKey = Object.keys(changes).length === 0;
  const secrets = {
    ...keptSecrets(context, connection, (name) => !isOfKey || vendor.secrets[name]?.isOptional === true),
    ...given,
  };
  refuseSecrets(vendor, secrets);
  const check = await tryAccess(context, vendor, { name: connection.name, settings, secrets });
  if (!isSameAccount(connection, vendor, settings, check))
    throw new InputError(
      `this key is of ${check.account}, and ${connection.name} reads ${connection.account}, so nothing was changed; \`source add\` connects another account`,
    );
  await changeConnection(context.control, context.secret, connection.connection_id, {
    ...{ secrets, settings, account: check.account },
    account_id: check.accountId ?? connection.account_id,
  });
  return check;
}

/** Accounts are renamed: their name tells them apart only where nothing else does. */
function isSameAccount(
  { settings: before, account, account_id }: Connection,
  { addressSetting, title }: Vendor,
  settings: Readonly<Record<string, string>>,
  check: Check,
): boolean {
  if (account_id !== null && check.accountId !== undefined) return check.accountId === account_id;
  if (addressSetting !== undefined && settings[addressSetting] === before[addressSetting]) return true;
  // Where a key may not read the name of the account, the name of the vendor stands for it.
  return account === null || [account, check.account].includes(title) || check.account === account;
}

/** Empty where they were sealed with another secret of the instance: nobody can open those, and a new key replaces them. */
function keptSecrets(
  { secret }: ConnectContext,
  connection: Connection,
  isKept: (name: string) => boolean,
): Secrets {
  try {
    const kept = Object.entries(openSecrets(secret, connection));
    return Object.fromEntries(kept.filter(([name]) => isKept(name)));
  } catch (error) {
    if (error instanceof InputError) return {};
    throw error;
  }
}

async function tryAccess(
  context: ConnectContext,
  vendor: Vendor,
  {
    name,
    settings,
    secrets,
  }: {
    readonly name: string;
    readonly settings: Readonly<Record<string, string>>;
    readonly secrets: Secrets;
  },
): Promise<Check> {
  try {
    return await vendor.check(createAccess({ name, vendor: vendor.name, settings }, secrets, context));
  } catch (error) {
    if (!(error instanceof VendorError)) throw error;
    throw new InputError(
      `${vendor.title} could not be read, so nothing was connected: ${withoutSecrets(error.message, secrets)}`,
    );
  }
}

/** The settings of a vendor, as its client gets them. @throws InputError */
function readSettings(
  vendor: Vendor,
  given: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const said = Object.entries(given).filter(([, value]) => value !== undefined);
  const unknown = said.find(([name]) => !(name in vendor.settings.shape));
  if (unknown !== undefined)
    throw new InputError(`${vendor.name} has no ${flag(unknown[0])}; it takes ${namesOf(vendor)}`);
  const read = vendor.settings.safeParse(Object.fromEntries(said));
  if (!read.success) {
    const [issue] = read.error.issues;
    const name = String(issue?.path[0] ?? '');
    const description = vendor.settings.shape[name]?.description ?? '';
    throw new InputError(`${vendor.name} needs ${flag(name)}: ${description} (${issue?.message})`);
  }
  return Object.fromEntries(
    Object.entries(read.data).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  );
}

function namesOf(vendor: Vendor): string {
  const names = Object.keys(vendor.settings.shape);
  return names.length === 0 ? 'none' : names.map(flag).join(', ');
}

/** The option of the command line for a setting: `--client-id` for `clientId`. */
export function flag(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

function refuseSecrets(vendor: Vendor, secrets: Secrets): void {
  const unknown = Object.keys(secrets).find((name) => !(name in vendor.secrets));
  if (unknown !== undefined)
    throw new InputError(
      `${vendor.name} has no secret ${unknown}; it takes ${Object.keys(vendor.secrets).join(', ')}`,
    );
  for (const [name, { description, isOptional = false }] of Object.entries(vendor.secrets)) {
    const text = secrets[name];
    if ((text === undefined || text === '') && !isOptional)
      throw new InputError(`${vendor.name} needs ${name}: ${description}`);
    if (text !== undefined && /\p{Cc}/u.test(text))
      throw new InputError(`${name} holds a character that no key has; paste it anew`);
  }
}

function refuseInterval(seconds: number): void {
  const { least, most } = INTERVAL_SECONDS;
  if (Number.isInteger(seconds) && seconds >= least && seconds <= most) return;
  throw new InputError(`the interval must be ${least / 60} minute to ${most / 86_400} days`);
}

function freeName(vendor: Vendor, known: readonly Connection[]): string {
  const taken = new Set(known.map(({ name }) => name));
  let name = vendor.name;
  for (let number = 2; taken.has(name); number += 1) name = `${vendor.name}-${number}`;
  return name;
}
