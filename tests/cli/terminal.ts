import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { stripVTControlCharacters } from 'node:util';

/** Keys as a terminal sends them. */
export const KEYS = { enter: '\r', down: '\x1b[B', space: ' ', stop: '\x03' };

/** The `script` of other systems has other options. */
export const HAS_SCRIPT = process.platform === 'linux';

const LONGEST_WAIT_MS = 60_000;

/** A program in a terminal, which `script` of util-linux makes, with a person at it. */
export class Terminal implements AsyncDisposable {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #closed: Promise<unknown>;
  #shown = '';
  #read = 0;

  constructor(command: readonly string[], options: { cwd: string; env: Record<string, string> }) {
    const line = command.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');
    this.#child = spawn(
      'script',
      ['--quiet', '--flush', '--return', '--command', `stty cols 160 rows 50; exec ${line}`, '/dev/null'],
      options,
    );
    this.#closed = once(this.#child, 'close');
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream.on('data', (chunk: Buffer) => {
        this.#shown += chunk.toString();
      });
  }

  /** Waits until the text comes up, after what was waited for before; returns all that came up until then. */
  async shows(text: string, longestMs = LONGEST_WAIT_MS): Promise<string> {
    const until = Date.now() + longestMs;
    for (;;) {
      const shown = stripVTControlCharacters(this.#shown);
      const at = shown.indexOf(text, this.#read);
      if (at >= 0) {
        this.#read = at + text.length;
        return shown;
      }
      const hasEnded = this.#child.exitCode !== null;
      if (hasEnded || Date.now() > until)
        throw new Error(`"${text}" ${hasEnded ? 'never came' : 'did not come'} up in:\n${shown}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  press(...keys: readonly string[]): void {
    this.#child.stdin.write(keys.join(''));
  }

  /** @returns the exit code of the program */
  async ended(): Promise<number | null> {
    await this.#closed;
    return this.#child.exitCode;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#closed;
  }
}
