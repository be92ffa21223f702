import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { DEMO_BUSINESSES } from '../../demo/prepare-demo.ts';
import { toolPages } from '../../scripts/tool-docs.ts';
import { createBusiness } from '../../src/control/businesses.ts';
import { operatorCaller } from '../../src/control/callers.ts';
import { runTool } from '../../src/mcp/run-tool.ts';
import { askEveryTool } from './every-tool.ts';

/** The made shop, which has everything. The real data, half a million lines, have their turn in `both-engines.full.test.ts`. */
const MADE = /Kamenice/;
const instanceOf = askEveryTool({
  name: MADE,
  from_date: '2026-01-01T00:00:00',
  to_date: '2026-06-30T23:59:59',
});

it('answers what docs/tools shows (else run `npm run generate`)', async () => {
  const { environment, instance } = instanceOf();
  const { control } = instance;
  // Only listed there.
  for (const demo of DEMO_BUSINESSES.filter(({ name }) => !MADE.test(name)))
    await createBusiness(control, demo);
  // On one engine: that the other one says the same of each tool is what comes before this.
  const caller = operatorCaller(control);
  const pages = await toolPages((tool, args) => runTool(environment, tool, args, caller));
  expect(pages.size).toBeGreaterThan(10);
  for (const [path, text] of pages) expect(readFileSync(path, 'utf8'), path).toBe(text);
});
