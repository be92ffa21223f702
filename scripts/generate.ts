/**
 * Writes what is made from the code: the files of generated-files.ts, and the pages of docs/tools with
 * answers of the made shop.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { runTool } from '../src/asking/run-tool.ts';
import { operatorCaller } from '../src/control/people/callers.ts';
import { prepareDemo } from '../src/demo/prepare-demo.ts';
import { openInstance } from '../src/server/instance.ts';
import { openWarehouse } from '../src/server/open-warehouse.ts';
import { readSettings } from '../src/server/settings.ts';
import { toolEnvironment } from '../src/server/tool-environment.ts';
import { generatedFiles } from './generated-files.ts';
import { toolPages } from './tool-docs.ts';

for (const [file, text] of await generatedFiles()) write(file, text);

const folder = mkdtempSync(join(tmpdir(), 'storesight-docs-'));
try {
  const settings = readSettings({ STORESIGHT_DATA: folder });
  await using instance = await openInstance(settings);
  await prepareDemo(instance, { progress: (_title, work) => work(() => {}) });
  const warehouse = await openWarehouse(instance, settings);
  const environment = toolEnvironment(instance, warehouse);
  const caller = operatorCaller(instance.control);
  const pages = await toolPages((tool, args) => runTool(environment, tool, args, caller));
  await warehouse.close();
  for (const [file, text] of pages) write(file, text);
} finally {
  rmSync(folder, { recursive: true });
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
