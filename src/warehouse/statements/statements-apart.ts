import { existsSync } from 'node:fs';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Statement, StatementOutcome } from '../../answers/caller-statement.ts';
import { InputError } from '../../errors.ts';
import type { JobOptions } from '../../processes/job-process.ts';
import { JobProcesses } from '../../processes/job-processes.ts';
import { EndedError, LimitError, type Limits } from '../../processes/limits.ts';
import { Scheduler } from '../scheduling/scheduler.ts';
import {
  type Asker,
  QueryTimeoutError,
  type SnapshotReference,
  UnreadableSnapshotError,
} from '../warehouse.ts';
import type { StatementAnswer, StatementJob } from './program.ts';
import { ENGINE_MB, type StatementFiles } from './run-statement.ts';

/**
 * The places of statements. Half of them are for what takes longer than a moment, as every statement does:
 * this half runs at once.
 */
const PLACES = 4;

const MEBIBYTE = 2 ** 20;
const HEAP_MB = 256;

function limitsOf(timeoutSeconds: number): Limits {
  return {
    // Node, DuckDB itself and texts take memory that DuckDB does not count.
    residentMb: ENGINE_MB + 512,
    seconds: timeoutSeconds,
    cpuSeconds: null,
    stuckCpuSeconds: 10,
    toldBytes: 2 * MEBIBYTE,
  };
}

export interface StatementsOptions {
  readonly filesOf: (snapshot: SnapshotReference) => StatementFiles;
  readonly timeoutSeconds: number;
  /** The log. Without it, nothing is logged. */
  readonly log: JobOptions['log'] | undefined;
}

const SILENT: JobOptions['log'] = { info() {}, warn() {}, error() {} };

/**
 * Runs callers' statements, each in a process of its own that knows nothing of this one: it has no
 * environment, is given the files of one snapshot, and is killed when it has answered.
 */
export class StatementsApart {
  readonly #processes = new JobProcesses({
    environment: {},
    heapMb: HEAP_MB,
    mostIdle: 0,
    // The program stands beside this file, whether it is TypeScript or was built.
    program: [fileURLToPath(new URL(`./program${extname(import.meta.url)}`, import.meta.url))],
  });
  readonly #scheduler: Scheduler;
  readonly #options: StatementsOptions;

  constructor(options: StatementsOptions) {
    this.#options = options;
    this.#scheduler = new Scheduler({ slots: PLACES, timeoutSeconds: options.timeoutSeconds });
  }

  /** @throws InputError, BusyError, QueryTimeoutError, StoppingError, or the signal's reason */
  async ask(
    snapshot: SnapshotReference,
    statement: Statement,
    asker: Asker,
    signal?: AbortSignal,
  ): Promise<StatementOutcome> {
    const { filesOf, timeoutSeconds, log = SILENT } = this.#options;
    const files = filesOf(snapshot);
    if (!existsSync(files.model))
      throw new UnreadableSnapshotError(files.model, new Error('there is no such file on this server'));
    const job: StatementJob = { ...files, statement };
    const answer = (await this.#scheduler
      .run(
        { ...asker, business: snapshot.business_id },
        (stop) => this.#processes.run(job, { limits: limitsOf(timeoutSeconds), signal: stop, log }),
        signal,
      )
      .catch((error: unknown) => {
        throw inWords(error, timeoutSeconds);
      })) as StatementAnswer;
    if ('refused' in answer) throw new InputError(answer.refused.message, answer.refused.hint);
    return answer.outcome;
  }

  /** Ends what runs. */
  async close(): Promise<void> {
    await this.#scheduler.stop();
    await this.#processes[Symbol.asyncDispose]();
  }
}

/** What a caller is outcome of a process that was killed, or ended by itself. */
function inWords(error: unknown, timeoutSeconds: number): unknown {
  if (error instanceof LimitError) {
    if (error.limit === 'seconds') return new QueryTimeoutError(timeoutSeconds);
    return Object.assign(new InputError(`the statement was ended: ${error.message}`), { cause: error });
  }
  if (!(error instanceof EndedError)) return error;
  return Object.assign(new InputError('the statement ended its process; write it in another way'), {
    cause: error,
  });
}
