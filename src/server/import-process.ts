import type { Logger } from 'pino';
import { JobProcesses } from '../processes/job-processes.ts';
import type { Limits } from '../processes/limits.ts';
import type { RunImport } from '../uploads/import-queue.ts';

export interface UploadJob {
  readonly do: 'upload';
  readonly upload_id: string;
  readonly run_id: string;
}

const HEAP_MB = 1024;

/** Runs an import out of the browser in a process of its own with memory of its own, which ends with this one. */
export function importInProcess(
  environment: NodeJS.ProcessEnv,
  { limits, log }: { readonly limits: Limits; readonly log: Pick<Logger, 'info' | 'warn' | 'error'> },
): RunImport {
  return async ({ upload_id, run_id }, signal) => {
    if (signal.aborted) return;
    await using processes = new JobProcesses({ environment, heapMb: HEAP_MB, mostIdle: 0 });
    const job: UploadJob = { do: 'upload', upload_id, run_id };
    try {
      await processes.run(job, { limits, signal, log });
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  };
}
