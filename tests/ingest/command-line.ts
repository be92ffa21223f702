import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Business } from '../../src/business/business.ts';
import { NODE_COMPILE_CACHE } from '../cli/command-line.ts';
import type { TestInstance } from '../support/test-instance.ts';

const MAIN = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));

interface Ended {
  /** Null when a signal ended it. */
  readonly code: number | null;
  /** What it wrote to stdout. */
  readonly output: string;
  readonly messages: string;
}

interface Running {
  readonly process: ChildProcess;
  readonly ended: Promise<Ended>;
}

/** `storesight import --json` as a process of its own. */
export function runImport(
  test: TestInstance,
  { business_id }: Business,
  folder: string,
  { options = [], ...limits }: { largestFileKiB?: number; options?: readonly string[] } = {},
): Running {
  return runCommand(test, ['import', business_id, folder, ...options], limits);
}

/** A command with `--json` as a process of its own. */
export function runCommand(
  test: TestInstance,
  args: readonly string[],
  { largestFileKiB }: { largestFileKiB?: number } = {},
): Running {
  const limit = largestFileKiB === undefined ? '' : `ulimit -f ${largestFileKiB}; `;
  const command = [process.execPath, '--disable-warning=ExperimentalWarning', MAIN, ...args];
  const child = spawn('bash', ['-c', `${limit}exec "$@"`, 'bash', ...command, '--json'], {
    env: { ...process.env, NODE_COMPILE_CACHE, STORESIGHT_DATA: test.settings.DATA },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  let messages = '';
  child.stdout.on('data', (data) => {
    output += data;
  });
  child.stderr.on('data', (data) => {
    messages += data;
  });
  const ended = new Promise<Ended>((resolve) =>
    child.on('close', (code) => resolve({ code, output, messages })),
  );
  return { process: child, ended };
}
