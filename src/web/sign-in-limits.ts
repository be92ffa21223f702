import { RateLimiterMemory } from 'rate-limiter-flexible';
import { type Account, normalEmail } from '../control/accounts.ts';
import { checkCredentials } from '../control/credentials.ts';
import type { ControlDatabase } from '../control/database.ts';
import { hashHandle } from '../control/secret.ts';

const WINDOW_SECONDS = 15 * 60;
const FAILURES_PER_ACCOUNT = 10;
const FAILURES_PER_ADDRESS = 50;

/** Failed sign-ins, for each e-mail, whether it has an account or not, and for each network address. */
export class SignInLimits {
  readonly #accounts = new RateLimiterMemory({ points: FAILURES_PER_ACCOUNT, duration: WINDOW_SECONDS });
  readonly #addresses = new RateLimiterMemory({ points: FAILURES_PER_ADDRESS, duration: WINDOW_SECONDS });

  /**
   * Counts a try as failed before it is made, so that many at once do not get around the limit.
   *
   * @returns the seconds to wait; 0 when it may be made
   */
  async begin(email: string, address: string): Promise<number> {
    const from = await this.#addresses.penalty(address);
    if (from.consumedPoints > FAILURES_PER_ADDRESS) return Math.ceil(from.msBeforeNext / 1000);
    const account = await this.#accounts.penalty(keyOf(email));
    return account.consumedPoints > FAILURES_PER_ACCOUNT ? Math.ceil(account.msBeforeNext / 1000) : 0;
  }

  /** It was not made after all. */
  async takeBack(email: string, address: string): Promise<void> {
    await this.#accounts.reward(keyOf(email));
    await this.#addresses.reward(address);
  }

  /** It was no failure: forgets those of the account, and takes this one back from the address. */
  async succeed(email: string, address: string): Promise<void> {
    await this.#accounts.delete(keyOf(email));
    await this.#addresses.reward(address);
  }
}

/**
 * Checks a password within the limits.
 *
 * @returns the account; null when the two do not belong together; the seconds to wait before a try may be made
 * @throws PasswordsBusyError when too many wait for theirs; then the try does not count
 */
export async function tryPassword(
  { control, limits }: { readonly control: ControlDatabase; readonly limits: SignInLimits },
  { email, password, address }: Readonly<Record<'email' | 'password' | 'address', string>>,
): Promise<Account | null | number> {
  const wait = await limits.begin(email, address);
  if (wait > 0) return wait;
  try {
    const account = await checkCredentials(control, email, password);
    if (account !== null) await limits.succeed(email, address);
    return account;
  } catch (error) {
    await limits.takeBack(email, address);
    throw error;
  }
}

/** Of one length, however much somebody types; and no list of addresses in the memory. */
function keyOf(email: string): string {
  return hashHandle(normalEmail(email));
}

/** Why a person must wait. */
export function tooManyTries(secondsToWait: number): string {
  const minutes = Math.ceil(secondsToWait / 60);
  return `Too many tries. Try again in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}.`;
}
