import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { HttpOptions } from '../../../src/server/http.ts';
import { signIn, startTestServer } from '../../server/test-server.ts';
import { type Revision, runScenarios, type Scenario } from '../../support/conformance-suite.ts';
import { createTestInstance } from '../../support/test-instance.ts';
import { startBearerProxy } from './bearer-proxy.ts';
import { EXPECTED_FAILURES, type ExpectedFailures } from './expected-failures.ts';
import { createFixtureServer } from './fixture-server.ts';

/** Scenarios that ask for nothing by name, so that Storesight's own server can pass them. */
const WITHOUT_FIXTURES: Readonly<Record<Revision, readonly string[]>> = {
  '2025-11-25': [
    'server-initialize',
    'ping',
    'tools-list',
    'resources-list',
    'prompts-list',
    'dns-rebinding-protection',
  ],
  '2026-07-28': [
    'server-stateless',
    'tools-list',
    'resources-list',
    'sep-2164-resource-not-found',
    'prompts-list',
    'caching',
    'dns-rebinding-protection',
    'server-sse-multiple-streams',
    'http-header-validation',
  ],
};

/** The official suite through the HTTP pipeline that is served: host, origin, token, limits, headers. */
async function run(revision: Revision, options: Partial<HttpOptions> = {}): Promise<Scenario[]> {
  await using test = await createTestInstance({ isOneEngineEnough: true });
  const { token } = await signIn(test, [await test.createBusiness()]);
  const server = await startTestServer(test, options);
  await using proxy = await startBearerProxy(server.mcpUrl, token);
  try {
    return await runScenarios(proxy.url, revision, join(test.folder, 'conformance'));
  } finally {
    await server.stop();
  }
}

function testEach(scenarios: readonly Scenario[], expected: ExpectedFailures): void {
  for (const { name, checks } of scenarios) {
    const failure = expected[name];
    it(failure === undefined ? name : `${name} fails: ${failure.because}`, () => {
      // Warnings count, and a scenario that checked nothing has not passed.
      const failed = checks.filter(({ status }) => status === 'FAILURE' || status === 'WARNING');
      const hasPassed = failed.length === 0 && checks.some(({ status }) => status === 'SUCCESS');
      if (failure === undefined) expect({ hasPassed, failed }).toEqual({ hasPassed: true, failed: [] });
      else if (failure.checks === undefined) expect(hasPassed, 'no expected failure any more').toBe(false);
      else expect(failed.map(({ id }) => id)).toEqual(failure.checks);
    });
  }
}

// Tests are collected from what the suite found, so that each scenario is one.
describe.each<Revision>(['2025-11-25', '2026-07-28'])('%s', async (revision) => {
  const expected = EXPECTED_FAILURES[revision];

  describe('every scenario, with its fixtures', async () => {
    const scenarios = await run(revision, { mcpServer: createFixtureServer });
    testEach(scenarios, expected);

    it('expects failures of scenarios that exist', () => {
      expect(scenarios.map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(expected)));
    });
  });

  describe('scenarios without fixtures, with what Storesight serves', async () => {
    const scenarios = await run(revision);
    testEach(
      WITHOUT_FIXTURES[revision].map(
        (name) => scenarios.find((scenario) => scenario.name === name) ?? { name, checks: [] },
      ),
      expected,
    );
  });
});
