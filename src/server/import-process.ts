import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { RunImport } from '../uploads/import-queue.ts';

/** What was asked to stop and has not ended is killed, which harms no data. */
const STOP_MS = 3000;

/**
 * Runs an import out of the browser as a command of the command line: a process of its own with memory of its own. It ends with this
 * one: its standard input ends then.
 */
export function importInProcess(environment: NodeJS.ProcessEnv): RunImport {
  // Beside this file, whether it is TypeScript or was built.
  const main = fileURLToPath(new URL(`../cli/main${extname(import.meta.url)}`, import.meta.url));
  return async ({ upload_id, run_id }, stop) => {
    if (stop.aborted) return;
    const command = ['--disable-warning=ExperimentalWarning', main, 'upload', 'run', upload_id, run_id];
    const child = spawn(process.execPath, command, { env: environment, stdio: ['pipe', 'ignore', 'ignore'] });
    // It may have ended when it is told that this process lives.
    child.stdin.on('error', () => {});
    const kill = () => child.kill('SIGKILL');
    let killing: NodeJS.Timeout | undefined;
    const end = () => {
      child.kill('SIGTERM');
      killing = setTimeout(kill, STOP_MS);
    };
    stop.addEventListener('abort', end, { once: true });
    try {
      const [code, signal] = await once(child, 'exit');
      if (code !== 0 && !stop.aborted) throw new Error(`the process ended with ${signal ?? `code ${code}`}`);
    } finally {
      clearTimeout(killing);
      stop.removeEventListener('abort', end);
    }
  };
}
