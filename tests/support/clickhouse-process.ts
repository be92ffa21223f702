/**
 * A process of its own: ClickHouse, embedded as chDB, behind as much of its HTTP interface as the official
 * client uses: statements in the body or the URL, typed parameters, settings, data of inserts, errors with
 * their code. It ends with its input.
 */
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { Session } from 'chdb';

/**
 * What is a parameter of HTTP itself, or would stick to the one connection that chDB has; all others are
 * settings, or `param_<name>`.
 */
const NO_SETTING = ['query', 'database', 'query_id', 'session_id', 'role', 'default_format', 'readonly'];

/**
 * chDB has room for 4 jobs in the background, a server for 32. A removal is a job for each part of a table;
 * when there is no room it waits a second before it tries again.
 */
const AS_MANY_JOBS_AS_A_SERVER = ['--background_pool_size=16'];

const folder = await mkdtemp(join(tmpdir(), 'storesight-clickhouse-'));
const session = new Session(join(folder, 'data'), { connectionArgs: AS_MANY_JOBS_AS_A_SERVER });
/** What is set on the connection now. */
const settings = new Map<string, string>();
// One after the other: parameters and settings belong to the one connection that there is.
let last: Promise<unknown> = Promise.resolve();
const server = createServer((request, response) => {
  last = last.then(() => answer(request, response));
}).listen(0, '127.0.0.1');
await once(server, 'listening');
process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
await once(process.stdin.resume(), 'end');
session.cleanup();
await rm(folder, { recursive: true, force: true });
process.exit();

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
  if (pathname === '/ping') return void response.end('Ok.\n');
  try {
    const statement = searchParams.get('query');
    const body = request.headers['content-encoding'] === 'gzip' ? request.pipe(createGunzip()) : request;
    const result =
      statement === null
        ? await ask(body, request.headers['content-type'] ?? '', searchParams)
        : await insert(statement, body, searchParams);
    response.setHeader('X-ClickHouse-Summary', '{}');
    response.end(result);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    response.statusCode = 500;
    response.setHeader('X-ClickHouse-Exception-Code', /Code: (\d+)/.exec(message)?.[1] ?? '0');
    response.end(message);
  }
}

/** The statement is the body, or with long parameters a part of it. */
async function ask(body: Readable, type: string, parameters: URLSearchParams): Promise<Uint8Array> {
  if (!type.startsWith('multipart/')) return run(await text(body), parameters);
  const parts = new Response(await buffer(body), { headers: { 'Content-Type': type } });
  const all = new URLSearchParams(parameters);
  let statement = '';
  for (const [name, value] of await parts.formData()) {
    if (name === 'query') statement = String(value);
    else all.append(name, String(value));
  }
  return run(statement, all);
}

async function run(statement: string, parameters: URLSearchParams): Promise<Uint8Array> {
  const wanted = new Map([...parameters].filter(([name]) => !NO_SETTING.includes(name)));
  // A parameter that a statement does not name does nothing.
  const unwanted = [...settings.keys()].filter((name) => !wanted.has(name) && !name.startsWith('param_'));
  const changed = [...wanted].filter(([name, value]) => settings.get(name) !== value);
  const changes = [
    ...changed.map(([name, value]) => `${name} = ${settingOf(name, value)}`),
    ...unwanted.map((name) => `${name} = default`),
  ];
  if (changes.length > 0) await session.queryAsync(`set ${changes.join(', ')}`);
  for (const [name, value] of changed) settings.set(name, value);
  for (const name of unwanted) settings.delete(name);
  return (await session.queryAsync(statement)).bytes();
}

function settingOf(name: string, value: string): string {
  const isNumber = /^-?\d+(\.\d+)?$/.test(value) && !name.startsWith('param_');
  return isNumber ? value : `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

/** The data of an insert go over a file: chDB takes none beside the statement. */
async function insert(statement: string, data: Readable, parameters: URLSearchParams): Promise<Uint8Array> {
  const match = /^\s*insert\s+into\s+(\S+)(\s*\([^)]*\))?\s+format\s+(\w+)\s*$/i.exec(statement);
  if (match === null) return run(statement, parameters);
  const [, table, columns = '', format] = match;
  const file = join(folder, `${crypto.randomUUID()}.data`);
  try {
    await pipeline(data, createWriteStream(file));
    const others = new URLSearchParams(parameters);
    others.delete('query');
    return await run(`insert into ${table} ${columns} select * from file('${file}', ${format})`, others);
  } finally {
    await rm(file, { force: true });
  }
}
