import { setTimeout as wait } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createAccount } from '../../src/control/people/accounts.ts';
import { createPasswordLink } from '../../src/control/people/credentials.ts';
import { freePort } from '../support/free-port.ts';
import { type Answer, postFormFrom } from './from-address.ts';
import { inTurns } from './in-turns.ts';
import { report } from './report.ts';
import { Target } from './target.ts';

const PASSWORD = 'correct horse battery';
const OWNER = 'owner@example.com';
/** Networks of attackers; the owner is in the first one too. */
const ATTACKERS = Array.from({ length: 12 }, (_, index) => `127.0.1.${index + 1}`);
const HOME = '127.0.1.1';
const ELSEWHERE = '127.0.2.1';

it('nobody guesses a password, and nobody who tries keeps others out', async () => {
  await using target = await Target.open();
  const { control } = target.instance;
  const owner = await createAccount(control, { email: OWNER, password: PASSWORD });
  const newcomers = Array.from({ length: 10 }, (_, index) => `newcomer-${index}@example.com`);
  for (const email of newcomers) await createAccount(control, { email, password: PASSWORD });
  const server = await target.serve();
  const origin = new URL(server.url).origin;
  const statuses = new Map<number, number>();
  const attack = async (address: string, email: string, password = 'a wrong password') => {
    const answer = await postFormFrom(address, `${origin}/sign-in`, { email, password });
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
    return answer;
  };
  const signIn = (address: string, email: string, cookies = '') =>
    postFormFrom(address, `${origin}/sign-in`, { email, password: PASSWORD }, { Cookie: cookies });

  // A device that is known, and how long a sign-in takes when nobody attacks.
  const { cookies } = await signIn(HOME, OWNER);
  const idle = await inTurns(1, newcomers.slice(0, 5), (email) => signIn(ELSEWHERE, email));

  // Twelve networks try the owner's account; the owner comes in from home, where one of them is.
  let isOver = false;
  const guesses = inTurns(24, Array(300).keys(), (index) =>
    attack(ATTACKERS[index % ATTACKERS.length] ?? '', OWNER),
  ).finally(() => {
    isOver = true;
  });
  const ownersTries: Answer[] = [];
  while (!isOver || ownersTries.length < 10) {
    ownersTries.push(await signIn(HOME, OWNER, cookies));
    await wait(100);
  }
  const guessed = await guesses;
  expect(guessed.filter(({ status }) => status === 303)).toEqual([]);
  expect(ownersTries.filter(({ status }) => status !== 303)).toEqual([]);

  // New browsers of the owner are kept out now, and a link lets one in.
  expect((await signIn('127.0.9.9', OWNER)).status).toBe(429);
  const { handle } = await createPasswordLink(control, owner.account_id);
  const fields = { new_password: PASSWORD, repeated_password: PASSWORD };
  const byLink = await postFormFrom('127.0.9.9', `${origin}/password/${handle}`, fields);
  expect([byLink.status, byLink.location]).toEqual([303, '/connect?done=password']);
  expect((await signIn('127.0.9.9', OWNER, byLink.cookies)).status).toBe(303);

  // A hundred tries at once from one network: a person of another network signs in beside them.
  const flood = inTurns(100, Array(100).keys(), (index) => attack('127.0.3.1', `guess-${index}@example.com`));
  const besideFlood = await inTurns(1, newcomers.slice(5), (email) => signIn(ELSEWHERE, email));
  const flooded = await flood;
  expect(besideFlood.filter(({ status }) => status !== 303)).toEqual([]);
  const checked = flooded.filter(({ status }) => status === 401).length;
  expect(checked).toBeLessThanOrEqual(50);

  report('sign-in', {
    counts: {
      'guesses at one account': guessed.length,
      'of them checked': guessed.filter(({ status }) => status === 401).length,
      'tries at once from one network': flooded.length,
      'answers to attackers': [...statuses].map(([status, count]) => `${status}: ${count}`).join(', '),
      'spoofed addresses': await spoof(target),
    },
    worst: {
      'passwords guessed': 0,
      'sign-ins of known devices refused': ownersTries.filter(({ status }) => status !== 303).length,
      'known device signs in (ms)': worst(ownersTries),
      'another network beside the flood (ms)': worst(besideFlood),
      'the same when idle (ms)': worst(idle),
    },
  });
});

/**
 * Whoever is no proxy counts by their own address, whatever they write. Gives how many addresses were made
 * up.
 */
async function spoof(target: Target): Promise<number> {
  const port = await freePort();
  const proxies = {
    STORESIGHT_TRUSTED_PROXIES: '203.0.113.7',
    STORESIGHT_BASE_URL: `http://127.0.0.1:${port}`,
  };
  const behind = await target.serve(proxies, '--behind-proxy', '--port', String(port));
  const direct = await target.serve();
  const tries = [behind, direct].flatMap((server) =>
    Array.from({ length: 60 }, (_, index) => ({ server, index })),
  );
  const answers = await inTurns(4, tries, ({ server, index }) =>
    postFormFrom(
      '127.0.4.1',
      `${new URL(server.url).origin}/sign-in`,
      { email: `guess-${index}@example.com`, password: 'x'.repeat(1001) },
      { 'X-Forwarded-For': `198.51.100.${index}`, Forwarded: `for=198.51.100.${index}` },
    ),
  );
  expect(answers.filter(({ status }) => status === 401)).toHaveLength(2 * 50);
  return tries.length;
}

function worst(answers: readonly Answer[]): number {
  return Math.round(Math.max(...answers.map(({ ms }) => ms)));
}
