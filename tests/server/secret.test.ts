import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createToken } from '../../src/cli/token-commands.ts';
import { createAccount } from '../../src/control/people/accounts.ts';
import { loadSecret, seal, unseal } from '../../src/control/tokens/instance-secret.ts';
import { COMMAND_LINE, verifyToken } from '../../src/control/tokens/signed-tokens.ts';
import { adoptInstance, openInstance } from '../../src/server/instance.ts';
import { createTestInstance } from '../support/test-instance.ts';

const folder = mkdtempSync(join(tmpdir(), 'storesight-secret-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('the secret', () => {
  it('is made once, for its owner alone', () => {
    const file = join(folder, 'new', 'secret');
    const secret = loadSecret(file);
    expect(secret).toHaveLength(32);
    expect(loadSecret(file)).toEqual(secret);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(join(folder, 'new')).mode & 0o777).toBe(0o700);
  });

  it.each([0, 16, 33])('is damaged when it has %i bytes, and is not used', (length) => {
    const file = join(folder, `damaged-${length}`);
    writeFileSync(file, Buffer.alloc(length));
    expect(() => loadSecret(file)).toThrow('is damaged');
  });
});

describe('a sealed value', () => {
  const secret = Buffer.alloc(32, 1);
  const sealed = seal(secret, 'one purpose', 'hidden');

  it('opens with the same secret for the same purpose', () => {
    expect(sealed).not.toContain('hidden');
    expect(unseal(secret, 'one purpose', sealed)).toBe('hidden');
  });

  it('opens for nothing else', () => {
    expect(unseal(secret, 'another purpose', sealed)).toBeNull();
    expect(unseal(Buffer.alloc(32, 2), 'one purpose', sealed)).toBeNull();
    expect(unseal(secret, 'one purpose', '')).toBeNull();
    expect(unseal(secret, 'one purpose', sealed.slice(0, -2))).toBeNull();
    const changed = Buffer.from(sealed, 'base64url');
    changed[30] = (changed[30] ?? 0) ^ 1;
    expect(unseal(secret, 'one purpose', changed.toString('base64url'))).toBeNull();
  });
});

it('new tokens can be made after the loss of the secret was accepted', async () => {
  await using test = await createTestInstance();
  await createAccount(test.instance.control, { email: 'someone@example.com', password: null });
  const wanted = { account: 'someone@example.com', businesses: 'all', ttl: 60 };
  await createToken(test.instance, wanted);
  rmSync(test.instance.data.secret);
  await expect(openInstance(test.settings)).rejects.toThrow('secret is missing');
  await using reopened = await adoptInstance(test.settings);
  const { access_token } = await createToken(reopened, wanted);
  expect(await verifyToken(reopened.control, access_token, [COMMAND_LINE])).toMatchObject({
    scopes: ['mcp'],
  });
});
