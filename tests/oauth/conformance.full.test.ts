import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../server/test-server.ts';
import { CONFORMANCE_SUITE } from '../support/conformance-suite.ts';
import { freePort } from '../support/free-port.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';
import { App } from './app.ts';
import { Person } from './person.ts';

/**
 * The `authorization` command of the official conformance suite; a person does in a browser what it asks for.
 */

let test: TestInstance;
let server: TestServer;
let person: Person;

beforeAll(async () => {
  test = await createTestInstance();
  server = await startTestServer(test);
  person = await Person.join(test.instance.control, [await test.createBusiness()]);
});

afterAll(async () => {
  await server.stop();
  await test[Symbol.asyncDispose]();
});

/** Runs the scenarios, of which each needs what the one before found, and gives the lines of its summary. */
async function run(specification: string): Promise<string[]> {
  const { client_id } = await App.register(server.baseUrl);
  const child = spawn(process.execPath, [
    CONFORMANCE_SUITE,
    'authorization',
    ...['--url', server.baseUrl, '--client-id', client_id, '--resource', server.mcpUrl],
    ...['--spec-version', specification],
    ...['--port', String(await freePort())],
  ]);
  const failed = text(child.stderr);
  let printed = '';
  let isAsked = false;
  for await (const chunk of child.stdout) {
    printed += chunk;
    const [asked] = /http:\S+\/authorize\?\S+(?=\s)/.exec(printed) ?? [];
    if (asked === undefined || isAsked || !printed.includes('Callback server started')) continue;
    isAsked = true;
    expect((await fetch(await person.allow(asked))).ok).toBe(true);
  }
  const [, summary] = printed.split('=== SUMMARY ===');
  if (summary === undefined) throw new Error(`the suite came to no end: ${printed} ${await failed}`);
  return summary.split('\n').filter(Boolean);
}

it.each(['2025-11-25', '2026-07-28'])('conforms with %s', async (specification) => {
  expect(await run(specification)).toEqual([
    expect.stringContaining('authorization-server-metadata-endpoint: 2 passed, 0 failed'),
    expect.stringContaining('authorization-code-grant: 1 passed, 0 failed'),
    'Total: 3 passed, 0 failed',
  ]);
});
