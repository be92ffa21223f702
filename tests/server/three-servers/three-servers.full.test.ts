// Three servers on one data folder and one PostgreSQL, behind a balancer and under load, while one is killed,
// one is cut off, one is exchanged and files are imported: docs/scaling-out.md says what of it a client sees.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createBusiness } from '../../../src/control/businesses/businesses.ts';
import { type Instance, openInstance } from '../../../src/server/instance.ts';
import { readSettings } from '../../../src/server/settings.ts';
import { CommandLine, NODE_ARGUMENTS } from '../../cli/command-line.ts';
import { openPlaces, type Places } from '../../control/engines.ts';
import { connectV1, connectV2 } from '../../mcp/official-clients.ts';
import { freePort } from '../../support/free-port.ts';
import { post, replies, toolCall } from '../requests.ts';
import { signIn } from '../test-server.ts';
import { Balancer } from './balancer.ts';
import {
  BUSINESS,
  BUSINESS_ID,
  FILES_BEFORE,
  knownAnswers,
  type Question,
  writeArriving,
} from './known-answers.ts';
import { HAS_NAMESPACES, loopbackMachine, type Machine, namespaceMachine } from './machines.ts';

const HOST = 'analytics.example.com';
const QUESTIONS = 60;
const PLAIN_CLIENTS = 6;
/** So many answers come, and so much time goes by, between one thing that happens and the next. */
const PHASE = { answers: 40, ms: 3000 };
/** The machine may have much else to do. */
const LONGEST_WAIT_MS = 300_000;
/** How often a client asks again when its connection breaks. */
const TRIES = 3;

let places: Places;
let questions: Question[];

beforeAll(async () => {
  places = await openPlaces();
  questions = knownAnswers(QUESTIONS);
  expect(questions).toHaveLength(QUESTIONS);
  const differ = questions.filter(({ before, after }) => !isDeepStrictEqual(before, after));
  expect(differ.length).toBeGreaterThan(QUESTIONS / 4);
});

afterAll(() => places[Symbol.asyncDispose]());

/** A server on a machine, in a process that can be killed and started again. */
class Server {
  readonly origin: string;
  readonly #machine: Machine;
  readonly #cli: CommandLine;
  readonly #environment: Record<string, string>;
  #process: ChildProcess | null = null;
  #log = '';

  private constructor(
    machine: Machine,
    cli: CommandLine,
    origin: string,
    environment: Record<string, string>,
  ) {
    this.#machine = machine;
    this.#cli = cli;
    this.origin = origin;
    this.#environment = environment;
  }

  static async start(machine: Machine, cli: CommandLine, controlUrl: string): Promise<Server> {
    const port = await freePort();
    const server = new Server(machine, cli, `http://${machine.address}:${port}`, {
      ...cli.environment,
      STORESIGHT_CONTROL_URL: await machine.reach(controlUrl),
      STORESIGHT_BASE_URL: `https://${HOST}`,
      STORESIGHT_TRUSTED_PROXIES: machine.neighbour,
      STORESIGHT_HOST: machine.address,
      STORESIGHT_PORT: String(port),
      STORESIGHT_QUERY_TIMEOUT_S: String(LONGEST_WAIT_MS / 1000),
      STORESIGHT_LOG_LEVEL: 'warn',
    });
    await server.start();
    return server;
  }

  async start(): Promise<void> {
    const [program, args] = this.#machine.command([
      process.execPath,
      ...NODE_ARGUMENTS,
      'serve',
      '--behind-proxy',
    ]);
    const child = spawn(program, args, {
      cwd: this.#cli.folder,
      env: this.#environment,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    child.stderr?.on('data', (chunk) => {
      this.#log += chunk;
    });
    this.#process = child;
    await waitUntil(async () => {
      if (child.exitCode !== null) throw new Error(`a server ended: ${this.#log}`);
      return fetch(new URL('/healthz', this.origin)).then(
        ({ ok }) => ok,
        () => false,
      );
    });
  }

  /** Errors that it logged. */
  get errors(): string[] {
    return this.#log.split('\n').filter((line) => /"level":(50|60|"error"|"fatal")/.test(line));
  }

  async end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#process;
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  }
}

type Answer = Readonly<Record<string, unknown>> | undefined;
type Asker = (question: Question) => Promise<Answer>;

/** Clients that ask one question after the other until it is ended. */
class Load {
  answers = 0;
  /** Calls that a client asked again, since the answer broke. */
  askedAgain = 0;
  slowestMs = 0;
  readonly wrong: string[] = [];
  readonly lost: string[] = [];
  /** 0: before an import, 1: while it runs, 2: when it has published. */
  imports: 0 | 1 | 2 = 0;
  readonly #questions: readonly Question[];
  readonly #clients: Promise<void>[];
  #hasEnded = false;

  constructor(questions: readonly Question[], askers: readonly Asker[]) {
    this.#questions = questions;
    this.#clients = askers.map((ask, client) => this.#askInTurn(ask, client));
  }

  async phase(): Promise<void> {
    const goal = this.answers + PHASE.answers;
    await setTimeout(PHASE.ms);
    await waitUntil(() => this.answers >= goal);
  }

  async end(): Promise<void> {
    this.#hasEnded = true;
    await Promise.all(this.#clients);
  }

  async #askInTurn(ask: Asker, client: number): Promise<void> {
    for (let turn = 17 * client; !this.#hasEnded; turn += 1) {
      const question = this.#questions[turn % this.#questions.length] as Question;
      const begun = performance.now();
      const from = this.imports;
      try {
        this.#check(question, await this.#tryToAsk(ask, question), from);
      } catch (error) {
        this.lost.push(`${question.tool}: ${String(error).slice(0, 300)}`);
      }
      this.slowestMs = Math.max(this.slowestMs, Math.round(performance.now() - begun));
      this.answers += 1;
    }
  }

