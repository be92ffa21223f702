import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { writeSettingsFile } from '../../../src/cli/connect/settings-file.ts';
import { CommandLine } from '../command-line.ts';

let cli: CommandLine;
let home: string;

beforeEach(async () => {
  cli = await CommandLine.open();
  home = mkdtempSync(join(tmpdir(), 'storesight-home-'));
});

afterEach(async () => {
  await cli[Symbol.asyncDispose]();
  rmSync(home, { recursive: true });
});

const connect = (...args: string[]) => cli.run(['connect', ...args], { env: { HOME: home } });

it('writes the server of the data folder after a yes, and says what to do next; a second time changes nothing', async () => {
  const file = join(home, '.cursor', 'mcp.json');
  const asked = await connect('cursor');
  expect(asked.status).toBe(1);
  expect(asked.stderr).toContain(`Cursor: nothing was written`);
  expect(asked.stderr).toContain(`into ${file}. Add --yes to do it.`);
  const written = await connect('cursor', '--yes');
  expect(written).toMatchObject({ status: 0, stderr: '' });
  expect(written.stdout).toContain('switch storesight on and sign in');
  const text = readFileSync(file, 'utf8');
  expect(JSON.parse(text)).toEqual({ mcpServers: { storesight: { url: 'http://127.0.0.1:8787/mcp' } } });
  expect((await connect('cursor')).stdout).toContain('is already in');
  expect(readFileSync(file, 'utf8')).toBe(text);
  const removed = await connect('cursor', '--remove', '--yes', '--json');
  expect(JSON.parse(removed.stdout)).toEqual({ client: 'cursor', file, changed: true, server: null });
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ mcpServers: {} });
});

it('keeps a link, and who may read the file', async () => {
  const real = join(home, 'dotfiles.json');
  writeFileSync(real, '{}');
  chmodSync(real, 0o640);
  mkdirSync(join(home, '.gemini'));
  symlinkSync(real, join(home, '.gemini', 'settings.json'));
  expect((await connect('gemini', '--yes', '--url', 'https://shop.example.com/mcp')).status).toBe(0);
  expect(JSON.parse(readFileSync(real, 'utf8'))).toEqual({
    mcpServers: { storesight: { httpUrl: 'https://shop.example.com/mcp' } },
  });
  expect(statSync(real).mode & 0o777).toBe(0o640);
});

it('refuses what it does not understand, and writes nothing', async () => {
  const file = join(home, '.cursor', 'mcp.json');
  mkdirSync(join(home, '.cursor'));
  writeFileSync(file, '{"mcpServers": ');
  const { status, stderr } = await connect('cursor', '--yes');
  expect(status).toBe(1);
  expect(stderr).toContain(`${file} is not valid JSON; nothing was written`);
  expect(stderr).toContain('write this into mcpServers: {"storesight":{"url":"http://127.0.0.1:8787/mcp"}}');
  expect(readFileSync(file, 'utf8')).toBe('{"mcpServers": ');
  expect((await connect('netscape')).stderr).toContain(
    'there is no client "netscape"; known are claude-code',
  );
  expect((await connect('cursor', '--url', 'shop')).stderr).toContain('is not an http or https URL');
  rmSync(file);
  mkdirSync(file);
  expect((await connect('cursor', '--yes')).stderr).toContain('cannot be read: EISDIR');
});

it('does not overwrite what another program wrote meanwhile', async () => {
  const file = join(home, 'settings.json');
  writeFileSync(file, '{"new": true}');
  await expect(writeSettingsFile(file, '{}', '{"ours": true}')).rejects.toThrow(
    'was changed by another program',
  );
  expect(readFileSync(file, 'utf8')).toBe('{"new": true}');
});
