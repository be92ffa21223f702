import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { request } from 'node:https';
import { type AddressInfo, createServer as createSocket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/** The example of docs/scaling-out.md in the real program, before three servers of which one misbehaves. */
const run = promisify(execFile);
const hasHaproxy = await run('haproxy', ['-v']).then(
  () => true,
  () => false,
);
const NAMES = ['one', 'two', 'three'] as const;
type Name = (typeof NAMES)[number];

let folder: string;
let balancer: ChildProcess | undefined;
let port: number;
const servers = new Map<Name, Server>();
/** The requests that each server got, without questions after its health. */
const got: { server: Name; path: string }[] = [];
/** What one server does with requests: it breaks their connection, or says that it is ill. */
let breaking: Name | null = null;
let ill: Name | null = null;

beforeAll(async () => {
  if (!hasHaproxy) return;
  folder = mkdtempSync(join(tmpdir(), 'storesight-haproxy-'));
  for (const name of NAMES) servers.set(name, await startServer(name));
  port = await freePort();
  const [certificate, key] = ['certificate.pem', 'key.pem'].map((file) => join(folder, file));
  execFileSync(
    'openssl',
    [
      ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', '-subj', '/CN=127.0.0.1'],
      ...['-keyout', `${key}`, '-out', `${certificate}`],
    ],
    { stdio: 'ignore' },
  );
  // HAProxy wants both in one file.
  writeFileSync(join(folder, 'both.pem'), [certificate, key].map((file) => readFileSync(`${file}`)).join(''));
  writeFileSync(join(folder, 'haproxy.cfg'), exampleHere());
  balancer = spawn('haproxy', ['-f', join(folder, 'haproxy.cfg')], { stdio: 'ignore' });
});

afterAll(async () => {
  if (balancer !== undefined) {
    balancer.kill('SIGKILL');
    await once(balancer, 'exit');
  }
  for (const server of servers.values()) server.close().closeAllConnections();
  if (folder !== undefined) rmSync(folder, { recursive: true });
});

async function startServer(name: Name): Promise<Server> {
  const server = createServer((message, response) => {
    const { url = '' } = message;
    if (url === '/healthz') return void response.writeHead(ill === name ? 503 : 200).end();
    got.push({ server: name, path: url });
    if (breaking === name) return void message.socket.destroy();
    response.end(name);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

async function freePort(): Promise<number> {
  const socket = createSocket().listen(0, '127.0.0.1');
  await once(socket, 'listening');
  const { port: free } = socket.address() as AddressInfo;
  socket.close();
  await once(socket, 'close');
  return free;
}

/** The example with the addresses of this machine, and nothing else changed. */
function exampleHere(): string {
  return readFileSync('deploy/haproxy.cfg', 'utf8')
    .replace(':443 ssl crt /etc/haproxy/certificate.pem', `127.0.0.1:${port} ssl crt ${folder}/both.pem`)
    .replaceAll(/server (\w+) [\d.]+:\d+/g, (_, name: Name) => `server ${name} 127.0.0.1:${portOf(name)}`);
}

function portOf(name: Name): number | undefined {
  const address = servers.get(name)?.address();
  return typeof address === 'object' ? address?.port : undefined;
}

/** @returns the status of the answer */
function ask(method: 'GET' | 'POST', path: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const options = { method, path, port, host: '127.0.0.1', rejectUnauthorized: false, agent: false };
    request(options, (response) => response.resume().on('end', () => resolve(response.statusCode ?? 0)))
      .on('error', reject)
      .end(method === 'POST' ? '{}' : undefined);
  });
}

describe('the example for HAProxy', () => {
  it('is a configuration without faults, and passes requests on', async ({ skip }) => {
    if (!hasHaproxy) return skip('haproxy is not installed');
    await run('haproxy', ['-c', '-f', join(folder, 'haproxy.cfg')]);
    await expect.poll(() => ask('GET', '/mcp').catch(() => 0), { timeout: 20_000 }).toBe(200);
  });

  it('asks a call whose connection breaks of another server', async ({ skip }) => {
    if (!hasHaproxy) return skip('haproxy is not installed');
    breaking = 'two';
    got.length = 0;
    for (let call = 0; call < 12; call += 1) expect(await ask('POST', '/mcp')).toBe(200);
    expect(got.filter(({ server }) => server === 'two')).not.toEqual([]);
    breaking = null;
  });

  it('sends a form to one server alone, also where its connection breaks', async ({ skip }) => {
    if (!hasHaproxy) return skip('haproxy is not installed');
    breaking = 'two';
    got.length = 0;
    const statuses: number[] = [];
    for (let form = 0; form < 12; form += 1) statuses.push(await ask('POST', `/stores/new?form=${form}`));
    expect(new Set(statuses)).toEqual(new Set([200, 502]));
    const paths = got.map(({ path }) => path);
    expect(paths).toHaveLength(12);
    expect(new Set(paths).size).toBe(12);
    breaking = null;
  });

  it('asks nothing of a server that says twice that it is ill', async ({ skip }) => {
    if (!hasHaproxy) return skip('haproxy is not installed');
    ill = 'three';
    const askedOfThree = async () => {
      got.length = 0;
      for (let call = 0; call < 6; call += 1) await ask('POST', '/mcp');
      return got.filter(({ server }) => server === 'three').length;
    };
    await expect.poll(askedOfThree, { timeout: 20_000 }).toBe(0);
    ill = null;
    await expect.poll(askedOfThree, { timeout: 20_000 }).toBeGreaterThan(0);
  });
});
