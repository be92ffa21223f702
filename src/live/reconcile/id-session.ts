import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Business } from '../../business/business.ts';
import { currentSnapshot } from '../../control/businesses.ts';
import type { ImportContext } from '../../snapshot/build-snapshot.ts';
import { type Parts, readParts } from '../../snapshot/parts.ts';
import { Session } from '../../store/session.ts';

/** Ids are many and short: what does not fit is written to the disk. */
const MEMORY = '512MB';

/** Asks something of ids, beside the canonical rows that are served. */
export async function withIdSession<Result>(
  { control, data, spillLimit, signal }: ImportContext,
  { business_id }: Business,
  folder: string,
  work: (session: Session, stored: Parts) => Promise<Result>,
): Promise<Result> {
  const spillFolder = await mkdtemp(join(folder, 'comparing-'));
  try {
    using session = await Session.open(
      ':memory:',
      { memory: MEMORY, threads: 1, spillFolder, spillLimit },
      signal,
    );
    const served = await currentSnapshot(control, business_id);
    const stored =
      served === null ? new Map() : await readParts(session, data.snapshot(business_id, served.snapshot_id));
    return await work(session, stored);
  } finally {
    await rm(spillFolder, { recursive: true, force: true });
  }
}
