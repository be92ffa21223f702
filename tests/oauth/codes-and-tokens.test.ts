import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { listAppGrants } from '../../src/control/tokens/grants.ts';
import { GRACE_MS, Records, SIMULTANEOUS_MS, TRIES_OF_CODE } from '../../src/oauth/storage/records.ts';
import { ENGINES, openPlaces, type Places } from '../control/engines.ts';
import { message, post } from '../server/requests.ts';
import { startTestServer, type TestServer } from '../server/test-server.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';
import { App, type Authorization, type TokenAnswer } from './app.ts';
import { Person } from './person.ts';

/**
 * Codes and refresh tokens are good for one use, on both databases, also for many at once and two servers.
 */
let places: Places;

beforeAll(async () => {
  places = await openPlaces();
});

afterAll(() => places[Symbol.asyncDispose]());

afterEach(() => {
  vi.useRealTimers();
});

/** Time goes on for everything that reads the clock, while timers stay real. */
function wait(milliseconds: number): void {
  const now = Date.now() + milliseconds;
  if (!vi.isFakeTimers()) vi.useFakeTimers({ toFake: ['Date'], now });
  vi.setSystemTime(now);
}

describe.each(ENGINES)('the token endpoint on %s', (engine) => {
  let test: TestInstance;
  let server: TestServer;
  let otherServer: TestServer;
  let person: Person;
  let app: App;

  beforeAll(async () => {
    const place = await places.fresh(engine);
    test = await createTestInstance(engine === 'PostgreSQL' ? { controlUrl: place } : {});
    server = await startTestServer(test);
    // A second server behind the same URL.
    otherServer = await startTestServer(test, { baseUrl: server.baseUrl, authUrl: server.baseUrl });
    person = await Person.join(test.instance.control, [await test.createBusiness()]);
    app = await App.register(server.baseUrl);
  });

  afterAll(async () => {
    await server.stop();
    await otherServer.stop();
    await test[Symbol.asyncDispose]();
  });

  async function allowed(): Promise<{ authorization: Authorization; returned: URL }> {
    const authorization = app.authorize();
    return { authorization, returned: await person.allow(authorization.url) };
  }

  async function connected(): Promise<TokenAnswer> {
    const { authorization, returned } = await allowed();
    const tokens = await app.redeem(returned, authorization);
    expect(tokens).toMatchObject({ status: 200, scope: 'mcp', expires_in: 3600 });
    return tokens;
  }

  async function isTaken(token: string | undefined): Promise<boolean> {
    const { status } = await post(server.mcpUrl, message('tools/list'), { token });
    return status === 200;
  }

  function successes(answers: readonly TokenAnswer[]): TokenAnswer[] {
    for (const { status, error } of answers.filter((answer) => answer.status !== 200)) {
      expect({ status, error }).toEqual({ status: 400, error: 'invalid_grant' });
    }
    return answers.filter(({ status }) => status === 200);
  }

  /** Half of them at each server. */
  function twenty<Result>(send: (issuer: string) => Promise<Result>): Promise<Result[]> {
    const port = new URL(otherServer.listeningUrl).port;
    const other = server.baseUrl.replace(/\d+$/, port);
    return Promise.all(Array.from({ length: 20 }, (_, index) => send(index % 2 ? server.baseUrl : other)));
  }

  it('redeems a code once of twenty times at once, and what that gave works', async () => {
    const { authorization, returned } = await allowed();
    const answers = await twenty((issuer) =>
      new App(issuer, app.client_id, app.redirect_uri).redeem(returned, authorization),
    );
    const [tokens, ...others] = successes(answers);
    expect(others).toEqual([]);
    expect(await isTaken(tokens?.access_token)).toBe(true);
    expect(await app.refresh(tokens?.refresh_token)).toMatchObject({ status: 200 });
  });

  it('gives all of twenty refreshes at once the same successor, and working tokens', async () => {
    const { refresh_token } = await connected();
    const answers = await twenty((issuer) =>
      new App(issuer, app.client_id, app.redirect_uri).refresh(refresh_token),
    );
    expect(successes(answers)).toHaveLength(20);
    expect(new Set(answers.map((answer) => answer.refresh_token)).size).toBe(1);
    for (const { access_token } of answers) expect(await isTaken(access_token)).toBe(true);

    const [{ refresh_token: successor } = {}] = answers;
    const next = await twenty((issuer) =>
      new App(issuer, app.client_id, app.redirect_uri).refresh(successor),
    );
    expect(successes(next)).toHaveLength(20);
    expect(next[0]?.refresh_token).not.toBe(successor);

    // The window is over: a client that still has the token is not among those who shared it.
    wait(GRACE_MS + 1000);
    expect(await app.refresh(successor)).toMatchObject({ status: 400, error: 'invalid_grant' });
    expect(await app.refresh(next[0]?.refresh_token)).toMatchObject({ status: 400, error: 'invalid_grant' });
    for (const { access_token } of next) expect(await isTaken(access_token)).toBe(false);
  });

  it('gives the same successor when the server stopped between, or somebody was slow', async () => {
    const { refresh_token = '' } = await connected();
    const records = new Records(test.instance.control, test.instance.secret, 'RefreshToken');
    // Consumed, and then nothing was saved or sent.
    await records.consume(refresh_token);
    wait(GRACE_MS / 2);
    const [first, second] = [await app.refresh(refresh_token), await app.refresh(refresh_token)];
    expect(successes([first, second])).toHaveLength(2);
    expect(second.refresh_token).toBe(first.refresh_token);
  });

  it('answers requests that are under way when the successor is used already', async () => {
    const { refresh_token } = await connected();
    const first = await app.refresh(refresh_token);
    const next = await app.refresh(first.refresh_token);
    const late = await app.refresh(refresh_token);
    expect(late).toMatchObject({ status: 200, refresh_token: first.refresh_token });
    expect(await app.refresh(late.refresh_token)).toMatchObject({ refresh_token: next.refresh_token });
    expect(await isTaken(next.access_token)).toBe(true);
  });

  it('lets clocks of two servers differ by some seconds, and no more', async () => {
    for (const [ahead, isServed] of [
      [10_000, true],
      [-10_000, true],
      [-GRACE_MS - 1000, false],
    ] as const) {
      const { refresh_token } = await connected();
      await app.refresh(refresh_token);
      wait(ahead);
      const answer = await app.refresh(refresh_token);
      expect(answer.status, `${ahead}`).toBe(isServed ? 200 : 400);
      wait(-ahead);
    }
  });

  it('ends the connection when a code comes again later', async () => {
    const { authorization, returned } = await allowed();
    const tokens = await app.redeem(returned, authorization);
    wait(SIMULTANEOUS_MS + 1000);
    expect(await app.redeem(returned, authorization)).toMatchObject({ status: 400, error: 'invalid_grant' });
    expect(await isTaken(tokens.access_token)).toBe(false);
    expect(await app.refresh(tokens.refresh_token)).toMatchObject({ status: 400, error: 'invalid_grant' });
  });

  it('refuses a code that is over, or comes with another verifier, redirect URI or client', async () => {
    const { authorization, returned } = await allowed();
    const other = await App.register(server.baseUrl);
    const wrong = [
      app.redeem(returned, authorization, { code_verifier: 'x'.repeat(43) }),
      app.redeem(returned, authorization, { code_verifier: null }),
      app.redeem(returned, authorization, { redirect_uri: 'http://127.0.0.1:3333/other' }),
      app.redeem(returned, authorization, { redirect_uri: null }),
      other.redeem(returned, authorization),
      app.redeem(returned, authorization, { code: 'x'.repeat(43) }),
    ];
    for (const answer of await Promise.all(wrong)) expect(answer).toMatchObject({ status: 400 });
    wait(61_000);
    expect(await app.redeem(returned, authorization)).toMatchObject({ status: 400, error: 'invalid_grant' });
  });

  it('lets a client correct its verifier, and ends a code after some wrong ones', async () => {
    const wrong = { code_verifier: 'x'.repeat(43) };
    for (const [tries, status] of [
      [TRIES_OF_CODE - 1, 200],
      [TRIES_OF_CODE, 400],
    ] as const) {
      const { authorization, returned } = await allowed();
      for (let tried = 0; tried < tries; tried += 1)
        expect(await app.redeem(returned, authorization, wrong)).toMatchObject({
          status: 400,
          error: 'invalid_grant',
        });
      const answer = await app.redeem(returned, authorization);
      expect(answer.status).toBe(status);
      // A code that was used ends its connection when it comes again, however often that is tried.
      if (status !== 200) continue;
      wait(SIMULTANEOUS_MS + 1000);
      for (let tried = 0; tried < tries; tried += 1) await app.redeem(returned, authorization, wrong);
      await app.redeem(returned, authorization);
      expect(await isTaken(answer.access_token)).toBe(false);
    }
  });

  it('serves a host that tries a refresh again because it did not get the answer', async () => {
    const { refresh_token } = await connected();
    const lost = await app.refresh(refresh_token);
    for (const _try of [1, 2, 3]) {
      wait(SIMULTANEOUS_MS + 1000);
      const again = await app.refresh(refresh_token);
      expect(again).toMatchObject({ status: 200, refresh_token: lost.refresh_token });
      expect(await isTaken(again.access_token)).toBe(true);
    }
    const next = await app.refresh(lost.refresh_token);
    expect(next.status).toBe(200);

    // Whoever holds the answer that was lost after all, and uses it later, ends it for both.
    wait(GRACE_MS + 1000);
    expect(await app.refresh(lost.refresh_token)).toMatchObject({ status: 400, error: 'invalid_grant' });
    expect(await isTaken(next.access_token)).toBe(false);
  });

  it('counts the time of grace from the first use, however often a host tries again', async () => {
    const { refresh_token } = await connected();
    await app.refresh(refresh_token);
    wait(GRACE_MS - 5000);
    const again = await app.refresh(refresh_token);
    expect(again.status).toBe(200);
    wait(10_000);
    expect(await app.refresh(refresh_token)).toMatchObject({ status: 400, error: 'invalid_grant' });
    expect(await isTaken(again.access_token)).toBe(false);
  });

  it('ends the connection when an old refresh token comes after its successor was used', async () => {
    const first = await connected();
    const second = await app.refresh(first.refresh_token);
    const third = await app.refresh(second.refresh_token);
    wait(SIMULTANEOUS_MS + 1000);
    expect(await app.refresh(first.refresh_token)).toMatchObject({ status: 400, error: 'invalid_grant' });
    expect(await app.refresh(third.refresh_token)).toMatchObject({ status: 400, error: 'invalid_grant' });
    expect(await isTaken(third.access_token)).toBe(false);
  });

  it('ends the connection when an old refresh token comes after the time of grace', async () => {
    const first = await connected();
    const second = await app.refresh(first.refresh_token);
    wait(GRACE_MS + 1000);
    expect(await app.refresh(first.refresh_token)).toMatchObject({ status: 400, error: 'invalid_grant' });
    expect(await app.refresh(second.refresh_token)).toMatchObject({ status: 400, error: 'invalid_grant' });
    expect(await isTaken(second.access_token)).toBe(false);
  });

  it('lets access tokens live for an hour, unused refresh tokens for thirty days, connections for 180', async () => {
    const { access_token, refresh_token } = await connected();
    wait(3_590_000);
    expect(await isTaken(access_token)).toBe(true);
    wait(20_000);
    expect(await isTaken(access_token)).toBe(false);
    wait(29 * 86_400_000);
    let tokens = await app.refresh(refresh_token);
    expect(await isTaken(tokens.access_token)).toBe(true);
    for (let month = 0; month < 5; month += 1) {
      wait(29 * 86_400_000);
      tokens = await app.refresh(tokens.refresh_token);
      expect(tokens.status).toBe(200);
    }
    wait(7 * 86_400_000);
    expect(await app.refresh(tokens.refresh_token)).toMatchObject({ status: 400, error: 'invalid_grant' });

    const idle = await connected();
    wait(31 * 86_400_000);
    expect(await app.refresh(idle.refresh_token)).toMatchObject({ status: 400, error: 'invalid_grant' });
  });

  it('takes a refresh token from its own client only', async () => {
    const { refresh_token } = await connected();
    const other = await App.register(server.baseUrl);
    expect(await other.refresh(refresh_token)).toMatchObject({ status: 400, error: 'invalid_grant' });
    expect(await app.refresh(refresh_token)).toMatchObject({ status: 200 });
  });

  it('revokes what a client gives back, and nothing of another client', async () => {
    const { access_token, refresh_token = '' } = await connected();
    const other = await App.register(server.baseUrl);
    await other.post('/revoke', { token: refresh_token });
    expect(await isTaken(access_token)).toBe(true);
    expect((await app.post('/revoke', { token: 'never heard of' })).status).toBe(200);
    expect((await app.post('/revoke', { token: refresh_token })).status).toBe(200);
    expect(await isTaken(access_token)).toBe(false);
    expect(await app.refresh(refresh_token)).toMatchObject({ status: 400, error: 'invalid_grant' });
  });

  it('tells a client about its own refresh token, and nobody about another', async () => {
    const { refresh_token = '' } = await connected();
    const about = async (asking: App) =>
      (await asking.post('/introspect', { token: refresh_token })).json() as Promise<object>;
    const mine = { active: true, client_id: app.client_id, sub: person.account_id, iss: server.baseUrl };
    expect(await about(app)).toMatchObject(mine);
    expect(await about(await App.register(server.baseUrl))).toEqual({ active: false });
    await app.post('/revoke', { token: refresh_token });
    expect(await about(app)).toEqual({ active: false });
  });

  it('keeps no code, token, session or secret that could be used by who reads the database', async () => {
    const { authorization, returned } = await allowed();
    const { access_token = '', refresh_token = '' } = await app.redeem(returned, authorization);
    const { body } = await registerConfidential(server.baseUrl);
    const session = person.browser.cookie(server.baseUrl, 'storesight_session') ?? '';
    const secrets = [returned.searchParams.get('code') ?? '', access_token, refresh_token, body, session];
    expect(secrets.every((secret) => secret.length > 20)).toBe(true);
    const dump = await dumpOf(test);
    expect(dump).toContain('AuthorizationCode');
    for (const secret of secrets) expect(dump).not.toContain(secret);
    expect(server.logText()).toContain('/token');
    for (const secret of secrets) expect(server.logText()).not.toContain(secret);
  });

  it('makes one connection for each consent', async () => {
    const { control } = test.instance;
    const before = await listAppGrants(control, person.account_id);
    const [first, second] = [await connected(), await connected()];
    const after = await listAppGrants(control, person.account_id);
    expect(after.length - before.length).toBe(2);
    await app.post('/revoke', { token: first.refresh_token ?? '' });
    expect(await isTaken(first.access_token)).toBe(false);
    expect(await isTaken(second.access_token)).toBe(true);
  });
});

async function registerConfidential(issuer: string): Promise<{ body: string }> {
  const response = await fetch(`${issuer}/register`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      redirect_uris: ['https://app.example/callback'],
      token_endpoint_auth_method: 'client_secret_post',
    }),
  });
  return { body: ((await response.json()) as { client_secret: string }).client_secret };
}

/** Everything in the tables of the sign-in, as text. */
async function dumpOf({ instance: { control } }: TestInstance): Promise<string> {
  const tables = [
    'oauth_records',
    'oauth_clients',
    'sessions',
    'password_links',
    'grants',
    'signing_keys',
  ] as const;
  const rows = await Promise.all(tables.map((table) => control.selectFrom(table).selectAll().execute()));
  return JSON.stringify(rows);
}
