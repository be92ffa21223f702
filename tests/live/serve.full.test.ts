import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { CommandLine } from '../cli/command-line.ts';
import { ask } from '../server/requests.ts';

const HEADER = 'order_id,ordered_at,currency,total,status,email';

it('a server reads connections beside its answers, has no worker without one, and ends its worker with itself', async () => {
  let orders = `${HEADER}\n1,2026-10-10T10:00:00Z,EUR,10,paid,person1@example.com\n`;
  const files = createServer((_, response) => response.end(orders));
  await new Promise<void>((resolve) => files.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(files.address() as AddressInfo).port}/orders.csv`;
  const environment = { STORESIGHT_VENDORS_ON_LOOPBACK: 'true' };
  await using cli = await CommandLine.open();
  try {
    const { business_id } = await cli.json(['business', 'create', '--name', 'Shop', '--currency', 'EUR']);
    await cli.json(['account', 'create', '--email', 'ada@example.com']);
    const account = ['--account', 'ada@example.com'];
    await cli.json(['account', 'grant', ...account, '--business', String(business_id), '--all-permissions']);
    const { access_token } = await cli.json(['token', 'create', ...account]);
    const { child, url } = await cli.serve([], environment);
    let logged = '';
    child.stderr.on('data', (chunk) => {
      logged += chunk;
    });
    const question = {
      business_id,
      ...{ from_date: '2026-10-01T00:00:00', to_date: '2026-10-31T23:59:59' },
    };
    const counted = async () => {
      const [answer = ''] = await ask(url, String(access_token), 'order_statistics', question);
      return Number(/"orders_count":(\d+)/.exec(answer)?.[1] ?? 0);
    };
    const until = async (count: number) => {
      while ((await counted()) !== count) await setTimeout(200);
    };
    expect(logged).not.toContain('working');
    const added = await cli.runAlone(
      ['source', 'add', String(business_id), 'url', '--secret-stdin', '--every', '1'],
      {
        stdin: address,
        env: environment,
      },
    );
    expect(added.status).toBe(0);
    await until(1);
    orders += '2,2026-10-11T10:00:00Z,EUR,20,paid,person2@example.com\n';
    await until(2);
    child.kill('SIGTERM');
    expect(await once(child, 'close')).toEqual([0, null]);
    expect(logged).toContain('a connection was read');
    expect(logged).not.toMatch(/person1|orders\.csv/);
    const workerOf = (text: string) => Number(/"pid":(\d+)[^\n]*"working"/.exec(text)?.[1]);
    expect(() => process.kill(workerOf(logged), 0)).toThrow('ESRCH');

    const killed = await cli.serve([], environment);
    let loggedThen = '';
    killed.child.stderr.on('data', (chunk) => {
      loggedThen += chunk;
    });
    while (Number.isNaN(workerOf(loggedThen))) await setTimeout(200);
    killed.child.kill('SIGKILL');
    const isAlive = () => {
      try {
        return process.kill(workerOf(loggedThen), 0);
      } catch {
        return false;
      }
    };
    while (isAlive()) await setTimeout(100);
  } finally {
    files.closeAllConnections();
    files.close();
  }
});
