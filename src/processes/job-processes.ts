import { type JobOptions, JobProcess, type ProcessOptions } from './job-process.ts';

interface PoolOptions extends ProcessOptions {
  /**
   * How many stay for the next job; each takes about 250 MB once it has imported. A start takes as long as
   * several tiny runs.
   */
  readonly mostIdle: number;
}

/**
 * A process is replaced after this many jobs, or when it has grown to this many MB: that bounds what
 * libraries leave behind.
 */
const MOST = { jobs: 500, residentMb: 700 } as const;

/** Processes for jobs. Each works on one at a time; one that was killed, has grown or is old is replaced. */
export class JobProcesses implements AsyncDisposable {
  readonly #options: PoolOptions;
  readonly #idle: JobProcess[] = [];
  readonly #working = new Set<JobProcess>();

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  /** @throws as `JobProcess.run` */
  async run(job: unknown, options: JobOptions): Promise<unknown> {
    options.signal.throwIfAborted();
    const process = this.#take();
    this.#working.add(process);
    try {
      return await process.run(job, options);
    } finally {
      this.#working.delete(process);
      const isFit = !process.isOver && process.jobs < MOST.jobs && process.residentMb < MOST.residentMb;
      if (isFit && this.#idle.length < this.#options.mostIdle) this.#idle.push(process);
      else process.kill();
    }
  }

  #take(): JobProcess {
    for (;;) {
      const process = this.#idle.pop();
      if (process === undefined) return new JobProcess(this.#options);
      if (!process.isOver) return process;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#idle.splice(0), ...this.#working].map((process) => process.close()));
  }
}
