import { text } from 'node:stream/consumers';
import { isCancel, password } from '@clack/prompts';
import { type Command, InvalidArgumentError } from 'commander';
import { findBusiness } from '../control/businesses/businesses.ts';
import { takeConnection } from '../control/connections/connection-leases.ts';
import {
  type Connection,
  findConnection,
  listConnections,
  makeDue,
  pauseConnection,
  type Secrets,
} from '../control/connections/connections.ts';
import { InputError } from '../errors.ts';
import { changeKey, connect, flag, INTERVAL_SECONDS, ON_COMMAND_LINE, type Tried } from '../live/connect.ts';
import { adviceOnCommandLine, STATES } from '../live/connection-states.ts';
import { disconnect } from '../live/disconnect.ts';
import { runLimits, runProcesses, tryApart, turnsApart } from '../live/jobs-apart.ts';
import { type RunResult, vendorOf } from '../live/run-connection.ts';
import { reportedRuns, total } from '../live/run-report.ts';
import type { ConnectionState } from '../live/schedule.ts';
import type { Check, Vendor } from '../live/vendor.ts';
import { VENDORS } from '../live/vendors/all-vendors.ts';
import { createLog } from '../server/log.ts';
import { plural } from '../text/plural.ts';
import { type CommandContext, command, withInstance } from './command.ts';
import { type SourceOptions, sourceSettings } from './source-options.ts';
import { stopSignal } from './stop-signals.ts';
import { table } from './text-table.ts';

interface AddOptions {
  readonly json?: true;
  readonly name?: string;
  readonly every?: number;
  readonly secretStdin?: true;
}

type KeyOptions = Pick<AddOptions, 'json' | 'secretStdin'>;

interface SyncOptions extends SourceOptions {
  readonly json?: true;
  readonly reconcile?: true;
  readonly mostGone?: number;
}

/** The commands of `source` that are about connections. */
export function addConnectionCommands(source: Command): void {
  addAdd(source);
  addKey(source);
  addSync(source);
  addPauseAndResume(source);
  addRemove(source);
  addRuns(source);
}

function addAdd(source: Command): void {
  const add = command(
    source,
    'add <business_id>',
    'Connect a business to where its data is: its key is tried at once',
  )
    .argument('<vendor>', VENDORS.map(({ name }) => name).join(', '))
    .option('--name <name>', 'what to call the connection (without: the name of the vendor)')
    .option(
      '--every <minutes>',
      'how often to look for what is new (without: 15, of a warehouse 60)',
      readMinutes,
    )
    .option('--secret-stdin', 'read the key from standard input instead of asking for it');
  for (const [name, description] of vendorSettings()) add.option(`${flag(name)} <value>`, description);
  add.action(
    withInstance<AddOptions>(async (context, options, id, vendorName) => {
      const business = await findBusiness(context.instance.control, String(id));
      const vendor = vendorOf(VENDORS, String(vendorName));
      const { json: _json, name, every, secretStdin, ...settings } = options;
      const secrets = await readSecrets(vendor, secretStdin === true);
      const { connection, check } = await connect(connectContext(context), business, {
        vendor,
        name,
        settings,
        secrets,
        intervalSeconds: every,
      });
      context.output.result(
        { connection: shown(connection), missing: check.missing },
        [
          `${business.name} is connected to ${vendor.title}: ${check.account}`,
          ...missingLines(check),
          `It is called ${connection.name}. \`serve\` and \`worker\` read it by themselves; \`source sync ${id} ${connection.name}\` reads it now.`,
        ].join('\n'),
      );
    }),
  );
}

