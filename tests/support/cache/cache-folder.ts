import { createHash } from 'node:crypto';
import { accessSync, constants, globSync, mkdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const REPOSITORY = fileURLToPath(new URL('../../../', import.meta.url));

/**
 * Layers above the import and the warehouse, which cannot reach them (`scripts/import-direction.ts`): what
 * they change is the questions that are asked, and those are part of what is remembered. Any new folder
 * counts until it stands here.
 */
const ABOVE = ['catalogue.ts', 'cli', 'mcp', 'oauth', 'prompts', 'resources', 'server', 'web'];

/** Tools are listed above too, and tests do not belong here. */
const OF_TOOLS = /^src\/domains\/[^/]+\/(tools|tests)\//;

/**
 * Where tests remember, over many runs, what costs time and comes out the same. Null in `npm run test:full`,
 * which remembers nothing.
 */
export function cacheFolder(): string | null {
  return process.env.STORESIGHT_TEST_CACHE === 'off' ? null : keptFolder();
}

/**
 * What one run of the tests keeps for the next: `node_modules/.cache/storesight-tests`, or a folder of the
 * user's where `node_modules` is not writable. To clear it, delete it.
 */
export function keptFolder(): string {
  const modules = join(REPOSITORY, 'node_modules');
  try {
    accessSync(modules, constants.W_OK);
    return ownFolder(join(modules, '.cache/storesight-tests'));
  } catch {
    return ownFolder(join(homedir(), '.cache/storesight-tests'));
  }
}

function ownFolder(folder: string): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return folder;
}

let sources: string | undefined;

/**
 * A hash of everything by which the same files could become another snapshot, or the same question get
 * another answer.
 */
export function sourcesHash(): string {
  sources ??= hashOf(
    [
      'package-lock.json',
      ...globSync(`{src/!(${ABOVE.join('|')}),src/!(${ABOVE.join('|')})/**,tests/support/**}`, {
        cwd: REPOSITORY,
        withFileTypes: true,
      })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name).slice(REPOSITORY.length))
        .filter((file) => !OF_TOOLS.test(file)),
    ].sort(),
  );
  return sources;
}

function hashOf(files: readonly string[]): string {
  const hash = createHash('sha256');
  for (const file of files) {
    const content = readFileSync(join(REPOSITORY, file));
    hash.update(`${file} ${content.length}\n`).update(content);
  }
  return hash.digest('hex');
}
