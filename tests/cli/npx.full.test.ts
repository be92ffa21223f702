import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CATALOGUE } from '../../src/catalogue.ts';
import { VERSION } from '../../src/version.ts';
import { type Installed, install } from '../clients/install.ts';
import { connectV1, startV1 } from '../mcp/official-clients.ts';
import { App } from '../oauth/app.ts';
import { runs } from '../support/runs.ts';
import { CookieBrowser } from '../web/cookie-browser.ts';
import { packPackage } from './pack-package.ts';
import { HAS_SCRIPT, KEYS, Terminal } from './terminal.ts';

/**
 * What somebody meets who has no checkout: the packed package, npx, an empty home folder, and the Node that
 * they have.
 */
const SHOP = resolve(import.meta.dirname, '../fixtures/hand-made-shop');
const NAMES = CATALOGUE.map(({ name }) => name).toSorted();
// CI tries the oldest of them.
const OLDER = runs(1) === 1 ? ['20'] : ['20', '22'];
const PACKAGE_OF_NODE = `node-${process.platform}-${process.arch}`;
/** So long takes the first start, which installs everything. */
const LONGEST_MS = 300_000;
const PASSWORD = 'a long enough pass phrase 7';

const run = promisify(execFile);
let folder: string;
let tarball: string;
const installed = new Map<string, Installed | string>();

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'storesight-npx-'));
  for (const made of ['home', 'here']) mkdirSync(join(folder, made));
  tarball = await packPackage(folder);
  for (const version of OLDER) installed.set(version, await install({ name: PACKAGE_OF_NODE, version }));
}, 900_000);

