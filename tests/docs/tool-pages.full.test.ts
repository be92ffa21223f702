import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { toolPages } from '../../scripts/tool-docs.ts';
import { runTool } from '../../src/asking/run-tool.ts';
import { operatorCaller } from '../../src/control/people/callers.ts';
import { createDemo, DEMO_BUSINESSES } from '../../src/demo/prepare-demo.ts';
import { createTestInstance } from '../support/test-instance.ts';

const MADE = /Kamenice/;

it('docs/tools shows what is answered (else run `npm run generate`)', { timeout: 300_000 }, async () => {
  // One engine is enough: `both-engines.full.test.ts` asks whether the other one says the same of each tool.
  await using test = await createTestInstance({ isOneEngineEnough: true });
  const { environment, instance } = test;
  await test.importDemos(MADE);
  // Only listed there.
  for (const demo of DEMO_BUSINESSES.filter(({ name }) => !MADE.test(name)))
    await createDemo(instance.control, demo);
  const caller = operatorCaller(instance.control);
  const pages = await toolPages((tool, args) => runTool(environment, tool, args, caller));
  expect(pages.size).toBeGreaterThan(10);
  for (const [path, text] of pages) expect(readFileSync(path, 'utf8'), path).toBe(text);
});
