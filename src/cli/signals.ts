import { once } from 'node:events';
import type { Readable } from 'node:stream';

/** Until the process is asked to end (SIGINT, SIGTERM), or the input it serves is over. */
export async function untilStopped(input?: Readable): Promise<void> {
  await Promise.race([
    once(process, 'SIGINT'),
    once(process, 'SIGTERM'),
    ...(input === undefined ? [] : [once(input, 'close'), once(input, 'end')]),
  ]);
}
