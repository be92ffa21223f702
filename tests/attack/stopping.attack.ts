import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { CATALOGUE } from '../../src/catalogue.ts';
import { ask } from '../server/requests.ts';
import { askLargeShop, LARGE_SHOP, writeLargeShop } from '../support/large-shop.ts';
import { report } from './report.ts';
import { Target } from './target.ts';

const MINUTES = Number(process.env.STORESIGHT_ATTACK_MINUTES ?? 2);
/** The tool takes seconds with these arguments on a shop of this size. */
const SLOW_TOOL = 'targeted_campaign_statistics';
const SHARE = 0.1;
/** A process that has not ended by then never would. */
const MOST_SECONDS = 30;

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

it('whatever is asked to end ends within 10 s, and whatever is killed leaves the data as they were', async () => {
  await using target = await Target.open();
  const files = join(target.cli.folder, 'files');
  await writeLargeShop(files, SHARE);
  const shop = await target.makeShop(LARGE_SHOP, files);
  const { business_id } = shop;
  const { token } = await target.signIn([shop]);
  const tool = CATALOGUE.find(({ name }) => name === SLOW_TOOL);
  if (tool === undefined) throw new Error(`no tool ${SLOW_TOOL}`);
  const args = askLargeShop(tool, business_id) ?? {};
  const reference = await answerOf(target, args);

  /** What may be under way when the signal comes; each gives its process, some moments into its work. */
  const states: Readonly<Record<string, () => Promise<ChildProcess>>> = {
    'serve, idle': async () => (await target.serve()).child,
    'serve, slow calls': async () => {
      const server = await target.serve();
      for (let call = 0; call < 20; call += 1) ask(server.url, token, SLOW_TOOL, args).catch(() => []);
      await pause(500 + 2000 * Math.random());
      return server.child;
    },
    'serve, open connections': async () => {
      const server = await target.serve();
      await Promise.all(
        Array.from({ length: 20 }, async () => (await fetch(new URL('/healthz', server.url))).text()),
      );
      return server.child;
    },
    call: async () => {
      const child = target.cli.start(['call', SLOW_TOOL, JSON.stringify(args)]);
      await pause(4000 * Math.random());
      return child;
    },
    stdio: async () => {
      const child = target.cli.start(['stdio']);
      const call = {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: SLOW_TOOL, arguments: args },
      };
      child.stdin.write(`${JSON.stringify(call)}\n`);
      await pause(4000 * Math.random());
      return child;
    },
    import: async () => {
      const child = target.cli.start(['import', business_id, files]);
      await pause(15_000 * Math.random());
      return child;
    },
  };

  const seconds = new Map<string, number>();
  const counts = { stopped: 0, killed: 0, asked_twice: 0 };
  let twice = 0;
  const end = performance.now() + MINUTES * 60_000;
  for (let round = 0; round === 0 || performance.now() < end; round += 1) {
    for (const [state, start] of Object.entries(states)) {
      const child = await start();
      const took = await secondsToEnd(child, 'SIGTERM');
      seconds.set(state, Math.max(took, seconds.get(state) ?? 0));
      counts.stopped += 1;
      expect(took, state).toBeLessThan(10);
    }
    // Asked twice is at once, whatever is under way.
    const impatient = await states['serve, slow calls']?.();
    if (impatient === undefined) throw new Error('no state');
    impatient.kill('SIGTERM');
    await pause(50);
    twice = Math.max(twice, await secondsToEnd(impatient, 'SIGTERM'));
    counts.asked_twice += 1;

    for (const state of ['import', 'serve, slow calls']) {
      const child = await states[state]?.();
      if (child === undefined) throw new Error(state);
      await secondsToEnd(child, 'SIGKILL');
      counts.killed += 1;
    }
    expect(await answerOf(target, args)).toBe(reference);
  }
  expect(twice).toBeLessThan(1);
  const worst = Object.fromEntries(
    [...seconds].map(([state, took]) => [`${state}: s`, Math.round(10 * took) / 10]),
  );
  report('stopping', { counts, worst });
});

async function secondsToEnd(child: ChildProcess, signal: NodeJS.Signals): Promise<number> {
  if (child.exitCode !== null || child.signalCode !== null) return 0;
  const ended = once(child, 'exit');
  const asked = performance.now();
  child.kill(signal);
  const giveUp = setTimeout(() => child.kill('SIGKILL'), MOST_SECONDS * 1000);
  await ended;
  clearTimeout(giveUp);
  return (performance.now() - asked) / 1000;
}

async function answerOf({ cli }: Target, args: object): Promise<string> {
  const { status, stdout, stderr } = await cli.run(['call', SLOW_TOOL, JSON.stringify(args), '--json']);
  if (status !== 0) throw new Error(stderr);
  return stdout;
}
