import { expect, it } from 'vitest';
import { QueueFullError } from '../../src/control/limits/fair-queue.ts';
import { hashPassword, isPassword } from '../../src/control/people/password-hashes.ts';

it('a person who asks for many checks at once is refused most of them, and others are checked meanwhile', async () => {
  const password = 'correct horse battery';
  const hash = await hashPassword(password, 'ada@example.com');
  const attacker = { key: '192.0.2.1', isKnown: false };
  const tries = Array.from({ length: 25 }, () => isPassword('wrong', hash, attacker));
  const settled = Promise.allSettled(tries);
  const others = ['192.0.2.2', 'device'].map((key) =>
    isPassword(password, hash, { key, isKnown: key === 'device' }),
  );
  expect(await Promise.all(others)).toEqual([true, true]);
  const refused = (await settled).filter((each) => each.status === 'rejected');
  expect(refused).toHaveLength(16);
  for (const { reason } of refused) expect(reason).toBeInstanceOf(QueueFullError);
});

it.each(['ada@example.com', 'Ada@Example.com!', 'passwordpassword', '121212121212', 'abcdefghijklm'])(
  'refuses %s',
  async (password) => {
    await expect(hashPassword(password, 'ada@example.com')).rejects.toThrow('too easy to guess');
  },
);

it.each(['correct horse battery', 'ada likes long walks', 'tr0ub4dor&3-maybe'])(
  'takes %s',
  async (password) => {
    await expect(hashPassword(password, 'ada@example.com')).resolves.toContain('$argon2id$');
  },
);
