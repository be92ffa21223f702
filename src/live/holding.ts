import { type Held, releaseLease, renewLease, takeConnection } from '../control/connection-leases.ts';
import type { ControlDatabase } from '../control/database.ts';
import { InputError } from '../errors.ts';

/** Does what must not happen while a connection runs. @throws InputError while it, or another of the business, runs */
export async function holding(
  control: ControlDatabase,
  connection_id: string,
  work: (held: Held) => Promise<void>,
): Promise<void> {
  const held = await takeConnection(control, connection_id);
  if (held === null)
    throw new InputError('a connection of the store is being read; try again in a minute, or pause it first');
  const renewing = setInterval(() => {
    renewLease(control, held).catch(() => {});
  }, 20_000).unref();
  try {
    await work(held);
  } finally {
    clearInterval(renewing);
    await releaseLease(control, held).catch(() => {});
  }
}