function addKey(source: Command): void {
  const key = command(
    source,
    'key <business_id> <connection>',
    'Give a connection another key, or another address of the same account; what was read stays',
  ).option('--secret-stdin', 'read the key from standard input instead of asking for it');
  for (const [name, description] of vendorSettings()) key.option(`${flag(name)} <value>`, description);
  key.action(
    withInstance<KeyOptions>(async (context, { json: _json, secretStdin, ...settings }, id, name) => {
      const { control } = context.instance;
      const business = await findBusiness(control, String(id));
      const connection = await findConnection(control, business.business_id, String(name));
      const vendor = vendorOf(VENDORS, connection.vendor);
      // The key may stay where only the address changes.
      const isAsked = secretStdin === true || Object.keys(settings).length === 0;
      const secrets = isAsked ? await readSecrets(vendor, secretStdin === true) : {};
      const check = await changeKey(connectContext(context), connection, vendor, { secrets, settings });
      await makeDue(control, connection.connection_id);
      context.output.result(
        { connection: connection.name, missing: check.missing },
        [`The key works: ${check.account}`, ...untriedLines(check), ...missingLines(check)].join('\n'),
      );
    }),
  );
}

function addPauseAndResume(source: Command): void {
  for (const isPaused of [true, false]) {
    source
      .command(isPaused ? 'pause' : 'resume')
      .argument('<business_id>')
      .argument('<connection>')
      .description(
        isPaused
          ? 'Read a connection no more, until it is resumed'
          : 'Read a paused connection again, at once',
      )
      .option('--json', 'print one JSON document')
      .action(
        withInstance(async ({ instance, output }, _options, id, name) => {
          const { business_id } = await findBusiness(instance.control, String(id));
          const { connection_id } = await findConnection(instance.control, business_id, String(name));
          await pauseConnection(instance.control, connection_id, isPaused);
          output.result(
            { connection: name, is_paused: isPaused },
            isPaused ? `${name} is paused. What was read stays.` : `${name} is read again.`,
          );
        }),
      );
  }
}

function addRemove(source: Command): void {
  command(
    source,
    'remove <business_id> <connection>',
    'Remove a connection, its key and the rows it landed; what was imported stays',
  ).action(
    withInstance(async ({ instance, output }, _options, id, name) => {
      const { business_id } = await findBusiness(instance.control, String(id));
      const { connection_id } = await findConnection(instance.control, business_id, String(name));
      await disconnect(instance, { business_id, connection_id });
      output.result({ removed: name }, `Removed ${name}. What was imported stays.`);
    }),
  );
}

function addRuns(source: Command): void {
  command(
    source,
    'runs <business_id> <connection>',
    'Show the last runs of a connection, and what each brought',
  ).action(
    withInstance(async ({ instance, output }, _options, id, name) => {
      const { business_id } = await findBusiness(instance.control, String(id));
      const { connection_id } = await findConnection(instance.control, business_id, String(name));
      const runs = await reportedRuns(instance.control, connection_id);
      const rows = runs.map(({ started_at, ended_at, state, message, report }) => ({
        started: started_at,
        seconds: Math.round((Date.parse(ended_at) - Date.parse(started_at)) / 1000),
        state,
        rows: total(report.rows),
        gone: total(report.gone),
        snapshot: report.imports.at(-1)?.snapshot ?? null,
        message,
      }));
      output.result({ runs }, table(rows, 'It has not run yet.'));
    }),
  );
}

