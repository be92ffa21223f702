/** Writes what is made from the code: the version of the code of builds, the script of the page with charts, docs/import-format*, docs/model.md and docs/tools. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prepareDemo } from '../demo/prepare-demo.ts';
import { operatorCaller } from '../src/control/callers.ts';
import { runTool } from '../src/mcp/run-tool.ts';
import { openInstance } from '../src/server/instance.ts';
import { readSettings } from '../src/server/settings.ts';
import { toolEnvironment } from '../src/server/tool-environment.ts';
import { openWarehouse } from '../src/server/warehouse.ts';
import { CODE_VERSION_FILE, codeVersion, codeVersionFile } from './code-version.ts';
import { importFormatFiles } from './import-format.ts';
import { MODEL_DOC, modelDoc } from './model-doc.ts';
import { toolPages } from './tool-docs.ts';
import { VIEW_SCRIPT_FILE, viewScript, viewScriptFile } from './view-script.ts';

writeFileSync(CODE_VERSION_FILE, codeVersionFile(await codeVersion()));
writeFileSync(VIEW_SCRIPT_FILE, viewScriptFile(await viewScript()));

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

  mkdirSync('docs/import-format', { recursive: true });
  mkdirSync('docs/tools', { recursive: true });
  const guide = readFileSync('docs/import-format.md', 'utf8');
  writeFileSync(MODEL_DOC, modelDoc());
  for (const [file, text] of [...importFormatFiles(guide), ...pages]) writeFileSync(file, text);
} finally {
  rmSync(folder, { recursive: true });
}
