import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { PERMISSIONS } from '../../src/business/business.ts';
import { createAccount, grantAccess } from '../../src/control/people/accounts.ts';
import { openInstance } from '../../src/server/instance.ts';
import { readSettings } from '../../src/server/settings.ts';
import { CommandLine } from '../cli/command-line.ts';
import { post, replies, toolCall } from '../server/requests.ts';
import { startPostgresServer } from '../support/engines/postgres-server.ts';
import { report } from './report.ts';

const SHOP = fileURLToPath(new URL('../fixtures/hand-made-shop', import.meta.url));
const BUSINESS = '5f0c2a4e-1111-4222-8333-444455556666';
const CALLERS = 8;
const OUTAGES = 4;
const AWAY_MS = 1500;
const BACK_MS = 2500;
/** A caller is answered by then, away or not. */
const LONGEST_ANSWER_MS = 15_000;

it('calls are told when PostgreSQL is away, and answered again when it is back', async () => {
  const postgres = await startPostgresServer();
  await using cli = await CommandLine.open();
  try {
    const direct = new URL(postgres.url);
    await using line = await Line.open(Number(direct.port));
    const url = new URL(direct);
    url.port = String(line.port);
    const env = { STORESIGHT_CONTROL_URL: url.href };

    await expectSuccess(
      cli.run(['business', 'create', '--name', 'Shop', '--currency', 'CZK', '--id', BUSINESS], { env }),
    );
    await expectSuccess(cli.run(['import', BUSINESS, SHOP], { env }));
    await using instance = await openInstance(
      readSettings({ ...cli.environment, STORESIGHT_CONTROL_URL: direct.href }),
    );
    const account = await createAccount(instance.control, { email: 'someone@example.com', password: null });
    await grantAccess(instance.control, account.account_id, BUSINESS, PERMISSIONS);
    const made = await cli.run(['token', 'create', '--account', account.email, '--json'], { env });
    const { access_token: token } = JSON.parse(made.stdout);
    const { child, url: mcpUrl } = await cli.serve([], env);

    const range = { from_date: '2020-01-01T00:00:00', to_date: '2026-12-31T23:59:59' };
    const counts = { calls: 0, answered: 0, 'told to try again': 0, outages: 0, imports: 0 };
    const worst = { 'longest answer ms': 0, 'back after ms': 0 };
    const ask = async (): Promise<string> => {
      const startedAt = performance.now();
      const response = await post(mcpUrl, toolCall('order_statistics', { business_id: BUSINESS, ...range }), {
        token,
      });
      const text = response.ok ? JSON.stringify(await replies(response)) : await response.text();
      worst['longest answer ms'] = Math.max(
        worst['longest answer ms'],
        Math.round(performance.now() - startedAt),
      );
      counts.calls += 1;
      return text;
    };
    const expected = await ask();
    expect(expected).toContain('orders_count');

    let isOver = false;
    const callers = Array.from({ length: CALLERS }, async () => {
      while (!isOver) {
        const text = await ask();
        if (withoutIds(text) === withoutIds(expected)) counts.answered += 1;
        else {
          expect(text).toContain('the control database does not answer; try again in a moment');
          counts['told to try again'] += 1;
        }
        await setTimeout(20);
      }
    });
    const outages = (async () => {
      for (; counts.outages < OUTAGES; counts.outages += 1) {
        // Two things happen in turn: connections break, one after the other, and a server is gone.
        const importing = cli.run(['import', BUSINESS, SHOP, '--json'], { env });
        await setTimeout(BACK_MS * Math.random());
        await line.cut(counts.outages % 2 === 0 ? AWAY_MS : 0);
        const backAt = performance.now();
        while (!(await ask()).includes('orders_count')) await setTimeout(20);
        worst['back after ms'] = Math.max(worst['back after ms'], Math.round(performance.now() - backAt));
        const { status, stdout } = await importing;
        if (status !== 0) expect(JSON.parse(stdout).error).toMatch(/control database|nothing was changed/);
        counts.imports += 1;
      }
    })().finally(() => {
      isOver = true;
    });
    await Promise.all([outages, ...callers]);

    expect(child.exitCode).toBe(null);
    expect(counts['told to try again']).toBeGreaterThan(0);
    expect(worst['longest answer ms']).toBeLessThan(LONGEST_ANSWER_MS);
    // What the last import left belongs to somebody, and the next one works.
    await expectSuccess(cli.run(['import', BUSINESS, SHOP], { env }));
    const listed = await cli.run(['snapshot', 'list', BUSINESS, '--json'], { env });
    expect(JSON.parse(listed.stdout).unknown).toEqual([]);
    child.kill('SIGKILL');
    await once(child, 'close');
    report('postgres', { counts, worst });
  } finally {
    await postgres.stop();
  }
});

async function expectSuccess(run: ReturnType<CommandLine['run']>): Promise<void> {
  const { status, stderr } = await run;
  expect(status, stderr).toBe(0);
}

/** The ids of messages count up. */
function withoutIds(text: string): string {
  return text.replaceAll(/"id":\d+/g, '');
}

/** The way to a server, which can be cut. */
class Line implements AsyncDisposable {
  readonly port: number;
  readonly #server: Server;
  readonly #sockets: Set<Socket>;

  private constructor(server: Server, port: number, sockets: Set<Socket>) {
    this.#server = server;
    this.port = port;
    this.#sockets = sockets;
  }

  static async open(to: number): Promise<Line> {
    const sockets = new Set<Socket>();
    const server = createServer((client) => {
      const target = connect(to, '127.0.0.1');
      for (const [one, other] of [
        [client, target],
        [target, client],
      ] as const) {
        sockets.add(one);
        one.on('error', () => {});
        one.on('close', () => {
          sockets.delete(one);
          other.destroy();
        });
        one.pipe(other);
      }
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new Line(server, (server.address() as { port: number }).port, sockets);
  }

  /** Breaks all connections, and takes no new ones for a while. */
  async cut(forMs: number): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    for (const socket of this.#sockets) socket.resetAndDestroy();
    await closed;
    await setTimeout(forMs);
    this.#server.listen(this.port, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }
}
