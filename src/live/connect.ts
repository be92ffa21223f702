import { isDeepStrictEqual } from 'node:util';
import type { Business } from '../business/business.ts';
import type { Connection, Secrets } from '../control/connections/connections.ts';
import {
  changeConnection,
  createConnection,
  listConnections,
  openSecrets,
  refuseTooMany,
} from '../control/connections/connections.ts';
import type { ControlDatabase } from '../control/database/control-database.ts';
import { InputError } from '../errors.ts';
import type { TryContext, TryKey } from './try-key.ts';
import { type Check, type Vendor, VendorError } from './vendor.ts';
import { withoutSecrets } from './vendor-access.ts';

/** How a person is told of a setting or a secret. */
export interface Naming {
  setting(vendor: Vendor, name: string): string;
  secret(vendor: Vendor, name: string): string;
}

/** `clientId` is `--client-id`; secrets have their names on lines of standard input. */
export const ON_COMMAND_LINE: Naming = {
  setting: (_vendor, name) => flag(name),
  secret: (_vendor, name) => name,
};

const LONGEST = { setting: 300, secret: 4000 } as const;

/** What cannot be seen, and dots that stand for a key that is hidden. */
const NO_KEY_HAS = /[\p{Cc}\p{Cf}…•●]/u;

export const INTERVAL_SECONDS = { usual: 900, least: 60, most: 7 * 86_400 } as const;

export function usualInterval(vendor: Vendor): number {
  return vendor.usualInterval ?? INTERVAL_SECONDS.usual;
}

export interface ConnectContext extends TryContext {
  readonly control: ControlDatabase;
  readonly secret: Buffer;
  /** How keys are tried: in a process of its own, because of what a stranger may answer. */
  readonly tryKey: TryKey;
  readonly naming: Naming;
}

interface NewConnection {
  readonly vendor: Vendor;
  /**
   * The name that people will use for the connection. By default the vendor's, unless another connection has
   * it.
   */
  readonly name?: string | undefined;
  readonly settings: Readonly<Record<string, string | undefined>>;
  readonly secrets: Secrets;
  readonly intervalSeconds?: number | undefined;
}

export interface Connected {
  readonly connection: Connection;
  readonly check: Tried;
}

/** The result of a try. */
export interface Tried extends Check {
  /** The secrets that were given and that no try can use: webhooks are signed with them. */
  readonly untried: readonly string[];
}

/**
 * Tries the access, and connects the business with it.
 *
 * @throws InputError when something of it cannot be, or the vendor refuses: nothing was made then
 */
export async function connect(
  context: ConnectContext,
  business: Business,
  { vendor, name, settings: given, secrets, intervalSeconds = usualInterval(vendor) }: NewConnection,
): Promise<Connected> {
  const settings = readSettings(vendor, given, context.naming);
  refuseSecrets(vendor, secrets, context.naming);
  refuseInterval(intervalSeconds);
  const known = await listConnections(context.control, business.business_id);
  const called = name ?? freeName(vendor, known);
  if (!/^[a-z\d][a-z\d-]{0,39}$/.test(called))
    throw new InputError(
      `the name ${called.slice(0, 100)} does not fit: up to 40 small letters, digits and dashes, beginning with a letter or a digit`,
    );
  if (known.some((connection) => connection.name === called))
    throw new InputError(`the business has a connection called ${called} already; choose another name`);
  refuseTooMany(known);
  refuseTwice(context, known, { vendor, settings, secrets });
  const check = await tryAccess(context, vendor, { name: called, settings, secrets, given: secrets });
  const connection = await createConnection(context.control, context.secret, {
    business_id: business.business_id,
    name: called,
    vendor: vendor.name,
    settings,
    secrets,
    account: check.account,
    account_id: check.accountId ?? null,
    interval_s: intervalSeconds,
  });
  return { connection, check };
}

/** Secrets and settings, by their names: those that are another. */
export interface Change {
  readonly secrets: Secrets;
  readonly settings?: Readonly<Record<string, string | undefined>>;
}

/**
 * Another key for a connection, or another address of the same account, once it was tried. What was read
 * stays, and so do settings and optional secrets that are not given, such as that of the webhooks; with
 * another address all secrets do.
 *
 * @throws InputError also where the key is of another account: its rows would be mixed with those that were
 *   read
 */
