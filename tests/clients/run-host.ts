import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Host, HostPlace } from './host.ts';

const KEPT_OUTPUT = 4_000;

/**
 * Runs a host until it has finished, and all that it started with it. It has a home of its own and nothing of
 * this process's environment but the path: no login, key or setting of the person who runs the tests. What it
 * asks of its vendor fails here at once.
 */
export async function runHost(host: Host, place: Omit<HostPlace, 'home'>, limitMs: number): Promise<string> {
  const home = await mkdtemp(join(tmpdir(), 'storesight-host-'));
  try {
    const { program, args, env } = await host.command({ ...place, home });
    const child = spawn(program, args, {
      cwd: home,
      // The process has a group of its own, which is ended whole.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: process.env.PATH ?? '', HOME: home, TMPDIR: home, ...NO_VENDOR, ...env },
    });
    let output = '';
    const keep = (data: Buffer) => {
      output = `${output}${data}`.slice(-KEPT_OUTPUT);
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    const end = () => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      } catch {
        // All of it is gone.
      }
    };
    const timer = setTimeout(end, limitMs);
    await new Promise<void>((resolve, reject) => {
      child.once('exit', () => resolve());
      child.once('error', reject);
    });
    clearTimeout(timer);
    end();
    return output;
  } finally {
    await rm(home, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  }
}

/** A proxy that nothing listens at, except for loopback. */
const NO_VENDOR = {
  CI: 'true',
  NO_COLOR: '1',
  HTTP_PROXY: 'http://127.0.0.1:9',
  HTTPS_PROXY: 'http://127.0.0.1:9',
  NO_PROXY: '127.0.0.1,localhost',
  http_proxy: 'http://127.0.0.1:9',
  https_proxy: 'http://127.0.0.1:9',
  no_proxy: '127.0.0.1,localhost',
};
