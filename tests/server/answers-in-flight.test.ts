import { connect } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type AnswerInFlight, AnswersInFlight } from '../../src/server/answers-in-flight.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';
import { message, post, postWithoutReading, replies } from './requests.ts';
import { signIn, startTestServer } from './test-server.ts';

const LIMITS = { account: 1000, all: 1500 };
const NOT_TAKEN = 'answers not taken';

describe('the answers in flight', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  const open = (answers: AnswersInFlight, account: string, onStuck = () => {}) =>
    answers.open(account, onStuck) as AnswerInFlight;

  it('are limited for one account, and may go on when some were taken', () => {
    const answers = new AnswersInFlight({ limits: LIMITS });
    const [first, second] = [open(answers, 'ada'), open(answers, 'ada')];
    expect(first.hold(() => 600)).toBeNull();
    expect(second.hold(() => 600)).toBe(NOT_TAKEN);
    expect(open(answers, 'ada').hold(() => 400)).toBeNull();
    expect(answers.open('ada', () => {})).toBe(NOT_TAKEN);
    expect(typeof answers.open('bob', () => {})).toBe('object');
    first.close();
    expect(open(answers, 'ada').hold(() => 600)).toBeNull();
  });

  it('are not even measured for a request that got too many', () => {
    const answers = new AnswersInFlight({ limits: LIMITS });
    const answer = open(answers, 'ada');
    expect([answer.hold(() => 900), answer.hold(() => 900)]).toEqual([null, NOT_TAKEN]);
    const measure = vi.fn(() => 1);
    expect(answer.hold(measure)).toBe(NOT_TAKEN);
    expect(measure).not.toHaveBeenCalled();
  });

  it('are limited for all accounts', () => {
    const answers = new AnswersInFlight({ limits: LIMITS });
    const [ada, bob] = [open(answers, 'ada'), open(answers, 'bob')];
    expect([ada.hold(() => 1000), bob.hold(() => 600)]).toEqual([null, 'memory for answers']);
    expect(open(answers, 'bob').hold(() => 500)).toBeNull();
    expect(answers.open('cid', () => {})).toBe('memory for answers');
  });

  it('may be one that is larger than the limit', () => {
    const answers = new AnswersInFlight({ limits: LIMITS });
    expect(open(answers, 'ada').hold(() => 5000)).toBeNull();
    expect(open(new AnswersInFlight({ limits: LIMITS }), 'ada').hold(() => 5000)).toBeNull();
  });

  it('are of so many requests of an account', () => {
    const answers = new AnswersInFlight();
    for (let request = 0; request < 256; request += 1) open(answers, 'ada');
    expect(answers.open('ada', () => {})).toBe('too many requests at once');
    expect(answers.requests).toBe(256);
  });

  it('are not held for a client that is gone', () => {
    const answers = new AnswersInFlight({ limits: LIMITS });
    const onStuck = vi.fn();
    const answer = open(answers, 'ada', onStuck);
    answer.hold(() => 400);
    answer.close();
    expect(answer.hold(() => 400)).toBeNull();
    answer.close();
    expect(answers).toMatchObject({ bytes: 0, requests: 0 });
    vi.advanceTimersByTime(60_000);
    expect(onStuck).not.toHaveBeenCalled();
  });

  it('must be taken in a time that depends on their size', () => {
    const answers = new AnswersInFlight({ takenWithin: { seconds: 10, bytesPerSecond: 100 } });
    const onStuck = vi.fn();
    const answer = open(answers, 'ada', onStuck);
    vi.advanceTimersByTime(60_000);
    answer.hold(() => 500);
    vi.advanceTimersByTime(14_900);
    expect(onStuck).not.toHaveBeenCalled();
    vi.advanceTimersByTime(200);
    expect(onStuck).toHaveBeenCalledOnce();
    answer.close();
    expect(answers).toMatchObject({ bytes: 0, requests: 0 });
  });
});

