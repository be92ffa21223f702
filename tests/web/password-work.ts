import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { vi } from 'vitest';

type Argon2 = typeof crypto.argon2;

/**
 * Passwords that cost next to nothing, for tests that set and check dozens: what one costs is a quarter of a
 * second of a processor, and asserted by `PasswordWork`.
 */
export class CheapPasswords implements Disposable {
  readonly #argon2;

  constructor() {
    const real = crypto.argon2;
    const cheap: Argon2 = (algorithm, parameters, done) =>
      real(algorithm, { ...parameters, memory: 8, passes: 1, parallelism: 1 }, done);
    this.#argon2 = vi.spyOn(crypto, 'argon2').mockImplementation(cheap);
    syncBuiltinESMExports();
  }

  [Symbol.dispose](): void {
    this.#argon2.mockRestore();
    syncBuiltinESMExports();
  }
}

/**
 * What it costs to check a password, for each that was checked since: the same however busy the machine is.
 */
export class PasswordWork implements Disposable {
  readonly #argon2 = vi.spyOn(crypto, 'argon2');

  constructor() {
    syncBuiltinESMExports();
  }

  get costs(): object[] {
    return this.#argon2.mock.calls.map(
      ([algorithm, { memory, passes, parallelism, tagLength, message }]) => ({
        ...{ algorithm, memory, passes, parallelism, tagLength },
        length: Buffer.from(message as Buffer).length,
      }),
    );
  }

  [Symbol.dispose](): void {
    this.#argon2.mockRestore();
    syncBuiltinESMExports();
  }
}
