import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { Business } from '../../src/business/business.ts';
import { createBusiness, findBusiness, type NewBusiness } from '../../src/control/businesses/businesses.ts';
import { prepareDemo } from '../../src/demo/prepare-demo.ts';
import { type Instance, openInstance } from '../../src/server/instance.ts';
import { readSettings } from '../../src/server/settings.ts';
import { CommandLine } from '../cli/command-line.ts';
import { signIn } from '../server/test-server.ts';

const HEAP = '--max-old-space-size=256';

/** A data folder of its own, and real servers on it: processes that can be killed and weighed. */
export class Target implements AsyncDisposable {
  /** Runs any command on the data folder; `cli.folder` is the working directory of all its processes. */
  readonly cli: CommandLine;
  /** The data folder, opened in this process too, to prepare and to change what servers see. */
  readonly instance: Instance;
  readonly #servers: ServerProcess[] = [];

  private constructor(cli: CommandLine, instance: Instance) {
    this.cli = cli;
    this.instance = instance;
  }

  static async open(): Promise<Target> {
    const cli = await CommandLine.open();
    return new Target(cli, await openInstance(readSettings(cli.environment)));
  }

  /** Both demo shops, as the first start makes them. */
  async makeDemo(): Promise<void> {
    await prepareDemo(this.instance, { progress: (_title, work) => work(() => {}) });
  }

  /** A business with the empty snapshot that it is created with. */
  async makeEmptyShop(name: string): Promise<Business> {
    const { business_id } = await this.cli.json(['business', 'create', '--name', name]);
    return findBusiness(this.instance.control, String(business_id));
  }

  /** A business with what is in the folder. */
  async makeShop(newBusiness: NewBusiness, folder: string): Promise<Business> {
    const business = await createBusiness(this.instance.control, newBusiness);
    await this.cli.json(['import', business.business_id, folder]);
    return business;
  }

  /** An account that may read these businesses, and a token for it. */
  async signIn(
    businesses: readonly Pick<Business, 'business_id'>[],
    options: Parameters<typeof signIn>[2] = {},
  ): ReturnType<typeof signIn> {
    return signIn(this, businesses, options);
  }

  /**
   * Starts a server at a port that is free; `environment` are its settings. Its heap is small, since a large
   * one grows for long before anything is collected, and then a leak looks like that.
   */
  async serve(environment: Record<string, string> = {}, ...args: string[]): Promise<ServerProcess> {
    const { child, url, logged } = await this.cli.serve(args, { NODE_OPTIONS: HEAP, ...environment });
    const server = new ServerProcess(child, url, logged);
    this.#servers.push(server);
    return server;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const server of this.#servers) await server.kill();
    await this.instance[Symbol.asyncDispose]();
    await this.cli[Symbol.asyncDispose]();
  }
}

/** `serve` in a process of its own. */
class ServerProcess {
  readonly child: ChildProcessWithoutNullStreams;
  /** The URL of its MCP endpoint. */
  readonly url: string;
  readonly ended: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
  #log: string;

  constructor(child: ChildProcessWithoutNullStreams, url: string, logged: string) {
    this.child = child;
    this.url = url;
    this.#log = logged;
    this.ended = once(child, 'close').then(([code, signal]) => ({ code, signal }));
    child.stderr.on('data', (chunk) => {
      this.#log += chunk;
    });
  }

  /** Its log lines so far. */
  get log(): string {
    return this.#log;
  }

  get isRunning(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  /** How much of the machine's memory it holds now, in megabytes. */
  async memoryMb(): Promise<number> {
    const status = await readFile(`/proc/${this.child.pid}/status`, 'utf8');
    return Math.round(Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024);
  }

  /** Connections of clients that the system holds open for it. */
  async connections(): Promise<number> {
    const port = Number(new URL(this.url).port).toString(16).toUpperCase().padStart(4, '0');
    const ESTABLISHED = '01';
    const rows = (await readFile(`/proc/${this.child.pid}/net/tcp`, 'utf8')).split('\n').slice(1);
    return rows
      .map((row) => row.trim().split(/\s+/))
      .filter(([, local, , state]) => local?.endsWith(`:${port}`) && state === ESTABLISHED).length;
  }

  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    if (this.isRunning) this.child.kill(signal);
    await this.ended;
  }
}
