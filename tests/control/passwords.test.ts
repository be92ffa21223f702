import { expect, it } from 'vitest';
import { hashPassword, isPassword, PasswordsBusyError } from '../../src/control/passwords.ts';

it('checks twenty passwords at a time at most, and says so to who comes then', async () => {
  const hash = await hashPassword('correct horse battery', 'ada@example.com');
  const checks = Array.from({ length: 23 }, (_, index) =>
    isPassword(index === 0 ? 'correct horse battery' : 'wrong', hash),
  );
  const settled = await Promise.allSettled(checks);
  const busy = settled.filter(({ status }) => status === 'rejected');
  expect(busy).toHaveLength(3);
  for (const { reason } of busy as PromiseRejectedResult[]) expect(reason).toBeInstanceOf(PasswordsBusyError);
  expect(settled[0]).toEqual({ status: 'fulfilled', value: true });
  expect(await isPassword('correct horse battery', hash)).toBe(true);
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
