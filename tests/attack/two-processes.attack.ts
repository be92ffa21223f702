import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runTool } from '../../src/asking/run-tool.ts';
import { CATALOGUE } from '../../src/catalogue.ts';
import { operatorCaller } from '../../src/control/people/callers.ts';
import { openWarehouse } from '../../src/server/open-warehouse.ts';
import { readSettings } from '../../src/server/settings.ts';
import { toolEnvironment } from '../../src/server/tool-environment.ts';
import { ask } from '../server/requests.ts';
import { askLargeShop, LARGE_SHOP, writeLargeShop } from '../support/large-shop.ts';
import { report } from './report.ts';
import { Target } from './target.ts';

const MINUTES = Number(process.env.STORESIGHT_ATTACK_MINUTES ?? 2);
/** A shop that does not fit into the memory; the large one takes minutes to import. */
const SIZE = MINUTES >= 10 ? { share: 1, memory: '300MB' } : { share: 0.1, memory: '60MB' };
/** The calls that each server gets at once. */
const CALLS_AT_ONCE = 3;

interface Call {
  readonly tool: string;
  readonly args: object;
  readonly expected: string;
}

it('two servers with little memory on one folder answer as one with plenty', async () => {
  await using target = await Target.open();
  const files = join(target.cli.folder, 'files');
  await writeLargeShop(files, SIZE.share);
  const business = await target.makeShop(LARGE_SHOP, files);
  const calls = await answersOfOne(target, business.business_id);
  const { token } = await target.signIn([business]);
  const little = { STORESIGHT_MEMORY_LIMIT: SIZE.memory, STORESIGHT_LOG_LEVEL: 'warn' };
  const servers = [await target.serve(little), await target.serve(little)];

  const counts = { calls: 0, moments_spilling: 0, refused: 0, wrong: 0, ended: 0 };
  const wrong = new Set<string>();
  const watching = setInterval(() => {
    if (isSpilling(target)) counts.moments_spilling += 1;
  }, 50);
  const end = performance.now() + MINUTES * 60_000;
  const askInTurn = async (url: string, first: number) => {
    for (let turn = first; performance.now() < end; turn += 1) {
      const { tool, args, expected } = calls[(turn * 7) % calls.length] as Call;
      const [answer] = await ask(url, token, tool, args).catch(() => ['']);
      counts.calls += 1;
      if (answer === expected) continue;
      if (answer?.startsWith('the query needs more')) {
        counts.refused += 1;
      } else {
        counts.wrong += 1;
        wrong.add(`${tool}: ${answer?.slice(0, 200)}`);
      }
    }
  };
  await Promise.all(
    servers.flatMap(({ url }, server) =>
      Array.from({ length: CALLS_AT_ONCE }, (_, client) => askInTurn(url, server * 5 + client * 11)),
    ),
  );
  clearInterval(watching);
  counts.ended = servers.filter(({ isRunning }) => !isRunning).length;
  expect([...wrong]).toEqual([]);
  expect(counts.ended).toBe(0);
  // Else nothing was attacked.
  expect(counts.moments_spilling).toBeGreaterThan(0);
  expect(existsSync(join(target.cli.folder, '.tmp'))).toBe(false);
  const memory = await Promise.all(servers.map((server) => server.memoryMb()));
  for (const server of servers) await server.kill('SIGTERM');
  expect(readdirSync(target.instance.data.spill)).toEqual(['lock']);
  report('two-processes', { counts, worst: { memory_mb: Math.max(...memory) } });
});

/** Asks an engine that is alone and has all the memory it wants. */
async function answersOfOne(target: Target, businessId: string): Promise<Call[]> {
  const { instance } = target;
  const warehouse = await openWarehouse(instance, readSettings(target.cli.environment));
  const environment = toolEnvironment(instance, warehouse);
  const calls: Call[] = [];
  for (const tool of CATALOGUE) {
    const args = askLargeShop(tool, businessId);
    if (args === null) continue;
    const { result } = await runTool(environment, tool, args, operatorCaller(instance.control));
    calls.push({ tool: tool.name, args, expected: JSON.stringify(result) });
  }
  await warehouse.close();
  return calls;
}

function isSpilling({ instance }: Target): boolean {
  const root = instance.data.spill;
  return readdirSync(root).some((name) => existsSync(join(root, name, 'content')));
}
