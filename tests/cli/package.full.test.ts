import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readManifest } from '../../scripts/release/manifest.ts';
import { releaseTool } from '../../scripts/release/release-tool.ts';
import { CATALOGUE } from '../../src/catalogue.ts';
import { startV1 } from '../mcp/official-clients.ts';
import { packPackage } from './pack-package.ts';

/** The package as a registry would have it, unpacked beside the dependencies of the checkout. */
const run = promisify(execFile);
const REPOSITORY = resolve(import.meta.dirname, '../..');

let folder: string;
let tarball: string;
let unpacked: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'storesight-package-'));
  tarball = await packPackage(folder);
  await run('tar', ['-xzf', tarball, '-C', folder]);
  unpacked = join(folder, 'package');
  symlinkSync(join(REPOSITORY, 'node_modules'), join(unpacked, 'node_modules'));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function storesight(node: string, ...args: string[]) {
  return run(node, [join(unpacked, 'bin/storesight.js'), ...args], {
    env: { ...process.env, STORESIGHT_DATA: join(folder, 'data') },
  });
}

it('is a package without faults: publint and attw know of none', async () => {
  expect(await releaseTool('publint', [tarball])).toContain('All good!');
  // It is a program: nothing of it is imported, so it has no types either.
  expect(await releaseTool('attw', [tarball])).toContain('This package does not contain types.');
});

it('makes a store, imports a file and answers', async () => {
  const { stdout } = await storesight(
    ...[process.execPath, 'business', 'create', '--name', 'Packed shop', '--currency', 'CZK'],
    ...['--timezone', 'Europe/Prague', '--json'],
  );
  const { business_id } = JSON.parse(stdout);
  await storesight(
    ...[process.execPath, 'import', business_id, join(REPOSITORY, 'tests/fixtures/hand-made-shop')],
  );
  const range = { from_date: '2024-01-01', to_date: '2024-12-31' };
  const asked = await storesight(
    ...[process.execPath, 'call', 'order_statistics', JSON.stringify({ business_id, ...range })],
  );
  expect(JSON.parse(asked.stdout).orders_count).toBeGreaterThan(0);
});

it('speaks MCP over standard input and output, with all tools', async () => {
  const client = await startV1({
    command: process.execPath,
    args: [join(unpacked, 'bin/storesight.js'), 'stdio'],
    env: { STORESIGHT_DATA: join(folder, 'data') },
  });
  const tools = await client.listTools();
  await client.close();
  expect(tools.map(({ name }) => name).toSorted()).toEqual(CATALOGUE.map(({ name }) => name).toSorted());
});

describe('the desktop bundle', () => {
  let bundle: string;

  beforeAll(async () => {
    const file = join(folder, 'storesight.mcpb');
    await run('npm', ['run', '-s', 'bundle', '--', '--package', tarball, '-o', file], { cwd: REPOSITORY });
    bundle = join(folder, 'bundle');
    await releaseTool('mcpb', ['unpack', file, bundle]);
  }, 600_000);

  const manifestOf = () => JSON.parse(readFileSync(join(bundle, 'manifest.json'), 'utf8'));

  it('is of this version, and tells the tools that the server has', () => {
    const manifest = manifestOf();
    expect(manifest).toMatchObject({ manifest_version: '0.3', version: readManifest().version });
    expect(manifest.tools.map(({ name }: { name: string }) => name)).toEqual(
      CATALOGUE.map(({ name }) => name),
    );
  });

  it('starts as an app starts it, on the folder that the person chose, and lists all tools', async () => {
    const { command, args, env } = manifestOf().server.mcp_config;
    const values: Record<string, string> = {
      __dirname: bundle,
      'user_config.data_folder': join(folder, 'chosen folder'),
    };
    const filled = (text: string) =>
      text.replace(/\$\{([^}]+)\}/g, (_, name: string) => values[name] ?? `no value of ${name}`);
    const client = await startV1({
      // The app brings a Node of its own by this name.
      command: command === 'node' ? process.execPath : command,
      args: args.map(filled),
      env: Object.fromEntries(Object.entries<string>(env).map(([name, value]) => [name, filled(value)])),
    });
    const tools = await client.listTools();
    expect(tools.map(({ name }) => name).toSorted()).toEqual(CATALOGUE.map(({ name }) => name).toSorted());
    const { structuredContent } = await client.callTool('list_businesses', {});
    await client.close();
    expect(structuredContent).toEqual({ result: [] });
  });
});
