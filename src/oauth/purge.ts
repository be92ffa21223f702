import type { ControlDatabase } from '../control/database.ts';

const DAY_MS = 24 * 3600 * 1000;
/** A client that nobody ever let in is forgotten after this: anybody can register, so these are many. */
const UNUSED_CLIENT_DAYS = 1;
/** So is one whose connections all ended, after this. */
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
    .where('created_at', '<', new Date(now - UNUSED_CLIENT_DAYS * DAY_MS).toISOString())
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('grants')
            .select('grant_id')
            .whereRef('grants.client_id', '=', 'oauth_clients.client_id'),
        ),
      ),
    )
    .execute();
}
