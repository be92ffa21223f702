import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ask } from '../server/requests.ts';
import { CommandLine } from './command-line.ts';

let cli: CommandLine;

beforeAll(async () => {
  cli = await CommandLine.openShared();
});

afterAll(() => cli[Symbol.asyncDispose]());

it('serves tokens made before it started, and ends when asked to', async () => {
  const { business_id } = await cli.json(['business', 'create', '--name', 'Shop']);
  await cli.json(['account', 'create', '--email', 'ada@example.com']);
  const account = ['--account', 'ada@example.com'];
  await cli.json(['account', 'grant', ...account, '--business', String(business_id), '--all-permissions']);
  const { access_token } = await cli.json(['token', 'create', ...account]);

  const { child, url } = await cli.serve();
  const logged = text(child.stderr);
  expect((await fetch(new URL('/healthz', url))).status).toBe(200);
  expect((await ask(url, String(access_token), 'list_businesses', {}))[0]).toContain('"Shop"');

  // Links lead to the server that runs, though this command does not know its port.
  const { password_link } = await cli.json(['account', 'invite', ...account]);
  expect(new URL(String(password_link)).origin).toBe(new URL(url).origin);
  expect((await fetch(String(password_link))).status).toBe(200);

  // What another process changes counts at the next call.
  await cli.json(['account', 'revoke', ...account, '--business', String(business_id)]);
  expect(await ask(url, String(access_token), 'list_businesses', {})).toEqual(['{"result":[]}']);

  const second = await cli.runAlone(['serve', '--port', new URL(url).port]);
  expect(second.status).toBe(1);
  expect(second.stderr).toContain(`port ${new URL(url).port} is in use`);

  child.kill('SIGTERM');
  expect(await once(child, 'close')).toEqual([0, null]);
  const log = await logged;
  expect(log).toContain('tool call');
  expect(log).not.toContain('ada@example.com');
  expect(log).not.toContain(String(access_token));
});

it('does not listen beyond this machine without https', async () => {
  const { status, stdout, stderr } = await cli.run(['serve', '--port', '0', '--host', '0.0.0.0']);
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  expect(stderr).toContain('STORESIGHT_BASE_URL');
});

it('wants a port that is one', async () => {
  for (const port of ['-1', '80a']) {
    const { status, stderr } = await cli.run(['serve', '--port', port]);
    expect(status).toBe(1);
    expect(stderr).toContain('--port');
  }
});
