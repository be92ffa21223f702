import { once } from 'node:events';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type ControlDatabase, openControlDatabase } from '../../src/control/database/control-database.ts';
import { App } from '../oauth/app.ts';
import { Person } from '../oauth/person.ts';
import { CommandLine } from './command-line.ts';

/** What nobody caught, in a server of its own process: it must not take down what everybody else asks. */
let cli: CommandLine;
let control: ControlDatabase;

beforeEach(async () => {
  cli = await CommandLine.open();
  control = await openControlDatabase(join(cli.folder, 'data', 'control.sqlite'));
});

afterEach(async () => {
  await control.destroy();
  await cli[Symbol.asyncDispose]();
});

/** Faults in the server's process: a statement that fails, and signals for what no code of ours should do. */
const PLANTED = `
  import { StatementSync } from 'node:sqlite';
  const { run } = StatementSync.prototype;
  StatementSync.prototype.run = function (...values) {
    if (values[0] !== 'Session' || !this.sourceSQL.startsWith('delete')) return run.apply(this, values);
    throw new Error('planted: the disk is full');
  };
  process.on('SIGUSR2', () => { Promise.reject(new Error('a planted rejection')); });
  process.on('SIGHUP', () => setImmediate(() => { throw new Error('a planted exception'); }));
`;

async function startServe() {
  const { child, url } = await cli.serve([], {
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(PLANTED)}`,
  });
  let logged = '';
  child.stderr.on('data', (chunk) => {
    logged += chunk;
  });
  return { child, url: new URL(url).origin, closed: once(child, 'close'), log: () => logged };
}

it('a database that fails while a sign-in is forgotten ends no server', async () => {
  const { child, url, closed, log } = await startServe();
  const person = await Person.join(control);
  const app = await App.register(url);
  const authorization = app.authorize();
  const returned = await person.allow(authorization.url);
  expect(await app.redeem(returned, authorization)).toMatchObject({ status: 200 });
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  await expect.poll(log).toContain('planted: the disk is full');
  child.kill('SIGTERM');
  expect(await closed).toEqual([0, null]);
});

it('a rejected promise is logged and ends nothing', async () => {
  const { child, url, closed, log } = await startServe();
  child.kill('SIGUSR2');
  await expect.poll(log).toContain('a planted rejection');
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  child.kill('SIGTERM');
  expect(await closed).toEqual([0, null]);
});

it('an exception is logged and stops the server in order, with status 1', async () => {
  const { child, closed, log } = await startServe();
  child.kill('SIGHUP');
  expect(await closed).toEqual([1, null]);
  expect(log()).toMatch(/"level":60.*a planted exception/);
});
