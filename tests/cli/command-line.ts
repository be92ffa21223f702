import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { SharedProcess } from './shared-process.ts';

/** How the package's script runs the command line. */
export const NODE_ARGUMENTS = [
  '--disable-warning=ExperimentalWarning',
  fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url)),
];

/** Where Node keeps compiled modules: it halves the time that a start takes. */
export const NODE_COMPILE_CACHE = join(process.cwd(), 'node_modules/.cache/storesight-tests');

/** Nothing is spared in `npm run test:full`. */
const EACH_ITS_OWN = process.env.STORESIGHT_TEST_CACHE === 'off';

export interface Run {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface RunOptions {
  readonly stdin?: string;
  readonly env?: Record<string, string>;
}

/** A data folder of its own, and the real command line on it. */
export class CommandLine implements AsyncDisposable {
  readonly folder: string;
  readonly #program: readonly string[];
  readonly #shared: SharedProcess | null;

  private constructor(folder: string, program: readonly string[], isShared: boolean) {
    this.folder = folder;
    this.#program = program;
    this.#shared = isShared ? new SharedProcess(folder, this.environment) : null;
  }

  /** @param program what Node runs: this checkout, or another one */
  static async open(program: readonly string[] = NODE_ARGUMENTS): Promise<CommandLine> {
    return new CommandLine(await mkdtemp(join(tmpdir(), 'storesight-cli-')), program, false);
  }

  /** The commands follow each other in one process. Those of `runAlone` have processes of their own. */
  static async openShared(): Promise<CommandLine> {
    return new CommandLine(await mkdtemp(join(tmpdir(), 'storesight-cli-')), NODE_ARGUMENTS, !EACH_ITS_OWN);
  }

  /** Nothing of the tests' own environment, but for what a program needs to start. */
  get environment(): Record<string, string> {
    const { PATH = '', HOME = '' } = process.env;
    return { PATH, HOME, NODE_COMPILE_CACHE, STORESIGHT_DATA: join(this.folder, 'data') };
  }

  start(args: readonly string[], environment: Record<string, string> = {}) {
    return spawn(process.execPath, [...this.#program, ...args], {
      cwd: this.folder,
      env: { ...this.environment, ...environment },
    });
  }

  /** Starts a server at a port that is free, and waits for the URL that it prints; `logged` before that. */
  async serve(
    args: readonly string[] = [],
    environment: Record<string, string> = {},
  ): Promise<{ child: ChildProcessWithoutNullStreams; url: string; logged: string }> {
    const child = this.start(['serve', '--port', '0', ...args], environment);
    child.stdin.end();
    let printed = '';
    let logged = '';
    const onLog = (chunk: Buffer) => {
      logged += chunk;
    };
    child.stderr.on('data', onLog);
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    child.stdout.on('data', (chunk) => {
      printed += chunk;
      const [url] = /http:\/\/\S+\/mcp/.exec(printed) ?? [];
      if (url !== undefined) resolve(url);
    });
    child.once('close', () => reject(new Error(`serve ended: ${logged}`)));
    const url = await promise;
    child.stderr.off('data', onLog);
    return { child, url, logged };
  }

  async run(args: readonly string[], options: RunOptions = {}): Promise<Run> {
    if (this.#shared === null) return this.runAlone(args, options);
    const { stdin = '', env = {} } = options;
    return this.#shared.run({ args, stdin, env: { ...this.environment, ...env } });
  }

  /** Runs the command in a process of its own. */
  async runAlone(args: readonly string[], options: RunOptions = {}): Promise<Run> {
    const child = this.start(args, options.env);
    child.stdin.end(options.stdin ?? '');
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    const [stdout, stderr, status] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
    return { status, stdout, stderr };
  }

  /** The one document that a command prints with `--json`; the whole of stdout. */
  async json(args: readonly string[], stdin?: string): Promise<Record<string, unknown>> {
    const { status, stdout, stderr } = await this.run(
      [...args, '--json'],
      stdin === undefined ? {} : { stdin },
    );
    if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}: ${stderr}`);
    return JSON.parse(stdout);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#shared?.stop();
    await rm(this.folder, { recursive: true, force: true });
  }
}
