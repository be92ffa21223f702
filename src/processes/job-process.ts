import { type ChildProcess, spawn } from 'node:child_process';
import { extname } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { FromChild, ToChild } from './job-messages.ts';
import { EndedError, type Limit, LimitError, type Limits } from './limits.ts';
import { LIMIT_PIPE, MESSAGE_PIPE } from './watched.ts';
import { type Job, STOP_MS } from './work-for-parent.ts';

export interface ProcessOptions {
  readonly environment: NodeJS.ProcessEnv;
  /** The memory of V8 in MB. A process whose job holds more ends. */
  readonly heapMb: number;
  /** Another program that works for its parent, in tests. */
  readonly program?: readonly string[];
}

/** The program of a job's process. It lies beside this folder, whether it is TypeScript or was built. */
const PROGRAM = [fileURLToPath(new URL(`../cli/main${extname(import.meta.url)}`, import.meta.url)), 'jobs'];

export interface JobOptions {
  readonly limits: Limits;
  readonly signal: AbortSignal;
  readonly log: Job['log'];
  readonly onNote?: (note: unknown) => void;
  /** Makes jobs wait for each other. */
  readonly whenTurn?: <Result>(work: () => Promise<Result>) => Promise<Result>;
}

/**
 * The most that is kept of what a process writes by itself. The end is kept: V8 says there that its memory
 * was full.
 */
const MOST_WRITTEN = 4096;

/**
 * A child process of this program, which works on jobs one after the other within limits (`workForParent`).
 * It ends with this process, however that ends. What it is given and tells goes over pipes: nobody sees it in
 * a list of processes.
 */
export class JobProcess {
  readonly #child: ChildProcess;
  readonly #closed: Promise<void>;
  #written = '';
  #limit = '';
  #running: Running | null = null;
  /** The memory after the last job, in MB. */
  residentMb = 0;
  jobs = 0;
  isOver = false;

  constructor({ environment, heapMb, program = PROGRAM }: ProcessOptions) {
    const flags = ['--disable-warning=ExperimentalWarning', `--max-old-space-size=${heapMb}`];
    this.#child = spawn(process.execPath, [...flags, ...program], {
      env: environment,
      stdio: ['pipe', 'ignore', 'pipe', 'pipe', 'pipe'],
    });
    const { stdin, stderr, stdio } = this.#child;
    stdin?.on('error', () => {});
    stderr?.on('data', (bytes) => {
      this.#written = `${this.#written}${bytes}`.slice(-MOST_WRITTEN);
    });
    (stdio[LIMIT_PIPE] as Readable).on('data', (bytes) => {
      this.#limit += String(bytes);
    });
    this.#readTold(stdio[MESSAGE_PIPE] as Readable);
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#closed = promise;
    const ended = (how: string) => {
      this.#end(how);
      resolve();
    };
    this.#child.once('error', (error) => ended(`it could not be started: ${error.message}`));
    this.#child.once('close', (code, signal) => ended(signal ?? `code ${code}`));
  }

  /**
   * One job; only one at a time.
   *
   * @throws LimitError, EndedError, what the job threw, or the reason of the signal
   */
  async run(job: unknown, options: JobOptions): Promise<unknown> {
    const { signal, limits } = options;
    signal.throwIfAborted();
    if (this.isOver || this.#running !== null) throw new EndedError('the process has ended, or works');
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const running: Running = { ...options, resolve, reject, told: 0, hasTurn: null };
    this.#running = running;
    this.jobs += 1;
    let killing: NodeJS.Timeout | undefined;
    const stop = () => {
      this.#say({ say: 'stop' });
      killing = setTimeout(() => this.kill(), STOP_MS);
    };
    signal.addEventListener('abort', stop, { once: true });
    this.#say({ say: 'work', job, limits });
    try {
      return await promise;
    } catch (error) {
      throw signal.aborted ? signal.reason : error;
    } finally {
      clearTimeout(killing);
      signal.removeEventListener('abort', stop);
      running.hasTurn?.();
      this.#running = null;
      // Stopped, it ends in a moment.
      if (signal.aborted) this.kill();
    }
  }

  kill(): void {
    this.isOver = true;
    this.#child.kill('SIGKILL');
  }

  /** Ends it, and waits for that. */
  async close(): Promise<void> {
    this.kill();
    await this.#closed;
  }

  #say(said: ToChild): void {
    this.#child.stdin?.write(`${JSON.stringify(said)}\n`);
  }

  #readTold(pipe: Readable): void {
    let rest = '';
    pipe.setEncoding('utf8').on('data', (text: string) => {
      const running = this.#running;
      if (running === null) return;
      running.told += Buffer.byteLength(text);
      if (running.told > running.limits.toldBytes) {
        running.reject(new LimitError('told', running.limits));
        rest = '';
        return this.kill();
      }
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) this.#take(running, JSON.parse(line) as FromChild);
    });
  }

  #take(running: Running, told: FromChild): void {
    if (told.tell === 'log') running.log[told.level](told.details, told.message);
    else if (told.tell === 'note') running.onNote?.(told.note);
    else if (told.tell === 'wait') this.#giveTurn(running);
    else if (told.tell === 'on') running.hasTurn?.();
    else if (told.tell === 'done') {
      this.residentMb = told.residentMb;
      running.resolve(told.result);
    } else {
      const { name, message, stack } = told.error;
      if (told.isOver) this.isOver = true;
      const kind = told.isOver ? EndedError : Error;
      running.reject(Object.assign(new kind(`${name}: ${message}`), { stack: `${name}\n${stack}` }));
    }
  }

  #giveTurn(running: Running): void {
    const over = Promise.withResolvers<void>();
    running.hasTurn = over.resolve;
    const whenTurn = running.whenTurn ?? ((work) => work());
    whenTurn(async () => {
      if (this.#running !== running) return;
      this.#say({ say: 'turn' });
      await over.promise;
    }).catch(running.reject);
  }

  #end(how: string): void {
    this.isOver = true;
    const running = this.#running;
    if (running === null) return;
    const limit = /heap out of memory|Allocation failed/.test(this.#written) ? 'heap' : this.#limit;
    running.reject(
      limit === ''
        ? new EndedError(`the process ended in the middle of it (${how})`)
        : new LimitError(limit as Limit, running.limits),
    );
  }
}

interface Running extends JobOptions {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
  told: number;
  /** Ends the turn that it has. */
  hasTurn: (() => void) | null;
}
