import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type OutputChunk, rolldown } from 'rolldown';

export const CODE_VERSION_FILE = fileURLToPath(
  new URL('../src/snapshot/build/code-version.ts', import.meta.url),
);

/**
 * A hash of the code that `build-code.ts` names and of all of ours that it uses, without its formatting,
 * comments and types. Modules that declare tables stay outside: each table has a version of its own.
 */
export async function codeVersion(): Promise<string> {
  const code = (await bundled()).map((chunk) => chunk.code).join('');
  return createHash('sha256').update(code).digest('hex').slice(0, 12);
}

/** The names of each module that are part of that code, by the path of the module. */
export async function codeExports(): Promise<ReadonlyMap<string, readonly string[]>> {
  const modules = (await bundled()).flatMap((chunk) => Object.entries(chunk.modules));
  return new Map(modules.map(([path, { renderedExports }]) => [path, renderedExports]));
}

async function bundled(): Promise<OutputChunk[]> {
  await using bundle = await rolldown({
    input: fileURLToPath(new URL('build-code.ts', import.meta.url)),
    external: (id, importer) => !/^[./]/.test(id) || declaresTables(resolve(dirname(importer ?? ''), id)),
    treeshake: { moduleSideEffects: false },
  });
  const { output } = await bundle.generate({ format: 'esm', minify: true });
  return output.filter((part) => part.type === 'chunk');
}

function declaresTables(file: string): boolean {
  return /\b(modelTable\(|workTable\(|new StoredTable\()/.test(readFileSync(file, 'utf8'));
}

export function codeVersionFile(version: string): string {
  return `/** Made by \`npm run generate\` out of what scripts/build-code.ts names. */\nexport const CODE_VERSION = '${version}';\n`;
}
