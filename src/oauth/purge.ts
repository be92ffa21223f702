import type { ControlDatabase } from '../control/database/control-database.ts';
import { isUnused } from './storage/unused-clients.ts';

const DAY_MS = 24 * 3600 * 1000;
/**
 * A client that nobody ever let in is forgotten after this: anybody can register, and a person may take half
 * an hour.
 */
const UNUSED_CLIENT_MS = 2 * 3600 * 1000;
/** The days after which a client goes whose connections have all ended. */
const IDLE_CLIENT_DAYS = 90;

/** Removes what is over: records, sessions, links, long-ended grants, and clients that nobody uses. */
export async function purgeSignIn(control: ControlDatabase, now = Date.now()): Promise<void> {
  const at = new Date(now).toISOString();
  const idleSince = new Date(now - IDLE_CLIENT_DAYS * DAY_MS).toISOString();
  for (const table of ['oauth_records', 'sessions', 'password_links'] as const) {
    await control.deleteFrom(table).where('expires_at', '<', at).execute();
  }
  await control
    .deleteFrom('grants')
    .where((where) => where.or([where('expires_at', '<', idleSince), where('revoked_at', '<', idleSince)]))
    .execute();
  await control
    .deleteFrom('oauth_clients')
    .where('created_at', '<', new Date(now - UNUSED_CLIENT_MS).toISOString())
    .where(isUnused)
    .execute();
}
