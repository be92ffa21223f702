import type { ChildProcessWithoutNullStreams } from 'node:child_process';

/**
 * This runs in the process that is weighed: it collects what can be collected, several times since callbacks
 * of collected objects free others.
 */
const PLANTED = `
  import { setTimeout as wait } from 'node:timers/promises';
  process.on('SIGUSR2', async () => {
    for (let turn = 0; turn < 5; turn += 1) {
      await wait(100);
      gc();
    }
    process.stderr.write('heap ' + process.memoryUsage().heapUsed + ' bytes\\n');
  });
`;

/** What a Node process must be started with, so that its heap can be weighed. */
export const WEIGHABLE = `--expose-gc --import=data:text/javascript,${encodeURIComponent(PLANTED)}`;

/** What is in use in the heap of such a process after forced collections, in megabytes. */
export async function heapMbOf(child: ChildProcessWithoutNullStreams): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  let told = '';
  const onTold = (chunk: Buffer) => {
    told += chunk;
    const [, bytes] = /^heap (\d+) bytes$/m.exec(told) ?? [];
    if (bytes !== undefined) resolve(Number(bytes) / 2 ** 20);
  };
  const onClose = () => reject(new Error(`the process ended: ${told.slice(-2000)}`));
  child.stderr.on('data', onTold);
  child.once('close', onClose);
  child.kill('SIGUSR2');
  try {
    return await promise;
  } finally {
    child.stderr.off('data', onTold);
    child.off('close', onClose);
  }
}
