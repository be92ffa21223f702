import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { LEASE_SECONDS, takeConnection } from '../../src/control/connections/connection-leases.ts';
import { createConnection, readConnection } from '../../src/control/connections/connections.ts';
import { holding, holdingBusiness } from '../../src/control/connections/hold-connections.ts';
import { goingBack } from '../../src/control/connections/read-again.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';

let test: TestInstance;
let business_id: string;
let connections: string[];

beforeEach(async () => {
  test = await createTestInstance({ isOneEngineEnough: true });
  ({ business_id } = await test.createBusiness());
  connections = [];
  for (const name of ['one', 'other']) {
    const { connection_id } = await createConnection(test.instance.control, test.instance.secret, {
      ...{ business_id, name, vendor: 'made-up', account: null },
      ...{ settings: {}, secrets: {}, interval_s: 900 },
    });
    connections.push(connection_id);
  }
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] });
});

afterEach(async () => {
  vi.useRealTimers();
  await test[Symbol.asyncDispose]();
});

/** Time in which a lease without signs of life runs out twice. */
async function longWork(): Promise<string> {
  for (let seconds = 0; seconds < 2 * LEASE_SECONDS; seconds += 10) {
    await vi.advanceTimersByTimeAsync(10_000);
    await turn();
  }
  for (const connection_id of connections)
    expect(await takeConnection(test.instance.control, connection_id)).toBeNull();
  return 'done';
}

const WAYS = {
  'one connection': () => holding(test.instance.control, connections[0] ?? '', longWork),
  'all of a business': () => holdingBusiness(test.instance.control, business_id, longWork),
  'going back': () => goingBack(test.instance.control, business_id, null, longWork),
};

it.each(Object.entries(WAYS))('%s: nobody takes over what is held, however long it takes', async (_, way) => {
  const { control } = test.instance;
  expect(await way()).toBe('done');
  for (const connection_id of connections) {
    expect(await readConnection(control, connection_id)).toMatchObject({ lease: null, failures: 0 });
  }
  await expect(holdingBusiness(control, business_id, async () => way())).rejects.toThrow(
    'a connection of the store is being read; try again in a minute, or pause it first',
  );
});
