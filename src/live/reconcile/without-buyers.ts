import type { Business } from '../../business/business.ts';
import type { ImportContext } from '../../snapshot/build-snapshot.ts';
import { rowsOf } from '../../snapshot/parts.ts';
import { literal } from '../../store/session.ts';
import { CANONICAL_TABLES } from '../../store/tables/index.ts';
import { withIdSession } from './id-session.ts';

/**
 * Profiles that a vendor deleted, without those of whom the store has an order: a row that deletes a profile takes the
 * person's orders too (0048), and vendors keep those of customers whom they delete or put together with others.
 *
 * @param folder where the session may write
 */
export async function withoutBuyers(
  context: ImportContext,
  business: Business,
  folder: string,
  profileIds: readonly string[],
): Promise<string[]> {
  return withIdSession(context, business, folder, async (session, stored) => {
    const rows = (table: string) => {
      const canonical = CANONICAL_TABLES.find(({ name }) => name === table);
      if (canonical === undefined) throw new Error(`no table ${table}`);
      return rowsOf(canonical, stored.get(table) ?? []);
    };
    await session.run('create table going (profile_id varchar)');
    for (let first = 0; first < profileIds.length; first += 1000) {
      const some = profileIds.slice(first, first + 1000).map((id) => `(${literal(id)})`);
      await session.run(`insert into going values ${some.join(', ')}`);
    }
    await session.run(`
      create table contacts as
        select profile_id, 'profile ' || profile_id as name from going
        union all
        select profile_id, unnest(${CONTACTS}) from (${rows('profiles')}) semi join going using (profile_id)
        union all
        select profile_id, kind || ' ' || value from (${rows('identities')}) semi join going using (profile_id);
      create table buyers as
        select unnest(list_concat(${CONTACTS}, ['profile ' || profile_id, 'visitor ' || visitor_id])) as name from (${rows('orders')})`);
    const nobodys = await session.rows(`
      select profile_id from going
      where profile_id not in (select profile_id from contacts where name in (select name from buyers where name is not null))`);
    return nobodys.map(({ profile_id }) => String(profile_id));
  });
}

const CONTACTS = `['email ' || email_hash, 'phone ' || phone_hash, 'external_customer_id ' || external_customer_id]`;
