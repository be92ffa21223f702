import { createHmac } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { CommandLine } from '../cli/command-line.ts';
import { ask } from '../server/requests.ts';
import { seededRandom } from './stubs/random.ts';
import { Clock } from './stubs/stub-access.ts';
import { MadeSite } from './stubs/woocommerce/made-site.ts';
import { KEY, startWoocommerceStub } from './stubs/woocommerce/woocommerce-stub.ts';

const WEBHOOK_SECRET = 'made-up-webhook-secret';
const ENVIRONMENT = { STORESIGHT_VENDORS_ON_LOOPBACK: 'true' };

class ClockOnTheWall extends Clock {
  override now(): Date {
    return new Date();
  }
}

/**
 * A shop on this machine, a server that reads it beside its answers as `serve` does, and somebody who asks
 * the server.
 */
export interface ReadSite extends AsyncDisposable {
  /**
   * Adds an order at the shop, and asks until the answer has it.
   *
   * @param isTold whether the shop sends its webhook, as it does with each order where somebody set that up
   * @returns the seconds from the order to the answer
   */
  addOrder(isTold: boolean): Promise<number>;
}

/** @param everyMinutes how often the connection is read by itself */
export async function startReadSite(everyMinutes: number): Promise<ReadSite> {
  await using opened = new AsyncDisposableStack();
  const random = seededRandom(7);
  const site = new MadeSite(random, new ClockOnTheWall(new Date().toISOString()));
  site.fill({ orders: 30, products: 3, customers: 5 });
  const stub = opened.use(await startWoocommerceStub(site, random));
  const cli = opened.use(await CommandLine.open());
  const { business_id } = await cli.json(['business', 'create', '--name', 'Shop', '--currency', 'CZK']);
  const account = ['--account', 'ada@example.com'];
  await cli.json(['account', 'create', '--email', 'ada@example.com']);
  await cli.json(['account', 'grant', ...account, '--business', String(business_id), '--all-permissions']);
  const { access_token } = await cli.json(['token', 'create', ...account]);
  const { child, url } = await cli.serve(['--sync'], ENVIRONMENT);
  opened.defer(async () => {
    const ended = new Promise((resolve) => child.once('close', resolve));
    child.kill('SIGTERM');
    await ended;
  });
  child.stdout.resume();
  child.stderr.resume();
  const secrets = { ...KEY, webhookSecret: WEBHOOK_SECRET };
  const added = await cli.runAlone(
    [
      ...['source', 'add', String(business_id), 'woocommerce', '--url', stub.url],
      ...['--secret-stdin', '--every', String(everyMinutes), '--json'],
    ],
    {
      stdin: Object.entries(secrets)
        .map((line) => line.join('='))
        .join('\n'),
      env: ENVIRONMENT,
    },
  );
  if (added.status !== 0) throw new Error(added.stderr);
  const { connection } = JSON.parse(added.stdout) as { connection: { connection_id: string } };

  const counted = async () => {
    const now = Date.now();
    const day = (milliseconds: number) => new Date(milliseconds).toISOString().slice(0, 19);
    const [answer = ''] = await ask(url, String(access_token), 'order_statistics', {
      ...{ business_id, from_date: day(now - 86_400_000), to_date: day(now + 86_400_000) },
    });
    return Number(/"orders_count":(\d+)/.exec(answer)?.[1] ?? Number.NaN);
  };
  const until = async (count: number) => {
    while ((await counted()) !== count) await setTimeout(200);
  };
  let orders = 0;
  const add = () => {
    const order = site.addOrder();
    order.status = 'completed';
    orders += 1;
    return order;
  };
  for (const order of site.orders.values())
    if (order.createdAt > Date.now() - 2 * 86_400_000) site.deleteOrder(order);
  // The first run is no part of it.
  add();
  await until(orders);
  const running = opened.move();
  return {
    addOrder: async (isTold) => {
      const startedAt = performance.now();
      const { id } = add();
      if (isTold) await sendWebhook(new URL(`/hooks/woocommerce/${connection.connection_id}`, url), { id });
      await until(orders);
      return (performance.now() - startedAt) / 1000;
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

async function sendWebhook(url: URL, order: object): Promise<void> {
  const body = JSON.stringify(order);
  const response = await fetch(url, {
    method: 'POST',
    body,
    headers: {
      'content-type': 'application/json',
      'x-wc-webhook-topic': 'order.created',
      'x-wc-webhook-signature': createHmac('sha256', WEBHOOK_SECRET).update(body).digest('base64'),
    },
  });
  if (!response.ok) throw new Error(`the webhook was answered with ${response.status}`);
}
