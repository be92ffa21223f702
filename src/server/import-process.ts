import type { Logger } from 'pino';
import { InputError } from '../errors.ts';
import { JobProcesses } from '../processes/job-processes.ts';
import { EndedError, LimitError, type Limits } from '../processes/limits.ts';
import type { RunImport } from '../uploads/import-queue.ts';

export interface UploadJob {
  readonly do: 'upload';
  readonly upload_id: string;
  readonly run_id: string;
}

const HEAP_MB = 1024;

/**
 * Runs an import out of the browser in a process of its own with memory of its own, which ends with this one.
 */
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
      if (!signal.aborted) throw inWords(error);
    }
  };
}

/**
 * What the person is told of an import that was ended, or ended without a word, as its process can at a
 * damaged file.
 */
function inWords(error: unknown): unknown {
  const message =
    error instanceof LimitError
      ? `the import was ended: ${error.message}. Bring less at once; or whoever runs this server can allow more (STORESIGHT_IMPORT_MEMORY, STORESIGHT_IMPORT_MINUTES)`
      : 'the import ended without a word, which a damaged file can bring about, above all a DuckDB file. The data of the store are as they were; bring the files one by one to find it, or export it as CSV or Parquet';
  if (!(error instanceof LimitError || error instanceof EndedError)) return error;
  return Object.assign(new InputError(message), { cause: error });
}
