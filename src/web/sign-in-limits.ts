import type { ControlDatabase } from '../control/database/control-database.ts';
import { WindowCounts } from '../control/limits/window-counts.ts';
import { type Account, normalEmail } from '../control/people/accounts.ts';
import { checkCredentials } from '../control/people/credentials.ts';
import { hashHandle } from '../control/tokens/instance-secret.ts';
import type { Messages } from '../messages/messages.ts';

const QUARTER_HOUR = { minutes: 15 };
const FAILURES_OF_DEVICE = 10;
const FAILURES_OF_ACCOUNT_FROM_ADDRESS = 10;
const FAILURES_OF_ACCOUNT = 50;
const FAILURES_OF_ADDRESS = 50;

/** Where a try to sign in comes from. */
export interface Origin {
  readonly email: string;
  /** The network address. */
  readonly address: string;
  /** The name of the device or session that has signed in to the account before; null for a stranger. */
  readonly device: string | null;
}

/**
 * Limits failed sign-ins. Failures of strangers are counted for each network address, for each e-mail
 * (whether it has an account or not), and for the two together. A device that signed in to the account before
 * is counted by itself, so no failures elsewhere keep its owner out.
 */
export class SignInLimits {
  readonly #ofDevice = new WindowCounts(FAILURES_OF_DEVICE, QUARTER_HOUR);
  readonly #ofAddress = new WindowCounts(FAILURES_OF_ADDRESS, QUARTER_HOUR);
  readonly #ofAccountFromAddress = new WindowCounts(FAILURES_OF_ACCOUNT_FROM_ADDRESS, QUARTER_HOUR);
  readonly #ofAccount = new WindowCounts(FAILURES_OF_ACCOUNT, QUARTER_HOUR);

  /**
   * Counts a try as failed before it is made, so that many tries at once do not get around the limit. A try
   * that one limit refuses does not count for the next one: a single address cannot use up what all have
   * together.
   *
   * @returns the seconds to wait; 0 when the try may be made
   */
  begin(origin: Origin): number {
    for (const [counts, key] of this.#countsOf(origin)) {
      const wait = counts.add(key);
      if (wait > 0) return wait;
    }
    return 0;
  }

  /** Takes back a try that was not made. */
  takeBack(origin: Origin): void {
    for (const [counts, key] of this.#countsOf(origin)) counts.takeBack(key);
  }

  /** Forgets the earlier failures of the same person, as far as they can be told: this sign-in succeeded. */
  succeed(origin: Origin): void {
    this.takeBack(origin);
    if (origin.device !== null) this.#ofDevice.forget(origin.device);
    else this.#ofAccountFromAddress.forget(accountFromAddress(origin));
  }

  #countsOf(origin: Origin): (readonly [WindowCounts, string])[] {
    const { email, address, device } = origin;
    if (device !== null) return [[this.#ofDevice, device]];
    return [
      [this.#ofAccountFromAddress, accountFromAddress(origin)],
      [this.#ofAddress, address],
      [this.#ofAccount, keyOf(email)],
    ];
  }
}

function accountFromAddress({ email, address }: Origin): string {
  return `${keyOf(email)} ${address}`;
}

/**
 * The key of an address. It has a fixed length, however long the text is, and memory holds no list of
 * addresses.
 */
function keyOf(email: string): string {
  return hashHandle(normalEmail(email));
}

/**
 * Checks a password within the limits.
 *
 * @returns the account; null when e-mail and password do not belong together; the seconds to wait before a
 *   try may be made
 * @throws QueueFullError when too many wait; then the try does not count
 */
export async function tryPassword(
  { control, limits }: { readonly control: ControlDatabase; readonly limits: SignInLimits },
  origin: Origin,
  password: string,
): Promise<Account | null | number> {
  const wait = limits.begin(origin);
  if (wait > 0) return wait;
  const { email, address, device } = origin;
  try {
    const asker = { key: device ?? address, isKnown: device !== null };
    const account = await checkCredentials(control, { email, password }, asker);
    if (account !== null) limits.succeed(origin);
    return account;
  } catch (error) {
    limits.takeBack(origin);
    throw error;
  }
}

/** Why a person must wait, and what they can do meanwhile. */
export function tooManyTries(
  secondsToWait: number,
  { device }: Pick<Origin, 'device'>,
  { say }: Messages,
): string {
  const minutes = Math.ceil(secondsToWait / 60);
  return say(device === null ? 'sign-in.wait-or' : 'sign-in.wait', { minutes });
}
