import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { CODE_VERSION_FILE, codeVersion, codeVersionFile } from './code-version.ts';
import { importFormatFiles } from './import-format.ts';
import { MODEL_DOC, modelDoc } from './model-doc.ts';
import { readmeOf } from './readme.ts';
import { SERVER_JSON, serverJson } from './release/server-json.ts';
import { toolList } from './tool-docs.ts';
import { VIEW_SCRIPT_FILE, viewScript, viewScriptFile } from './view-script.ts';

/** What is made from the code alone, by path: all but the pages of tools, whose examples are answers. */
export async function generatedFiles(): Promise<ReadonlyMap<string, string>> {
  return new Map([
    [CODE_VERSION_FILE, codeVersionFile(await codeVersion())],
    [VIEW_SCRIPT_FILE, viewScriptFile(await viewScript())],
    [MODEL_DOC, modelDoc()],
    [SERVER_JSON, serverJson()],
    ['README.md', readmeOf(readFileSync('README.md', 'utf8'))],
    ['docs/tools/README.md', toolList()],
    ...importFormatFiles(readFileSync('docs/import-format.md', 'utf8')),
  ]);
}

/** The generated files that differ from what the code makes. */
export async function staleFiles(): Promise<string[]> {
  const isFresh = (file: string, text: string) => existsSync(file) && readFileSync(file, 'utf8') === text;
  const files = [...(await generatedFiles())];
  return files.flatMap(([file, text]) => (isFresh(file, text) ? [] : [relative('.', file)]));
}
