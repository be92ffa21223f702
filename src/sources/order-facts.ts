import { join } from 'node:path';
import { localTimeOf } from '../store/business-clock.ts';
import { literal, type Session } from '../store/duckdb-session.ts';
import { relationName } from './relations.ts';
import { factsOfReturns } from './returns-as-orders.ts';
import type { RawRows, Source } from './source.ts';
import { storedId } from './stored-id.ts';

/**
 * What the files of a source say of each order, apart from what became of it: `order_id` (null where it has
 * none), `currency`, `ordered_at`, `gross`, `discount`, `shipping`, `tax`, `refunded` (null where the files
 * say nothing of it), `is_duplicate` (stands in the files once more, and later), `is_unpaid`, `edited_by`:
 * what the total says more or less than its parts, and `lines_off_by`: the lines more or less than their sum.
 *
 * Those of `returns` say what became of these (`returnsToRefunds`). They are written down when the files are
 * read, for the time of the import: the model is built in another session.
 */
export async function keepOrderFacts(
  session: Session,
  source: Source,
  raw: RawRows,
  returns: string | null,
): Promise<string | null> {
  const own = source.orderFacts?.(raw) ?? null;
  if (own === null) return null;
  const facts = returns === null ? own : factsOfReturns(own, returns);
  const file = join(session.temporaryFolder, `facts_${relationName(source)}.parquet`);
  // The gate for personal data changes ids that look like some: so it does here.
  await session.run(
    `copy (
      select * replace (${storedId('recordId', 'order_id')} as order_id),
        strftime(${localTimeOf('ordered_at')}, '%Y-%m') as month
      from (${facts})
    ) to ${literal(file)} (format parquet)`,
  );
  return file;
}
