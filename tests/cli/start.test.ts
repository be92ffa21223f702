import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { CommandLine, NODE_ARGUMENTS } from './command-line.ts';
import { HAS_SCRIPT, KEYS, Terminal } from './terminal.ts';

let cli: CommandLine;
let home: string;

beforeEach(async () => {
  cli = await CommandLine.open();
  home = mkdtempSync(join(tmpdir(), 'storesight-home-'));
  // Stands for the program that opens a browser, and keeps what it was given and what that page held.
  mkdirSync(join(home, 'bin'));
  const opener = join(home, 'bin', 'xdg-open');
  writeFileSync(
    opener,
    `#!/bin/sh\necho "$1" > '${home}/opened'\ncp "$(echo "$1" | sed s,file://,,)" '${home}/page'\n`,
  );
  chmodSync(opener, 0o755);
});

afterEach(async () => {
  await cli[Symbol.asyncDispose]();
  rmSync(home, { recursive: true });
});

function atTerminal(args: readonly string[] = [], env: Record<string, string> = {}): Terminal {
  const path = `${join(home, 'bin')}${delimiter}${process.env.PATH}`;
  return new Terminal([process.execPath, ...NODE_ARGUMENTS, ...args], {
    cwd: cli.folder,
    env: { ...cli.environment, HOME: home, PATH: path, STORESIGHT_PORT: '0', ...env },
  });
}

it.skipIf(!HAS_SCRIPT)(
  'leads a person without arguments from two questions to a page on which their store is made, and connects an app',
  async () => {
    mkdirSync(join(home, '.cursor'));
    await using terminal = atTerminal([], { DISPLAY: ':0' });
    await terminal.shows('Which store do you want answers about?');
    terminal.press(KEYS.down, KEYS.enter);
    await terminal.shows('Your e-mail address');
    terminal.press('ada', KEYS.enter);
    await terminal.shows('This is not an e-mail address.');
    terminal.press('@example.com', KEYS.enter);
    const asked = await terminal.shows('Cursor');
    expect(asked).not.toContain('Windsurf');
    terminal.press(KEYS.space, KEYS.enter);
    await terminal.shows('Cursor: storesight was written into');
    await terminal.shows("\nOpen Cursor's list of MCP servers");
    await terminal.shows('Your browser opens');
    const shown = await terminal.shows('First choose its password');
    const [mcpUrl = ''] = /http:\/\/127\.0\.0\.1:\d+\/mcp/.exec(shown) ?? [];
    const settings = JSON.parse(readFileSync(join(home, '.cursor', 'mcp.json'), 'utf8'));
    expect(settings).toEqual({ mcpServers: { storesight: { url: mcpUrl } } });

    // Other users of the machine see what a program is started with: no link that sets a password may be in
    // it.
    const page = join(cli.folder, 'data', 'browser.html');
    await expect.poll(() => existsSync(join(home, 'page'))).toBe(true);
    expect(readFileSync(join(home, 'opened'), 'utf8')).toBe(`file://${page}\n`);
    expect(statSync(page).mode & 0o777).toBe(0o600);
    const [, link = ''] = /url=(http[^"]+)"/.exec(readFileSync(join(home, 'page'), 'utf8')) ?? [];
    const done = await fetch(link, {
      method: 'POST',
      redirect: 'manual',
      headers: { Origin: new URL(link).origin },
      body: new URLSearchParams({
        new_password: 'a long enough pass phrase 7',
        repeated_password: 'a long enough pass phrase 7',
      }),
    });
    expect([done.status, done.headers.get('Location')]).toEqual([303, '/stores']);

    terminal.press(KEYS.stop);
    expect(await terminal.ended()).toBe(0);
    expect(existsSync(page)).toBe(false);
  },
);

it.skipIf(!HAS_SCRIPT)(
  'offers the stores that are here, and prints the address where no browser can be opened',
  async () => {
    await cli.json(['business', 'create', '--name', 'Bike shop']);
    await using terminal = atTerminal(['start']);
    await terminal.shows('The stores that are here: Bike shop');
    terminal.press(KEYS.enter);
    const shown = await terminal.shows('starts it again.');
    expect(shown).toMatch(/Open in your browser: http:\/\/127\.0\.0\.1:\d+\/connect/);
    expect(shown).not.toContain('password');
    terminal.press(KEYS.stop);
    expect(await terminal.ended()).toBe(0);
  },
);

it.skipIf(!HAS_SCRIPT)('starts nothing when the person leaves', async () => {
  await using terminal = atTerminal();
  await terminal.shows('Two demo stores');
  terminal.press(KEYS.stop);
  await terminal.shows('storesight: nothing was started');
  expect(await terminal.ended()).toBe(1);
});

it('shows the help without a terminal, and `start` says what to do instead', async () => {
  const alone = await cli.run([]);
  expect(alone.status).toBe(1);
  expect(alone.stderr).toContain('Usage: storesight [options] [command]');
  const asked = await cli.run(['start']);
  expect(asked).toMatchObject({ status: 1, stdout: '' });
  expect(asked.stderr).toContain('`serve --demo` for the demo stores');
});