function addSync(source: Command): void {
  command(source, 'sync <business_id> <connection>', 'Read a connection now, until there is no more')
    .option('--timezone <name>', 'of times without an offset from UTC, for example Europe/Prague')
    .option('--dates <order>', 'of 3/4/2026: dmy (3 April) or mdy (4 March)')
    .option('--currency <code>', 'of rows that do not say it, for example EUR')
    .option(
      '--store-currency <code>',
      'where most orders are in another currency than the store and have no exchange rate: the currency that the store is to have, or keep to leave their money unknown',
    )
    .option(
      '--status <pair>',
      'what a status of the vendor is to us, for example "packed=paid"; may be given again',
      (pair: string, before: readonly string[] = []) => [...before, pair],
    )
    .option('--encoding <name>', 'of text files that are not UTF-8, for example windows-1250')
    .option('--schema <names>', 'of a DuckDB file at an address: as `import` takes it')
    .option(
      '--orders-from <owner>',
      'shop: have the orders of the shop from now on, instead of the purchases that Google Analytics saw',
    )
    .option(
      '--reconcile',
      'also compare all ids, and delete what the vendor deleted without a word (by itself: monthly)',
    )
    .option(
      '--most-gone <count>',
      'with --reconcile: how many rows of a kind may go though they are more than a tenth',
      readCount,
    )
    .action(
      withInstance<SyncOptions>(async (context, options, id, name) => {
        const { instance, output, settings } = context;
        const { business_id } = await findBusiness(instance.control, String(id));
        const { connection_id } = await findConnection(instance.control, business_id, String(name));
        const { reconcile, mostGone = null, ...settingOptions } = options;
        if (mostGone !== null && reconcile === undefined)
          throw new InputError('--most-gone goes with --reconcile');
        const results: RunResult[] = [];
        const signal = stopSignal();
        await using processes = runProcesses(process.env, 1);
        await output.progress(`Reading ${name}`, async (onStep) => {
          do {
            const held = await takeConnection(instance.control, connection_id);
            if (held === null) {
              await makeDue(instance.control, connection_id);
              throw new InputError(
                'a connection of this business is being read by a server or worker already; it reads this one next, and ' +
                  `\`source list ${id}\` shows when it has`,
              );
            }
            const turns = turnsApart(
              {
                ...instance,
                log: createLog(settings),
                signal,
                onStep,
                limits: runLimits(instance.importMemory, settings.RUN_MINUTES),
                allowsLoopback: settings.VENDORS_ON_LOOPBACK,
                settings: sourceSettings(settingOptions),
                // A run that goes on is in the middle of it.
                ...(reconcile && !results.some(({ hasCompared }) => hasCompared)
                  ? { reconciles: { mostGone } }
                  : {}),
              },
              processes,
            );
            const result = await turns.run(held);
            if (result === null)
              throw new InputError('the run was stopped; what was read stays, and it goes on from there');
            results.push(result);
          } while (results.at(-1)?.hasMore);
        });
        const last = results.at(-1) as RunResult;
        if (last.state !== 'ok') process.exitCode = 1;
        output.result(
          { state: last.state, message: last.message, runs: results.map(({ report }) => report) },
          told(results),
        );
      }),
    );
}

function told(results: readonly RunResult[]): string {
  const { state, message } = results.at(-1) as RunResult;
  const reports = results.map(({ report }) => report);
  const rows = reports.reduce((sum, report) => sum + total(report.rows), 0);
  const gone = reports.reduce((sum, report) => sum + total(report.gone), 0);
  const imports = reports.flatMap((report) => report.imports);
  const served = imports.findLast(({ snapshot }) => snapshot !== null)?.snapshot;
  const rejects = imports.flatMap(({ rejects_file }) => rejects_file ?? []);
  const { title } = STATES[state];
  const advice = adviceOnCommandLine(state);
  return [
    `${plural(rows, 'row', 'rows')} came, ${gone} went: ${title}${message === null ? '' : ` (${message})`}`,
    ...(advice === null ? [] : [`What to do: ${advice}`]),
    ...reports.flatMap(({ notes }) => notes),
    ...rejects.map((file) => `Rows left out are listed in ${file}`),
    served === undefined ? 'Nothing that is served has changed' : `Serving snapshot ${served}`,
  ].join('\n');
}

/** A connection for people and programs: without its key. */
function shown(connection: Connection) {
  const { name, vendor, account, settings, state, message, is_paused, interval_s } = connection;
  const { reached_at, loaded_until, due_at, connection_id } = connection;
  return {
    connection: name,
    vendor,
    account,
    state,
    message,
    is_paused,
    interval_s,
    reached_at,
    loaded_until,
    due_at,
    settings,
    connection_id,
  };
}

