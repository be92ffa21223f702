import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Run } from './command-line.ts';
import type { Asked } from './one-process.ts';

const PROGRAM = fileURLToPath(new URL('one-process.ts', import.meta.url));

/** One process for many commands, which follow each other there. */
export class SharedProcess {
  readonly #process: ChildProcess;
  readonly #ended: Promise<never>;
  #last: Promise<unknown> = Promise.resolve();

  constructor(cwd: string, env: Record<string, string>) {
    const execArgv = ['--disable-warning=ExperimentalWarning'];
    this.#process = fork(PROGRAM, { cwd, env, execArgv, silent: true });
    this.#ended = once(this.#process, 'exit').then(([status]) => {
      throw new Error(`the process of all commands ended with ${status}`);
    });
    // A failure before the first command, and in the end, is caught here.
    this.#ended.catch(() => {});
  }

  run(asked: Asked): Promise<Run> {
    const run = this.#last.then(async () => {
      const answered = once(this.#process, 'message');
      this.#process.send(asked);
      const [answer] = await Promise.race([answered, this.#ended]);
      return answer as Run;
    });
    this.#last = run.catch(() => {});
    return run;
  }

  async stop(): Promise<void> {
    this.#process.kill();
    await this.#ended.catch(() => {});
  }
}
