import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';

const CHILD = fileURLToPath(new URL('child.ts', import.meta.url));

/** Starts `processes` processes on the database and lets them all go at the same moment. */
export async function runAtOnce(processes: number, place: string, times: number): Promise<void> {
  const children = Array.from({ length: processes }, () =>
    spawn(process.execPath, ['--disable-warning=ExperimentalWarning', CHILD, place, String(times)]),
  );
  const ends = children.map(async (child) => {
    const [errors, [status]] = await Promise.all([text(child.stderr), once(child, 'close')]);
    return { errors, status };
  });
  await Promise.all(children.map((child) => once(child.stdout, 'data')));
  for (const child of children) child.stdin.end();
  for (const end of await Promise.all(ends)) expect(end).toEqual({ errors: '', status: 0 });
}