export async function changeKey(
  context: ConnectContext,
  connection: Connection,
  vendor: Vendor,
  { secrets: given, settings: said = {} }: Change,
): Promise<Tried> {
  const changes = Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined));
  if (Object.keys(given).length === 0 && Object.keys(changes).length === 0)
    throw new InputError('no key was given, so nothing was changed; fill in each key that has changed');
  const replaced = Object.keys(given).flatMap((name) => vendor.secrets[name]?.insteadOf ?? []);
  const staying = Object.entries(connection.settings).filter(([name]) => !replaced.includes(name));
  const settings = readSettings(vendor, { ...Object.fromEntries(staying), ...changes }, context.naming);
  const isOfKey = Object.keys(changes).length === 0;
  const secrets = {
    ...Object.fromEntries(
      Object.entries(keptSecrets(context, connection) ?? {}).filter(
        ([name]) => !isOfKey || vendor.secrets[name]?.isOptional === true,
      ),
    ),
    ...given,
  };
  refuseSecrets(vendor, secrets, context.naming);
  const check = await tryAccess(context, vendor, { name: connection.name, settings, secrets, given });
  const isSame = isSameAccount(connection, vendor, settings, check);
  if (!isSame && check.accountId === undefined && check.account === vendor.title)
    throw new InputError(
      `this key may not read whose account it is, and ${connection.name} reads ${connection.account}, so nothing was changed; make a key that may read the account, too`,
    );
  if (!isSame)
    throw new InputError(
      `this key is of ${check.account}, and ${connection.name} reads ${connection.account}, so nothing was changed; connect another account beside it`,
    );
  await changeConnection(context.control, context.secret, connection.connection_id, {
    secrets,
    settings,
    account: check.account,
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
  // Where no key could read the name of the account yet, the name of the vendor stands for it.
  const isKnown = account_id !== null || (account !== null && account !== title);
  return !isKnown || check.account === account;
}

/**
 * Null where they were sealed with another secret of the instance: nobody can open those, and a new key
 * replaces them.
 */
function keptSecrets({ secret }: ConnectContext, connection: Connection): Secrets | null {
  try {
    return openSecrets(secret, connection);
  } catch (error) {
    if (error instanceof InputError) return null;
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
    given,
  }: {
    readonly name: string;
    readonly settings: Readonly<Record<string, string>>;
    readonly secrets: Secrets;
    /** The secrets that must be tried. */
    readonly given: Secrets;
  },
): Promise<Tried> {
  const refused = (why: string) =>
    new InputError(
      `${vendor.title} could not be read, so nothing was changed: ${withoutSecrets(why, secrets)}`,
    );
  const { check, used } = await context
    .tryKey(vendor, { name, settings, secrets }, context)
    .catch((error: unknown) => {
      throw error instanceof VendorError ? refused(error.message) : error;
    });
  const untried = Object.keys(given).filter((each) => !used.includes(each));
  const unused = untried.find((each) => each !== vendor.webhook?.secret);
  if (unused !== undefined)
    throw refused(
      `${context.naming.secret(vendor, unused)} was not needed beside the rest; give one kind of key alone`,
    );
  return { ...check, untried };
}

/** The settings of a vendor, as its client gets them. @throws InputError */
function readSettings(
  vendor: Vendor,
  given: Readonly<Record<string, string | undefined>>,
  naming: Naming,
): Record<string, string> {
  const said = Object.entries(given).filter(([, value]) => value !== undefined);
  const called = (name: string) => naming.setting(vendor, name);
  for (const [name, value = ''] of said) {
    if (!(name in vendor.settings.shape))
      throw new InputError(
        `${vendor.title} has no ${called(name)}; it takes ${Object.keys(vendor.settings.shape).map(called).join(', ') || 'none'}`,
      );
    if (value.length > LONGEST.setting)
      throw new InputError(`${called(name)} may have at most ${LONGEST.setting} characters`);
  }
  const read = vendor.settings.safeParse(Object.fromEntries(said));
  if (!read.success) {
    const [issue] = read.error.issues;
    const name = String(issue?.path[0] ?? '');
    const description = vendor.settings.shape[name]?.description ?? '';
    const why = given[name] === undefined ? '' : ` (what was given ${issue?.message})`;
    throw new InputError(`${vendor.title} needs ${called(name)}: ${description}${why}`);
  }
  return Object.fromEntries(
    Object.entries(read.data).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  );
}

/** The option of the command line for a setting: `--client-id` for `clientId`. */
export function flag(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/**
 * Refuses what a form that is sent twice would do: the same account read twice costs the vendor and the
 * worker.
 */
function refuseTwice(
  context: ConnectContext,
  known: readonly Connection[],
  {
    vendor,
    settings,
    secrets,
  }: { readonly vendor: Vendor; readonly settings: object; readonly secrets: Secrets },
): void {
  const twin = known.find(
    (connection) =>
      connection.vendor === vendor.name &&
      isDeepStrictEqual(connection.settings, settings) &&
      isDeepStrictEqual(keptSecrets(context, connection), secrets),
  );
  if (twin !== undefined)
    throw new InputError(
      `the business is connected with this very key already: the connection is called ${twin.name}`,
    );
}

function refuseSecrets(vendor: Vendor, secrets: Secrets, naming: Naming): void {
  const called = (name: string) => naming.secret(vendor, name);
  const unknown = Object.keys(secrets).find((name) => !(name in vendor.secrets));
  if (unknown !== undefined)
    throw new InputError(
      `${vendor.name} has no secret ${unknown}; it takes ${Object.keys(vendor.secrets).join(', ')}`,
    );
  for (const [name, { description, isOptional = false }] of Object.entries(vendor.secrets)) {
    const text = secrets[name];
    if ((text === undefined || text === '') && !isOptional)
      throw new InputError(`${vendor.title} needs ${called(name)}: ${description}`);
    if (text !== undefined && text.length > LONGEST.secret)
      throw new InputError(`${called(name)} may have at most ${LONGEST.secret} characters`);
    if (text !== undefined && NO_KEY_HAS.test(text))
      throw new InputError(`${called(name)} holds a character that no key has; paste it again`);
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
