import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { CATALOGUE, toolsOfExtensions } from '../../src/catalogue.ts';
import { PROMPTS } from '../../src/prompts/all-prompts.ts';
import { RESOURCES } from '../../src/resources/all-resources.ts';
import { type Command, startV1, startV2 } from '../mcp/official-clients.ts';
import { isQuick } from '../support/runs.ts';
import { CommandLine, NODE_ARGUMENTS } from './command-line.ts';

let cli: CommandLine;

beforeAll(async () => {
  cli = await CommandLine.openShared();
  const { business_id } = await cli.json(['business', 'create', '--name', 'Own shop']);
  await cli.json(['business', 'create', '--name', 'Foreign shop']);
  await cli.json(['account', 'create', '--email', 'ada@example.com']);
  const grant = ['account', 'grant', '--account', 'ada@example.com', '--all-permissions', '--business'];
  await cli.json([...grant, String(business_id)]);
});

afterAll(() => cli[Symbol.asyncDispose]());

function command(options: readonly string[]) {
  const args = [...NODE_ARGUMENTS, 'stdio', ...options];
  return { command: process.execPath, args, env: cli.environment };
}

const AS_ACCOUNT = ['--account', 'ada@example.com'];

function idOf(answer: unknown): number {
  return (answer as { id: number | null }).id ?? 0;
}

const CLIENTS = [
  ['v1', AS_ACCOUNT, '2025-11-25', startV1],
  ['v2 of an older revision', AS_ACCOUNT, '2025-11-25', (own: Command) => startV2(own, 'legacy')],
  [
    'v2 of the newest revision',
    AS_ACCOUNT,
    '2026-07-28',
    (own: Command) => startV2(own, { pin: '2026-07-28' }),
  ],
  ['v2 that finds the revision', [], '2026-07-28', (own: Command) => startV2(own, 'auto')],
] as const;