afterAll(async () => {
  for (const each of installed.values()) if (typeof each !== 'string') await each[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

/** The folder of a Node of this version, or the reason why there is none. */
function nodeFolder(version: string): { path: string } | string {
  const found = installed.get(version);
  // What cannot be had of the registry here, npx cannot have either.
  const absent = [...installed.values()].find((each) => typeof each === 'string');
  if (typeof found === 'string' || absent !== undefined) return `${absent}`;
  if (found === undefined) return { path: dirname(process.execPath) };
  return { path: join(found.folder, 'node_modules', PACKAGE_OF_NODE, 'bin') };
}

/**
 * The part of our environment that somebody else has too: how the network is reached. What npm scripts and
 * vitest put there is left out.
 */
function environment(): Record<string, string> {
  const ours = /^(npm_|NODE_(OPTIONS|ENV|COMPILE_CACHE|PATH)|STORESIGHT_|VITEST|INIT_CWD|HOME$)/i;
  const others = Object.entries(process.env).filter(([name, value]) => value && !ours.test(name));
  return Object.fromEntries(others) as Record<string, string>;
}

/** `npx storesight …` of somebody whose `node` is the one in this folder. */
function npx(node: { path: string }, ...args: string[]): Started {
  const theirs = environment();
  const path = (theirs.PATH ?? '').split(delimiter).filter((each) => !each.includes('node_modules'));
  return {
    command: 'npx',
    args: ['--yes', `--package=${tarball}`, '--', 'storesight', ...args],
    env: {
      ...theirs,
      PATH: [node.path, ...path].join(delimiter),
      HOME: join(folder, 'home'),
      STORESIGHT_DATA: join(folder, 'data'),
      STORESIGHT_PORT: '0',
    },
  };
}

interface Started {
  readonly command: string;
  readonly args: string[];
  readonly env: Record<string, string>;
}

async function storesight(node: { path: string }, ...words: string[]): Promise<string> {
  const { command, args, env } = npx(node, ...words);
  const { stdout } = await run(command, args, { cwd: join(folder, 'here'), env, timeout: LONGEST_MS });
  return stdout;
}

// The first one installs the package and what it needs.
describe.each([...OLDER, '24'])('npx on Node %s', (version) => {
  it('says its version, makes a store, imports a file and answers', { timeout: 600_000 }, async ({
    skip,
  }) => {
    const node = nodeFolder(version);
    if (typeof node === 'string') return skip(node);
    expect((await run(join(node.path, 'node'), ['--version'])).stdout).toMatch(`v${version}.`);
    expect(await storesight(node, '--version')).toBe(`${VERSION}\n`);
    const made = await storesight(
      ...[node, 'business', 'create', '--name', `Shop of ${version}`, '--currency', 'CZK', '--json'],
    );
    const { business_id } = JSON.parse(made);
    await storesight(node, 'import', business_id, SHOP);
    const asked = { business_id, from_date: '2024-01-01', to_date: '2024-12-31' };
    const answer = JSON.parse(await storesight(node, 'call', 'order_statistics', JSON.stringify(asked)));
    expect(answer.orders_count).toBeGreaterThan(0);
  });

  it('passes on how the program ended, and nothing else to the output', { timeout: 120_000 }, async ({
    skip,
  }) => {
    const node = nodeFolder(version);
    if (typeof node === 'string') return skip(node);
    await expect(storesight(node, 'call', 'no_such_tool', '{}')).rejects.toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('no_such_tool'),
    });
  });

  it('lists all tools over standard input and output, and ends with its client', {
    timeout: 120_000,
  }, async ({ skip }) => {
    const node = nodeFolder(version);
    if (typeof node === 'string') return skip(node);
    const client = await startV1(npx(node, 'stdio'));
    const tools = await client.listTools();
    await client.close();
    expect(tools.map(({ name }) => name).toSorted()).toEqual(NAMES);
    expect(tools).toHaveLength(55);
  });
});

it.skipIf(!HAS_SCRIPT)(
  'asks a person two questions on Node 20, serves the demo stores, writes an app, and lets a client sign in',
  { timeout: 600_000 },
  async ({ skip }) => {
    const node = nodeFolder('20');
    if (typeof node === 'string') return skip(node);
    mkdirSync(join(folder, 'home', '.cursor'));
    const { command, args, env } = npx(node);
    await using terminal = new Terminal([command, ...args], {
      cwd: join(folder, 'here'),
      env: { ...env, STORESIGHT_DATA: join(folder, 'demo-data') },
    });
    await terminal.shows('Storesight runs on Node.js 24, which npm brings now', 300_000);
    await terminal.shows('Two demo stores', 120_000);
    terminal.press(KEYS.enter);
    await terminal.shows('Cursor');
    terminal.press(KEYS.space, KEYS.enter);
    await terminal.shows('Storesight is running', 300_000);
    const shown = await terminal.shows('First choose its password');
    const [mcpUrl = ''] = /http:\/\/127\.0\.0\.1:\d+\/mcp/.exec(shown) ?? [];
    const settings = readFileSync(join(folder, 'home', '.cursor', 'mcp.json'), 'utf8');
    expect(JSON.parse(settings)).toEqual({ mcpServers: { storesight: { url: mcpUrl } } });

    await terminal.shows('\n');
    const [, link = ''] = /(http:\/\/127\.0\.0\.1:\d+\/\S*password\S*)/.exec(await terminal.shows('')) ?? [];
    const client = await connectV1(mcpUrl, await signIn(new URL(mcpUrl).origin, link));
    expect((await client.listTools()).map(({ name }) => name).toSorted()).toEqual(NAMES);
    const { structuredContent } = await client.callTool('list_businesses', {});
    expect(structuredContent?.result).toHaveLength(2);
    await client.close();

    terminal.press(KEYS.stop);
    // Shells, and npm between them, may tell that it was Ctrl+C: 128 and the number of the signal.
    expect([0, 130]).toContain(await terminal.ended());
    await expect(fetch(new URL('/healthz', mcpUrl))).rejects.toThrow();
  },
);

/** A person follows the link, chooses a password and allows an app all stores. Gives the app's token. */
async function signIn(issuer: string, link: string): Promise<string> {
  const browser = new CookieBrowser();
  const form = await browser.get(link);
  await browser.submit(form, { new_password: PASSWORD, repeated_password: PASSWORD });
  const app = await App.register(issuer);
  const authorization = app.authorize();
  const consent = await browser.follow(await browser.get(authorization.url));
  const allowed = await browser.submit(consent, { decision: 'allow', businesses: 'all' });
  const { location } = await browser.follow(allowed, (url) => url.origin !== issuer);
  if (location === null) throw new Error(`the browser stayed at ${allowed.url}: ${allowed.text}`);
  const { access_token = '' } = await app.redeem(location, authorization);
  return access_token;
}

it('an older Node without npm is told what to do', async ({ skip }) => {
  const node = nodeFolder('20');
  if (typeof node === 'string') return skip(node);
  await run('tar', ['-xzf', tarball, '-C', folder]);
  const program = join(folder, 'package/bin/storesight.js');
  const env = { PATH: node.path };
  await expect(run(join(node.path, 'node'), [program, 'stdio'], { env })).rejects.toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(
      /^Storesight needs Node.js 24 or later, and this is 20\.[\s\S]*\n {2}npx --yes --package=node@24 --package=storesight -- storesight stdio\n$/,
    ),
  });
});
