import type { ControlDatabase } from '../../src/control/database/control-database.ts';

/** All that a page may change, to compare. That a sign-in is refused is counted elsewhere. */
export async function stateOf(control: ControlDatabase): Promise<Record<string, unknown>> {
  const tables = [
    'accounts',
    'sessions',
    'password_links',
    'grants',
    'grant_businesses',
    'identities',
    'businesses',
    'business_managers',
    'business_creators',
    'connections',
    'source_settings',
    'assumptions',
  ] as const;
  const state: Record<string, unknown> = {};
  for (const table of tables) {
    state[table] = await control.selectFrom(table).selectAll().execute();
  }
  const records = await control
    .selectFrom('oauth_records')
    .select(['kind', 'id_hash', 'payload_sealed'])
    .execute();
  return { ...state, records };
}