// The newest; the full tests have the older ones, whose revisions `tests/mcp` asks over HTTP.
it.each(isQuick ? CLIENTS.slice(3) : CLIENTS)(
  'official client %s reads what its caller may',
  async (_name, options, revision, start) => {
    const client = await start(command(options));
    expect(client.revision()).toBe(revision);
    expect(client.instructions()).toContain('list_businesses');
    expect((await client.listTools()).map(({ name }) => name)).toEqual(CATALOGUE.map(({ name }) => name));
    const { structuredContent } = await client.callTool('list_businesses', {});
    const names = options === AS_ACCOUNT ? ['Own shop'] : ['Foreign shop', 'Own shop'];
    expect(structuredContent?.result).toMatchObject(names.map((name) => ({ name })));
    await expect(client.callTool('drop_tables', {})).rejects.toMatchObject({ code: -32602 });
    const ids = ((structuredContent?.result ?? []) as { business_id: string }[]).map(
      ({ business_id }) => business_id,
    );
    expect((await client.listResources()).map(({ uri }) => uri)).toEqual(RESOURCES.map(({ uri }) => uri));
    for (const { uri, text } of RESOURCES) {
      // Behind the text that is the same for all, the one about conditions tells what exists in the
      // businesses of the caller.
      const read = (await client.readResource(uri)) as { text: string };
      expect(read.text.slice(0, text.length)).toBe(text);
      const told = uri === 'segmentation://conditions' ? names : [];
      const existing = [...read.text.slice(text.length).matchAll(/^## What exists in "(.*)"$/gm)];
      expect(existing.map(([, name]) => name)).toEqual(told);
    }
    expect((await client.listPrompts()).map(({ name }) => name)).toEqual(PROMPTS.map(({ name }) => name));
    for (const { name } of PROMPTS) {
      const range = { from_date: '2024-01-01', to_date: '2024-01-31' };
      const text = await client.getPrompt(
        name,
        name === 'segmentation_review' ? { segment_id: 'S1' } : range,
      );
      expect(text).toContain('Call `list_businesses`');
      expect(await client.complete(name, 'business_id', '')).toEqual(ids);
    }
    await client.close();
    expect(client.errors).toEqual([]);
  },
);

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

it('a line that cannot be taken is answered by an error, and the next one is read', async () => {
  const child = cli.start(['stdio']);
  const ended = new Promise((resolve) => child.once('close', resolve));
  const ping = (id: number, more: object = {}) =>
    JSON.stringify({ jsonrpc: '2.0', id, method: 'ping', ...more });
  const answers: unknown[] = [];
  child.stdin.on('error', () => {});
  createInterface(child.stdout).on('line', (line) => {
    answers.push(JSON.parse(line));
    if (answers.length === 5) child.stdin.end();
  });
  child.stdin.write(`${ping(1)}\nnot JSON\n{"jsonrpc":"2.0","id":2,"method":7}\n`);
  child.stdin.write(`${ping(3, { params: { padding: 'x'.repeat(11 * 2 ** 20) } })}\n${ping(4)}\n`);
  expect(await ended).toBe(0);
  expect(answers.toSorted((one, other) => idOf(one) - idOf(other))).toMatchObject([
    { id: null, error: { code: -32700, message: expect.stringContaining('not valid JSON') } },
    { id: 1, result: {} },
    { id: 2, error: { code: -32600 } },
    {
      id: 3,
      error: {
        code: -32600,
        message:
          'the message is larger than 1048576 bytes; ask for less at once, or set STORESIGHT_MAX_REQUEST_BYTES where this server is started',
      },
    },
    { id: 4, result: {} },
  ]);
});

it('a client that closes the output of the server ends it, which says why', async () => {
  const child = cli.start(['stdio']);
  const ended = new Promise((resolve) => child.once('close', resolve));
  const logged = text(child.stderr);
  child.stdout.destroy();
  child.stdin.write('{"jsonrpc":"2.0","id":1,"method":"ping"}\n');
  expect(await ended).toBe(1);
  expect(await logged).toContain('storesight: the connection to the client broke: write EPIPE');
});

it('answers each message of a batch, and parameters of null', async () => {
  const child = cli.start(['stdio']);
  const ended = new Promise((resolve) => child.once('close', resolve));
  const request = (id: number, method: string, params: unknown) => ({ jsonrpc: '2.0', id, method, params });
  const clientInfo = { name: 'an older host', version: '1' };
  const hello = { protocolVersion: '2025-03-26', capabilities: {}, clientInfo };
  child.stdin.write(`${JSON.stringify(request(1, 'initialize', hello))}\n`);
  const call = request(3, 'tools/call', { name: 'list_businesses', arguments: null });
  child.stdin.write(`${JSON.stringify([request(2, 'ping', null), call, request(4, 'prompts/get', {})])}\n`);
  child.stdin.write('[]\n');
  const answers = new Map<unknown, { result?: unknown; error?: { code: number } }>();
  let held = '';
  for await (const part of child.stdout.setEncoding('utf8')) {
    const lines = (held + part).split('\n');
    held = lines.pop() ?? '';
    for (const line of lines) answers.set(JSON.parse(line).id, JSON.parse(line));
    if (answers.size === 5) child.stdin.end();
  }
  expect(await ended).toBe(0);
  expect(answers.get(1)?.result).toMatchObject({ protocolVersion: '2025-03-26' });
  expect(answers.get(2)).toMatchObject({ result: {} });
  expect(answers.get(3)?.result).toMatchObject({ structuredContent: { result: expect.any(Array) } });
  expect(answers.get(4)?.error).toMatchObject({ code: -32602 });
  expect(answers.get(null)?.error).toMatchObject({ code: -32600 });
});

it('an unknown account is told on stderr, before anything is served', async () => {
  const { status, stdout, stderr } = await cli.runAlone(['stdio', '--account', 'eve@example.com']);
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  expect(stderr).toContain('there is no account eve@example.com');
});

it('has the tools of an extension that it is started with, and refuses one that does not exist', async () => {
  const client = await startV2(command([...AS_ACCOUNT, '--extensions', 'insights']), 'auto');
  expect((await client.listTools()).map(({ name }) => name)).toEqual(
    [...CATALOGUE, ...toolsOfExtensions(['insights'])].map(({ name }) => name),
  );
  await client.close();
  const { stderr } = await cli.runAlone(['stdio', '--extensions', 'insight']);
  expect(stderr).toContain('there is no extension insight; extensions are insights');
});
