import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Business } from '../../business/business.ts';
import { currentSnapshot } from '../../control/businesses/businesses.ts';
import { type Parts, readPartsOf } from '../../snapshot/canonical-parts.ts';
import type { Base } from '../../snapshot/find-base.ts';
import type { ImportContext } from '../../snapshot/import-context.ts';
import { Session } from '../../store/duckdb-session.ts';
import { defineGate } from '../../store/personal-data/session-gate.ts';

/** Ids are many and short: what does not fit is written to the disk. */
const MEMORY = '512MB';

/** Where the rows that are served lie. */
export type Served = Pick<Base, 'folder' | 'tables'>;

/** Asks something of ids, beside the canonical rows that are served. */
export async function withIdSession<Result>(
  { control, data, secret, spillLimit, signal }: ImportContext,
  business: Business,
  folder: string,
  work: (session: Session, stored: Parts, served: Served | null) => Promise<Result>,
): Promise<Result> {
  const spillFolder = await mkdtemp(join(folder, 'comparing-'));
  try {
    using session = await Session.open(
      ':memory:',
      { memory: MEMORY, threads: 1, spillFolder, spillLimit },
      signal,
    );
    defineGate(session, secret, business);
    const { business_id } = business;
    const current = await currentSnapshot(control, business_id);
    const served =
      current === null
        ? null
        : {
            folder: data.snapshot(business_id, current.snapshot_id),
            tables: current.facts.loaded_tables,
          };
    return await work(session, await readPartsOf(session, served), served);
  } finally {
    await rm(spillFolder, { recursive: true, force: true });
  }
}
