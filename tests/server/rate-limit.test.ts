import { afterAll, beforeAll, expect, it } from 'vitest';
import { createToken } from '../../src/cli/token-commands.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';
import { message, post, replies } from './requests.ts';
import { signIn, startTestServer, type TestServer } from './test-server.ts';

let test: TestInstance;
let server: TestServer;

beforeAll(async () => {
  test = await createTestInstance();
  server = await startTestServer(test, { rateLimit: 5 });
});

afterAll(async () => {
  await server.stop();
  await test[Symbol.asyncDispose]();
});

const LISTS = message('tools/list');

async function status(token: string | undefined, body: unknown = LISTS): Promise<number> {
  const response = await post(server.mcpUrl, body, { token });
  await response.text();
  return response.status;
}

it('an account is counted over all its tokens, and told when to come back', async () => {
  const first = await signIn(test, []);
  const { access_token: second } = await createToken(test.instance, {
    account: first.email,
    businesses: 'all',
    ttl: 60,
  });
  for (const token of [first.token, second, first.token, second, first.token]) {
    expect(await status(token)).toBe(200);
  }
  const refused = await post(server.mcpUrl, LISTS, { token: second });
  expect(refused.status).toBe(429);
  const wait = Number(refused.headers.get('Retry-After'));
  expect(wait).toBeGreaterThanOrEqual(1);
  expect(wait).toBeLessThanOrEqual(60);
  expect(await refused.json()).toMatchObject({
    error: { message: `too many requests; try again in ${wait} s` },
  });
});

it('one account does not slow another', async () => {
  const [busy, calm] = [await signIn(test, []), await signIn(test, [])];
  for (let request = 0; request < 5; request += 1) await status(busy.token);
  expect(await status(busy.token)).toBe(429);
  expect(await status(calm.token)).toBe(200);
});

it('the messages of a batch are counted one by one', async () => {
  const { token } = await signIn(test, []);
  const batch = (size: number) =>
    Array.from({ length: size }, (_, index) => message('tools/list', {}, index + 1));
  const answered = await post(server.mcpUrl, batch(4), { token });
  expect(await replies(answered)).toHaveLength(4);
  expect(await status(token, batch(4))).toBe(429);
});

it('requests without a good token count for nobody', async () => {
  const { token } = await signIn(test, []);
  for (let request = 0; request < 8; request += 1) expect(await status(`${token}x`)).toBe(401);
  expect(await status(token)).toBe(200);
});
