import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { vi } from 'vitest';

/** What it costs to check a password, for each that was checked since: the same however busy the machine is. */
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
