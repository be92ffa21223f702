import { RateLimiterMemory } from 'rate-limiter-flexible';
import { normalEmail } from '../control/accounts.ts';
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

  /** It was no failure: forgets those of the account, and takes this one back from the address. */
  async succeed(email: string, address: string): Promise<void> {
    await this.#accounts.delete(keyOf(email));
    await this.#addresses.reward(address);
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
