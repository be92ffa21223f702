import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const PARENT = fileURLToPath(new URL('orphan-parent.ts', import.meta.url));

const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

it.each(['a search that does not end', 'a wait without end', 'not even when it is stopped'])(
  'a process with a job that makes %s ends with a parent that is killed',
  async (job) => {
    const parent = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', PARENT, job], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [printed] = await once(parent.stdout, 'data');
    const child = Number(String(printed));
    await setTimeout(500);
    expect(isAlive(child)).toBe(true);
    parent.kill('SIGKILL');
    await expect.poll(() => isAlive(child), { timeout: 10_000 }).toBe(false);
  },
);
