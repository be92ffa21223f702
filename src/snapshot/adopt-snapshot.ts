import { join } from 'node:path';
import type { Business } from '../business/business.ts';
import { currentSnapshot, listSnapshots } from '../control/businesses/businesses.ts';
import { goingBack } from '../control/connections/read-again.ts';
import { fingerprintOf } from '../control/tokens/instance-secret.ts';
import { InputError } from '../errors.ts';
import { CANONICAL_TABLES } from '../store/tables/all-tables.ts';
import { refuseNewerModel } from './build/newer-model.ts';
import { buildSnapshot } from './build-snapshot.ts';
import { storedTables } from './canonical-parts.ts';
import type { Base } from './find-base.ts';
import type { ImportContext } from './import-context.ts';
import type { ImportReport } from './import-report.ts';
import { findDamage, readDescription } from './snapshot-description.ts';
import { findSnapshotFolders, isSnapshotId, momentOfSnapshot } from './snapshot-folders.ts';

/**
 * Takes up a snapshot that lies in the data folder and that the control database does not know: its canonical
 * tables become a new snapshot, which is built, checked and served as after an import. The adopted folder
 * goes then.
 *
 * @throws InputError, ImportError, OperatorError when it cannot be taken up; nothing has changed then
 */
export async function adoptSnapshot(
  context: ImportContext,
  business: Business,
  name: string,
  { acceptsSecret }: { readonly acceptsSecret: boolean },
): Promise<ImportReport> {
  const base = await readUnknown(context, business.business_id, name, acceptsSecret);
  return goingBack(context.control, business.business_id, momentOfSnapshot(name), () =>
    buildSnapshot(context, business, { adopted: base }),
  );
}

async function readUnknown(
  { control, data, secret }: ImportContext,
  businessId: string,
  name: string,
  acceptsSecret: boolean,
): Promise<Base> {
  const snapshots = data.snapshots(businessId);
  const listed = (await listSnapshots(control, businessId)).map(({ snapshot_id }) => snapshot_id);
  const served = await currentSnapshot(control, businessId);
  if (listed.includes(name)) {
    throw new InputError(
      `${name} is listed already; serve it with \`snapshot rollback ${businessId} --to ${name}\``,
    );
  }
  const { unknown } = await findSnapshotFolders(snapshots, listed, served?.snapshot_id ?? null);
  const folder = join(snapshots, name);
  const next = `\`snapshot list ${businessId}\` shows those that can be taken up`;
  if (!unknown.includes(name))
    throw new InputError(`there is no unknown snapshot ${name} in ${snapshots}; ${next}`);
  const description = await readDescription(folder);
  // Versions before this one described no snapshot, and gave it its name when it was finished.
  if (description === null && !isSnapshotId(name)) {
    throw new InputError(`${folder} is no finished snapshot; ${next}`);
  }
  const there = await storedTables(folder);
  const tables =
    description?.facts.loaded_tables ??
    CANONICAL_TABLES.flatMap(({ name: table }) => (there.has(table) ? [table] : []));
  const secrets = description?.secrets ?? [];
  if (description !== null) {
    if (description.business.business_id !== businessId) {
      throw new InputError(
        `${folder} is of the business ${description.business.business_id} (${description.business.name}); its ` +
          'personal data were hashed for that one, so no other can take it up',
      );
    }
    refuseNewerModel(description.model_version);
    const damage = await findDamage(folder, description, '');
    if (damage !== null) throw new InputError(`${name} is damaged: ${damage}. Restore it from a backup`);
    if (!acceptsSecret && secrets.some((known) => known !== fingerprintOf(secret))) {
      throw new InputError(
        `the personal data of ${name} were hashed with another secret than ${data.secret}: the same customer would ` +
          'count as two from the next import on. Restore that secret, or accept this with --accept-secret',
      );
    }
  }
  return { snapshot_id: name, folder, tables, secrets, deletions: description?.deletions ?? [] };
}