describe('the answers in flight over HTTP', () => {
  let test: TestInstance;
  let token: string;
  let account_id: string;

  beforeAll(async () => {
    test = await createTestInstance();
    ({ token, account_id } = await signIn(test, []));
  });
  afterAll(() => test[Symbol.asyncDispose]());

  const batch = Array.from({ length: 20 }, (_, index) => message('tools/list', {}, index + 1));

  it('a batch gets the answers that there is room for, and is told of the others', async () => {
    const answers = new AnswersInFlight({ limits: { account: 500_000, all: 10_000_000 } });
    const server = await startTestServer(test, { answers });
    const answered = await replies(await post(server.mcpUrl, batch, { token }));
    const refused = answered.flatMap(({ error }) => (error === undefined ? [] : [error.message]));
    expect(answered).toHaveLength(20);
    expect(refused.length).toBeGreaterThan(10);
    expect(refused.length).toBeLessThan(20);
    expect(new Set(refused)).toEqual(
      new Set([
        'answers to this account wait to be read; read them, or close their connections, then ask again',
      ]),
    );
    expect(server.logText()).toContain('"reason":"answers not taken"');
    await vi.waitFor(() => expect(answers).toMatchObject({ bytes: 0, requests: 0 }));
    expect((await post(server.mcpUrl, message('tools/list'), { token })).status).toBe(200);
    await server.stop();
  });

  const large = Array.from({ length: 100 }, (_, index) => message('tools/list', {}, index + 1));

  it('a client that never reads is let go, and nothing is kept for it', async () => {
    const answers = new AnswersInFlight({ takenWithin: { seconds: 0.3, bytesPerSecond: 100_000_000 } });
    const server = await startTestServer(test, { answers });
    const socket = postWithoutReading(server.mcpUrl, large, token);
    await vi.waitFor(() => expect(answers.bytes).toBeGreaterThan(5_000_000), {
      interval: 5,
      timeout: 20_000,
    });
    await vi.waitFor(() => expect(answers).toMatchObject({ bytes: 0, requests: 0 }), 5000);
    expect(server.logText()).toContain('"reason":"answer not taken in time"');
    socket.destroy();
    await server.stop();
  });

  it('an account whose answers wait is told to read them, and others are served', async () => {
    const answers = new AnswersInFlight({ limits: { account: 100_000, all: 100_000_000 } });
    const server = await startTestServer(test, { answers });
    const other = await signIn(test, []);
    // The answer is held by hand: the system's own buffers would take a short answer.
    const held = answers.open(account_id, () => {}) as AnswerInFlight;
    held.hold(() => 200_000);
    const listed = message('tools/list');
    const refused = await post(server.mcpUrl, listed, { token });
    expect([refused.status, refused.headers.get('Retry-After')]).toEqual([429, '5']);
    expect(await refused.json()).toMatchObject({ error: { message: expect.stringContaining('read them') } });
    expect((await post(server.mcpUrl, listed, { token: other.token })).status).toBe(200);
    held.close();
    expect((await post(server.mcpUrl, listed, { token })).status).toBe(200);
    await server.stop();
  });

  it('bodies that come slowly hold a bounded part of memory, each account its own', async () => {
    const server = await startTestServer(test, { bodyLimits: { account: 60_000, all: 1_000_000 } });
    const other = await signIn(test, []);
    const { host, hostname, port } = new URL(server.mcpUrl);
    const slow = connect(Number(port), hostname).resume();
    slow.write(
      `POST /mcp HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${token}\r\n` +
        `Content-Type: application/json\r\nContent-Length: 90000\r\n\r\n${' '.repeat(50_000)}`,
    );
    const long = JSON.stringify(message('tools/list')) + ' '.repeat(20_000);
    const status = async (asker: string) => (await post(server.mcpUrl, long, { token: asker })).status;
    await vi.waitFor(async () => expect(await status(token)).toBe(503));
    expect(await status(other.token)).toBe(200);
    slow.destroy();
    await vi.waitFor(async () => expect(await status(token)).toBe(200));
    expect(server.logText()).toContain('"reason":"memory for requests"');
    await server.stop();
  });
});