  async #tryToAsk(ask: Asker, question: Question): Promise<Answer> {
    for (let tried = 1; ; tried += 1) {
      try {
        return await ask(question);
      } catch (error) {
        if (tried === TRIES || !(error instanceof TypeError)) throw error;
        this.askedAgain += 1;
      }
    }
  }

  #check(question: Question, answer: Answer, from: 0 | 1 | 2): void {
    // What is told beside the result, of which the oracle says nothing.
    const { notes: _notes, calendar_events: _events, ...result } = answer ?? {};
    const allowed: object[] = [];
    if (from < 2) allowed.push(question.before);
    if (this.imports > 0) allowed.push(question.after);
    if (allowed.some((one) => isDeepStrictEqual(result, one))) return;
    this.wrong.push(
      `${question.tool} ${JSON.stringify(question.args)}: ${JSON.stringify(result).slice(0, 300)}`,
    );
  }
}

/**
 * Clients as there are: requests by hand, and the official ones, which shake hands with whichever server they
 * meet.
 */
async function askersOf(url: string, token: string): Promise<Asker[]> {
  const byHand: Asker = async ({ tool, args }) => {
    const response = await post(url, toolCall(tool, args), { token });
    if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`);
    const [reply] = await replies(response);
    if (reply?.result === undefined || reply.result.isError === true)
      throw new Error(JSON.stringify(reply).slice(0, 300));
    return reply.result.structuredContent;
  };
  const clients = [
    await connectV1(url, token),
    await connectV2(url, token, 'legacy'),
    await connectV2(url, token, 'auto'),
  ];
  const official = clients.map(
    (client): Asker =>
      async ({ tool, args }) => {
        const { isError, structuredContent, content } = await client.callTool(tool, args, {
          timeout: LONGEST_WAIT_MS,
        });
        if (isError === true) throw new Error(content[0]?.text);
        return structuredContent;
      },
  );
  return [...Array.from({ length: PLAIN_CLIENTS }, () => byHand), ...official];
}

async function makeShop(cli: CommandLine, { control }: Instance, env: Record<string, string>): Promise<void> {
  const { timezone, primary_currency: currency } = BUSINESS;
  await createBusiness(control, { id: BUSINESS_ID, name: 'Shop', timezone, currency });
  await importFiles(cli, FILES_BEFORE, env);
}

async function importFiles(cli: CommandLine, files: string, env: Record<string, string>) {
  const { status, stderr } = await cli.run(['import', BUSINESS_ID, files], { env });
  if (status !== 0) throw new Error(stderr);
}

async function waitUntil(isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (const end = performance.now() + LONGEST_WAIT_MS; !(await isSo()); await setTimeout(50))
    if (performance.now() > end) throw new Error(`this never came true: ${isSo}`);
}

const LAYOUTS: [string, boolean, (number: number) => Machine][] = [
  ['three addresses of one machine', true, loopbackMachine],
  ['three network namespaces (skipped where the system lets us make none)', HAS_NAMESPACES, namespaceMachine],
];

describe.each(LAYOUTS)('three servers on %s', (_name, isThere, machineOf) => {
  it.skipIf(!isThere)('give no wrong answer and lose none, whatever happens to one server', async () => {
    await using stack = new AsyncDisposableStack();
    const cli = stack.use(await CommandLine.open());
    const controlUrl = await places.fresh('PostgreSQL');
    const env = { STORESIGHT_CONTROL_URL: controlUrl };
    const instance: Instance = stack.use(await openInstance(readSettings({ ...cli.environment, ...env })));
    await makeShop(cli, instance, env);

    const machines = [1, 2, 3].map((number) => stack.use(machineOf(number)));
    const servers = await Promise.all(machines.map((machine) => Server.start(machine, cli, controlUrl)));
    for (const server of servers) stack.defer(() => server.end('SIGKILL'));
    const origins = servers.map(({ origin }) => origin);
    const balancer = stack.use(await Balancer.open(HOST, origins));
    const { token } = await signIn({ instance }, [{ business_id: BUSINESS_ID }]);
    const load = new Load(questions, await askersOf(balancer.url, token));
    stack.defer(() => load.end());
    const [killed, cutOff, exchanged] = servers as [Server, Server, Server];
    await load.phase();

    await killed.end('SIGKILL');
    await load.phase();
    expect(balancer.repeated).toBeGreaterThan(0);
    await killed.start();
    await load.phase();

    // What is cut off meanwhile must not answer with what it knew when it is back.
    const [, cable] = machines as [Machine, Machine, Machine];
    cable.unplug?.();
    if (cable.unplug !== null) await waitUntil(() => !balancer.isUp(cutOff.origin));
    load.imports = 1;
    await importFiles(cli, writeArriving(cli.folder), env);
    load.imports = 2;
    await load.phase();
    cable.plug();
    await waitUntil(() => balancer.isUp(cutOff.origin));
    await load.phase();

    await exchanged.end('SIGTERM');
    await exchanged.start();
    await load.phase();
    await load.end();

    const { answers, askedAgain, slowestMs } = load;
    console.info({
      ...{ answers, askedAgain, slowestMs, repeated: balancer.repeated, broken: balancer.broken },
      answered: Object.fromEntries(balancer.answered),
    });
    expect({ wrong: load.wrong.slice(0, 5), lost: load.lost.slice(0, 5) }).toEqual({ wrong: [], lost: [] });
    for (const origin of origins)
      expect(balancer.answered.get(origin) ?? 0).toBeGreaterThan(PHASE.answers / 2);
    expect(servers.flatMap(({ errors }) => errors)).toEqual([]);
  });
});
