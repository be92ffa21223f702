import { InputError } from '../../errors.ts';
import type { ControlDatabase } from '../database/control-database.ts';
import {
  type Held,
  LEASE_SECONDS,
  LeaseLostError,
  releaseLease,
  renewLease,
  takeBusiness,
  takeConnection,
} from './connection-leases.ts';

/**
 * Does what must not happen while a connection runs. @throws InputError while it, or another of the business,
 * runs
 */
export async function holding<Result>(
  control: ControlDatabase,
  connection_id: string,
  work: (held: Held) => Promise<Result>,
): Promise<Result> {
  const held = await takeConnection(control, connection_id);
  return whileHeld(control, held === null ? null : [held], ([one]) => work(one as Held));
}

/**
 * Does what must not happen while any connection of a business runs. @throws InputError while one of them
 * does
 */
export async function holdingBusiness<Result>(
  control: ControlDatabase,
  business_id: string,
  work: (held: readonly Held[]) => Promise<Result>,
): Promise<Result> {
  return whileHeld(control, await takeBusiness(control, business_id), work);
}

async function whileHeld<Result>(
  control: ControlDatabase,
  held: readonly Held[] | null,
  work: (held: readonly Held[]) => Promise<Result>,
): Promise<Result> {
  if (held === null)
    throw new InputError('a connection of the store is being read; try again in a minute, or pause it first');
  const stopRenewing = keepRenewing(control, held);
  try {
    return await work(held);
  } finally {
    stopRenewing();
    for (const each of held) await releaseLease(control, each).catch(() => {});
  }
}

/**
 * Gives signs of life until it is stopped. It goes on when the control database does not answer for a moment,
 * since each write checks the lease again.
 *
 * @param lost is told when somebody else took one over
 * @returns what stops it
 */
export function keepRenewing(
  control: ControlDatabase,
  held: readonly Held[],
  lost: (error: LeaseLostError) => void = () => {},
): () => void {
  const renew = (each: Held) =>
    renewLease(control, each).catch((error: unknown) => {
      if (error instanceof LeaseLostError) lost(error);
    });
  const renewing = setInterval(() => void Promise.all(held.map(renew)), (1000 * LEASE_SECONDS) / 4).unref();
  return () => clearInterval(renewing);
}
