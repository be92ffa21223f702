import { text } from 'node:stream/consumers';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CATALOGUE } from '../../src/catalogue.ts';
import { officialV2 } from '../mcp/official-clients.ts';
import { CommandLine, NODE_ARGUMENTS } from './command-line.ts';

let cli: CommandLine;

beforeAll(async () => {
  cli = await CommandLine.open();
  const { business_id } = await cli.json(['business', 'create', '--name', 'Own shop']);
  await cli.json(['business', 'create', '--name', 'Foreign shop']);
  await cli.json(['account', 'create', '--email', 'ada@example.com']);
  const grant = ['account', 'grant', '--account', 'ada@example.com', '--all-permissions', '--business'];
  await cli.json([...grant, String(business_id)]);
});

afterAll(() => cli[Symbol.asyncDispose]());

describe.each([
  ['the newest revision', { pin: '2026-07-28' }],
  ['an older revision', 'legacy'],
] as const)('a desktop client of %s', (_name, mode) => {
  it.each([
    ['the operator', [], ['Foreign shop', 'Own shop']],
    ['an account', ['--account', 'ada@example.com'], ['Own shop']],
  ])('reads over stdio as %s', async (_caller, options, names) => {
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [...NODE_ARGUMENTS, 'stdio', ...options],
      env: cli.environment,
      stderr: 'pipe',
    });
    const errors: Error[] = [];
    const client = new Client({ name: 'desktop', version: '1' }, { versionNegotiation: { mode } });
    client.onerror = (error) => errors.push(error);
    await client.connect(transport);
    const official = officialV2(client);
    expect((await official.listTools()).map(({ name }) => name)).toEqual(CATALOGUE.map(({ name }) => name));
    const { structuredContent } = await official.callTool('list_businesses', {});
    expect(structuredContent?.result).toMatchObject(names.map((name) => ({ name })));
    await expect(official.callTool('drop_tables', {})).rejects.toMatchObject({ code: -32602 });
    await client.close();
    expect(errors).toEqual([]);
  });
});

it('ends when its client closes the input, with nothing but MCP on stdout', async () => {
  const child = cli.start(['stdio']);
  const ended = new Promise((resolve) => child.once('close', resolve));
  child.stdin.write('{"jsonrpc":"2.0","id":1,"method":"ping"}\nnot MCP\n');
  const printed = text(child.stdout);
  setTimeout(() => child.stdin.end(), 1500);
  expect(await ended).toBe(0);
  for (const line of (await printed).split('\n').filter(Boolean))
    expect(JSON.parse(line).jsonrpc).toBe('2.0');
});

it('an unknown account is told on stderr, before anything is served', async () => {
  const { status, stdout, stderr } = await cli.run(['stdio', '--account', 'eve@example.com']);
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  expect(stderr).toContain('there is no account eve@example.com');
});
