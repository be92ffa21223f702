import { availableParallelism, constants, setPriority } from 'node:os';
import type { Command } from 'commander';
import { runUpload } from '../uploads/run-upload.ts';
import { withInstance } from './command.ts';
import { stopSignal } from './signals.ts';

export function addUploadCommands(program: Command): void {
  const upload = program.command('upload', { hidden: true }).description('Files that came in the browser');
  upload
    .command('run')
    .argument('<upload_id>')
    .argument('<run_id>')
    .description('What a server starts for each import out of the browser')
    .action(
      withInstance(async ({ instance, output }, _options, uploadId, runId) => {
        // Calls of tools come first: a lower priority, and processors that it leaves alone.
        setPriority(constants.priority.PRIORITY_LOW);
        const importThreads = Math.max(1, Math.floor(availableParallelism() / 2));
        const signal = AbortSignal.any([stopSignal(), serverGone()]);
        await runUpload(
          { ...instance, importThreads, signal },
          { upload_id: String(uploadId), run_id: String(runId) },
        );
        output.result({ upload_id: uploadId }, 'Done');
      }),
    );
}

/** Aborts when the server that started this process is gone, killed or not. */
function serverGone(): AbortSignal {
  const gone = new AbortController();
  process.stdin.on('end', () => gone.abort(new Error('the server is gone')));
  process.stdin.on('error', () => gone.abort(new Error('the server is gone')));
  // Waiting for it keeps no process alive that has done its work.
  process.stdin.resume();
  if ('unref' in process.stdin) process.stdin.unref();
  return gone.signal;
}
