import type { Business } from '../../business/business.ts';
import { createRowsBefore, profilesWithOrders } from '../../ingest/deletions.ts';
import type { ImportContext } from '../../snapshot/import-context.ts';
import { literal, type Session } from '../../store/duckdb-session.ts';
import { type Served, withIdSession } from './id-session.ts';

/**
 * Profiles that a vendor deleted, without those of whom the store has an order: a row that deletes a profile
 * takes the person's orders too (0048), and vendors keep those of customers whom they delete or put together
 * with others.
 *
 * @param folder where the session may write
 */
export async function withoutBuyers(
  context: ImportContext,
  business: Business,
  folder: string,
  profileIds: readonly string[],
): Promise<string[]> {
  return withIdSession(context, business, folder, async (session, _, served) => {
    await session.run('create table going (profile_id varchar)');
    for (let first = 0; first < profileIds.length; first += 1000) {
      const some = profileIds.slice(first, first + 1000).map((id) => `(${literal(id)})`);
      await session.run(`insert into going values ${some.join(', ')}`);
    }
    await removeBuyers(session, served, 'going');
    const nobodys = await session.rows('select profile_id from going');
    return nobodys.map(({ profile_id }) => String(profile_id));
  });
}

/** @param going a table with the column `profile_id` */
export async function removeBuyers(session: Session, served: Served | null, going: string): Promise<void> {
  await createRowsBefore(session, served);
  await session.run(`delete from ${going} where profile_id in (${profilesWithOrders(going)})`);
}
