/**
 * A program that runs one command line after the other, each as `src/cli/main.ts` does: most of what a
 * process of its own costs is its start. It is told them by the process that started it, and answers with
 * what each wrote and ended with.
 */
import { Readable } from 'node:stream';
import { runCommandLine } from '../../src/cli/run-command-line.ts';

export interface Asked {
  readonly args: readonly string[];
  readonly stdin: string;
  readonly env: Record<string, string>;
}

process.umask(0o077);
let last = Promise.resolve();
process.on('message', (asked: Asked) => {
  last = last.then(() => answer(asked));
});

async function answer({ args, stdin, env }: Asked): Promise<void> {
  process.env = env;
  process.exitCode = undefined;
  Object.defineProperty(process, 'stdin', { configurable: true, value: Readable.from([stdin]) });
  const written = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    process[name].write = (chunk) => {
      written[name] += chunk;
      return true;
    };
  }
  await runCommandLine([process.execPath, 'storesight', ...args]);
  for (const signal of ['SIGINT', 'SIGTERM']) process.removeAllListeners(signal);
  process.send?.({ status: process.exitCode ?? 0, ...written });
}