/** Describes connections for `source list`. */
export async function describeConnections(
  { instance }: Pick<CommandContext, 'instance'>,
  business_id: string,
): Promise<{ readonly connections: object[]; readonly lines: string }> {
  const connections = await listConnections(instance.control, business_id);
  const rows = connections.map(
    ({ name, vendor, account, state, is_paused, loaded_until, due_at, leased_until }) => ({
      connection: name,
      vendor,
      account,
      state: is_paused ? 'paused' : STATES[state as ConnectionState].title,
      loaded_until,
      next: leased_until !== null ? 'now' : is_paused ? null : due_at,
    }),
  );
  const notes = connections
    .filter(({ message }) => message !== null)
    .map(({ name, message, state }) => {
      const advice = adviceOnCommandLine(state as ConnectionState);
      return `${name}: ${message}${advice === null ? '' : `. What to do: ${advice}`}`;
    });
  return {
    connections: connections.map(shown),
    lines: [table(rows, 'No connections.'), ...notes].join('\n'),
  };
}

function connectContext({ instance, settings }: CommandContext) {
  return {
    ...instance,
    log: createLog(settings),
    signal: stopSignal(),
    allowsLoopback: settings.VENDORS_ON_LOOPBACK,
    naming: ON_COMMAND_LINE,
    tryKey: tryApart(process.env),
  };
}

/** The settings of all vendors: one flag for each name. */
function vendorSettings(): Map<string, string> {
  const settings = new Map<string, string>();
  for (const vendor of VENDORS)
    for (const [name, { description = '' }] of Object.entries(vendor.settings.shape))
      settings.set(name, `${vendor.name}: ${description}`);
  return settings;
}

/** It is never an argument: every user of the machine sees those of a process. */
async function readSecrets(vendor: Vendor, isFromStdin: boolean): Promise<Secrets> {
  const names = Object.keys(vendor.secrets);
  if (names.length === 0) return {};
  if (isFromStdin) return secretsOf(vendor, await text(process.stdin));
  if (!process.stdin.isTTY)
    throw new InputError(
      `${vendor.name} needs a key: say --secret-stdin and write it to standard input (${explain(vendor)})`,
    );
  const secrets: Record<string, string> = {};
  for (const [name, { description, isOptional = false }] of Object.entries(vendor.secrets)) {
    const answer = await password({ message: `${description}${isOptional ? ' (Enter for none)' : ''}` });
    if (isCancel(answer)) throw new InputError('nothing was connected');
    if (answer !== undefined && answer.trim() !== '') secrets[name] = answer.trim();
  }
  return secrets;
}

function secretsOf(vendor: Vendor, written: string): Secrets {
  const names = Object.keys(vendor.secrets);
  const lines = written
    .split(/\r\n|\r|\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const [only] = names;
  if (names.length === 1 && only !== undefined && lines.length === 1) {
    const [line = ''] = lines;
    return { [only]: line.startsWith(`${only}=`) ? line.slice(only.length + 1) : line };
  }
  const secrets: Record<string, string> = {};
  for (const line of lines) {
    const name = names.find((each) => line.startsWith(`${each}=`));
    if (name === undefined)
      throw new InputError(`standard input must have a line for each: ${explain(vendor)}`);
    secrets[name] = line.slice(name.length + 1);
  }
  return secrets;
}

function explain(vendor: Vendor): string {
  return Object.entries(vendor.secrets)
    .map(
      ([name, { description, isOptional }]) =>
        `${name}=… (${description}${isOptional ? ', may be left out' : ''})`,
    )
    .join(', ');
}

function untriedLines({ untried }: Tried): string[] {
  return untried.map((name) => `${name} could not be tried: the first webhook shows whether it is right`);
}

function missingLines({ missing }: Check): string[] {
  return missing.map(({ scope, costs }) => `Without ${scope}: ${costs}`);
}

function readMinutes(text: string): number {
  const minutes = Number(text);
  if (!/^\d+$/.test(text) || minutes < INTERVAL_SECONDS.least / 60)
    throw new InvalidArgumentError('it must be a whole number of minutes, at least 1.');
  return minutes * 60;
}

function readCount(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('it must be a whole number.');
  return Number(text);
}
