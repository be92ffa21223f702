import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Before all tests: a folder of this run, which its workers and the commands that they start take for the one
 * of temporary files. After all: it goes, with what tests left in it.
 */
export default function ownTemporaryFolder(): () => void {
  const before = process.env.TMPDIR;
  const folder = mkdtempSync(join(tmpdir(), 'storesight-tests-'));
  // PostgreSQL runs as another user where root runs the tests, and must get to its folder inside.
  chmodSync(folder, 0o711);
  process.env.TMPDIR = folder;
  return () => {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
    rmSync(folder, { recursive: true, force: true });
  };
}
