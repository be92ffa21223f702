import { randomUUID } from 'node:crypto';
import { type Business, isUuid } from '../../business/business.ts';
import type { SnapshotFacts } from '../../business/snapshot-facts.ts';
import { isTimezone } from '../../business/timezone.ts';
import { InputError } from '../../errors.ts';
import { hasInk, visibleLine } from '../../text/visible-line.ts';
import type { ControlDatabase } from '../database/control-database.ts';
import { type BusinessSettings, setBusinessSettings } from './business-settings.ts';
import { haveSameModel, type PublishedSnapshot } from './published-snapshot.ts';
import { findServedAndNewest, serveModel, serveModelsOf } from './served-models.ts';

const COLUMNS = ['business_id', 'name', 'link', 'timezone', 'primary_currency'] as const;

export interface NewBusiness {
  readonly name: string;
  readonly timezone?: string | undefined;
  readonly currency?: string | undefined;
  readonly link?: string | undefined;
  readonly id?: string | undefined;
}

/** @throws InputError for a name, timezone, currency, link or id that cannot be */
export async function createBusiness(control: ControlDatabase, options: NewBusiness): Promise<Business> {
  const business: Business = {
    business_id: readId(options.id),
    name: readName(options.name),
    link: readLink(options.link),
    timezone: readTimezone(options.timezone),
    primary_currency: readCurrency(options.currency),
  };
  const { numInsertedOrUpdatedRows } = await control
    .insertInto('businesses')
    .values({
      ...business,
      snapshot_id: null,
      created_at: new Date().toISOString(),
      attribution_click_window_h: null,
      attribution_open_window_h: null,
      sms_delivery_window_h: null,
      vat_rate_hundredths: null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  if (numInsertedOrUpdatedRows === 0n) {
    throw new InputError(`there is already a business with the id ${business.business_id}`);
  }
  return business;
}

function readId(id: string | undefined): string {
  if (id === undefined) return randomUUID();
  if (!isUuid(id)) throw new InputError(`--id ${id} is not a valid UUID`);
  return id.toLowerCase();
}

/** Changes what people read of a business. @throws InputError for a name or link that cannot be */
export async function describeBusiness(
  control: ControlDatabase,
  businessId: string,
  { name, link }: { readonly name: string; readonly link?: string | undefined },
): Promise<void> {
  await control
    .updateTable('businesses')
    .set({ name: readName(name), link: readLink(link) })
    .where('business_id', '=', businessId)
    .execute();
}

/** The most characters of a name. Pages show no more. */
const LONGEST_NAME = 100;

/** A name stands in the texts of others: among answers that a model reads, on pages, in a terminal. */
function readName(name: string): string {
  const trimmed = name.trim();
  if (trimmed === '') throw new InputError('the name of a business must not be empty');
  if (/\p{Cc}/u.test(trimmed))
    throw new InputError('the name of a business must be one line, without control characters');
  if (trimmed.length > 2 * LONGEST_NAME || [...trimmed].length > LONGEST_NAME)
    throw new InputError(
      `the name of a business must have at most ${LONGEST_NAME} characters; this one has ${trimmed.length}`,
    );
  if (shownName(trimmed) !== trimmed.replace(/\s+/gu, ' ') || !hasInk(trimmed))
    throw new InputError(
      'the name of a business must be visible text: without invisible characters, marks that turn the direction of text, and piles of accents',
    );
  return trimmed;
}

/**
 * The name as others are told it: one that an older version took may have more than the limits above allow.
 */
export function shownName(name: string): string {
  const shown = visibleLine(name, LONGEST_NAME);
  return hasInk(shown) ? shown : '(no name)';
}

function readLink(link: string | undefined): string | null {
  if (link === undefined) return null;
  if (!/^https?:$/.test(URL.parse(link)?.protocol ?? '')) {
    throw new InputError(`--link ${link} is not a URL that starts with https:// or http://`);
  }
  return link;
}

export function readTimezone(timezone: string | undefined): string | null {
  if (timezone === undefined) return null;
  if (isTimezone(timezone)) return timezone;
  throw new InputError(`--timezone ${timezone} is not an IANA timezone, for example Europe/Prague`);
}

export function readCurrency(currency: string | undefined): string | null {
  if (currency === undefined) return null;
  if (!/^[A-Za-z]{3}$/.test(currency)) {
    throw new InputError(`--currency ${currency} is not an ISO 4217 code, for example CZK`);
  }
  return currency.toUpperCase();
}

/** @throws InputError when there is no such business */
export async function findBusiness(control: ControlDatabase, id: string): Promise<Business> {
  const business = await readBusiness(control, id.toLowerCase());
  if (business !== null) return business;
  const called = await businessesCalled(control, id);
  if (called.length === 0) throw new InputError(`there is no business ${id}; \`business list\` shows them`);
  throw new InputError(
    `${id} is the name of a business, not its id: give ${called.map(({ business_id }) => business_id).join(' or ')}`,
  );
}

/**
 * Forgets a business, with who may read it, its connections, uploads, settings and the list of its snapshots.
 */
export async function forgetBusiness(control: ControlDatabase, businessId: string): Promise<void> {
  await control.deleteFrom('businesses').where('business_id', '=', businessId).execute();
}

/** Null when there is no such business. */
export async function readBusiness(control: ControlDatabase, id: string): Promise<Business | null> {
  const business = await control
    .selectFrom('businesses')
    .select(COLUMNS)
    .where('business_id', '=', id)
    .executeTakeFirst();
  return business ?? null;
}

/** The businesses with a name. Several may have the same one. */
export function businessesCalled(control: ControlDatabase, name: string): Promise<Business[]> {
  return businessesByName(control).where('name', '=', name.trim()).limit(5).execute();
}

/** All businesses, by name. */
export function listBusinesses(control: ControlDatabase): Promise<Business[]> {
  return businessesByName(control).execute();
}

/** The query of all, which others narrow. */
export function businessesByName(control: ControlDatabase) {
  return control.selectFrom('businesses').select(COLUMNS).orderBy('name').orderBy('business_id');
}

/** The businesses that the account is assigned to, by name. */
export function assignedBusinesses(control: ControlDatabase, accountId: string): Promise<Business[]> {
  const assigned = control
    .selectFrom('assignments')
    .select('business_id')
    .where('account_id', '=', accountId);
  return businessesByName(control).where('business_id', 'in', assigned).execute();
}

/** The newest snapshot, of whichever version: imports build on it. Null for a business that never had one. */
export async function currentSnapshot(
  control: ControlDatabase,
  businessId: string,
): Promise<PublishedSnapshot | null> {
  const row = await control
    .selectFrom('businesses')
    .innerJoin('snapshots', (join) =>
      join
        .onRef('snapshots.business_id', '=', 'businesses.business_id')
        .onRef('snapshots.snapshot_id', '=', 'businesses.snapshot_id'),
    )
    .select(['snapshots.snapshot_id', 'model_version', 'facts', 'snapshots.created_at', 'rebuilt_from'])
    .where('businesses.business_id', '=', businessId)
    .executeTakeFirst();
  return row === undefined ? null : { ...row, facts: JSON.parse(row.facts) };
}

/**
 * When the snapshots that are served now were made, for all businesses. It is null for a business that has
 * none.
 */
export async function servedSnapshotTimes(
  control: ControlDatabase,
): Promise<{ readonly oldest: string | null; readonly newest: string | null }> {
  return control
    .selectFrom('businesses')
    .innerJoin('snapshots', (join) =>
      join
        .onRef('snapshots.business_id', '=', 'businesses.business_id')
        .onRef('snapshots.snapshot_id', '=', 'businesses.snapshot_id'),
    )
    .select(({ fn }) => [
      fn.min('snapshots.created_at').as('oldest'),
      fn.max('snapshots.created_at').as('newest'),
    ])
    .executeTakeFirstOrThrow();
}

/** The kept snapshots, newest first. */
export async function listSnapshots(
  control: ControlDatabase,
  businessId: string,
): Promise<PublishedSnapshot[]> {
  const rows = await control
    .selectFrom('snapshots')
    .select(['snapshot_id', 'model_version', 'facts', 'created_at', 'rebuilt_from'])
    .where('business_id', '=', businessId)
    .orderBy('snapshot_id', 'desc')
    .execute();
  return rows.map((row) => ({ ...row, facts: JSON.parse(row.facts) }));
}

/**
 * Records a finished snapshot and serves it to servers of its version, in one step; drops the records of
 * those no longer kept, changes settings.
 */
export async function publishSnapshot(
  control: ControlDatabase,
  businessId: string,
  snapshot: PublishedSnapshot,
  dropped: readonly string[],
  settings: Partial<BusinessSettings> = {},
): Promise<void> {
  await control.transaction().execute(async (transaction) => {
    await transaction
      .insertInto('snapshots')
      .values({ ...snapshot, business_id: businessId, facts: JSON.stringify(snapshot.facts) })
      .execute();
    const newest = await currentSnapshot(transaction, businessId);
    // Another version's stays the newest when only its rows were built anew: that version may go on
    // importing.
    if (
      snapshot.rebuilt_from === null ||
      newest === null ||
      haveSameModel(newest.model_version, snapshot.model_version)
    ) {
      await setNewest(transaction, businessId, snapshot.snapshot_id);
    }
    await serveModel(transaction, businessId, snapshot);
    await setBusinessSettings(transaction, businessId, settings);
    if (dropped.length > 0) await dropSnapshots(transaction, businessId, dropped);
  });
}

async function setNewest(control: ControlDatabase, businessId: string, snapshot_id: string): Promise<void> {
  await control
    .updateTable('businesses')
    .set({ snapshot_id })
    .where('business_id', '=', businessId)
    .execute();
}

/** Drops snapshots, and the pointers of versions that served them. */
async function dropSnapshots(
  control: ControlDatabase,
  businessId: string,
  dropped: readonly string[],
): Promise<void> {
  for (const table of ['snapshots', 'served_models'] as const) {
    await control
      .deleteFrom(table)
      .where('business_id', '=', businessId)
      .where('snapshot_id', 'in', dropped)
      .execute();
  }
}

/**
 * Says whether the control database lists a snapshot. It waits for transactions under way, also of a
 * connection that was lost: what is answered stays true.
 */
export function isListed(control: ControlDatabase, businessId: string, snapshotId: string): Promise<boolean> {
  return control.transaction().execute(async (transaction) => {
    const listed = await listSnapshots(transaction, businessId);
    return listed.some(({ snapshot_id }) => snapshot_id === snapshotId);
  });
}

/**
 * Forgets a snapshot, also one that another version serves: the caller knows that it is no longer in use.
 *
 * @throws InputError when it is the newest, or what this version serves
 */
export async function forgetSnapshot(
  control: ControlDatabase,
  businessId: string,
  snapshotId: string,
  modelVersion: string,
): Promise<void> {
  await control.transaction().execute(async (transaction) => {
    const found = await findServedAndNewest(transaction, businessId, modelVersion);
    if ([found?.newest?.snapshot_id, found?.served?.snapshot_id].includes(snapshotId)) {
      throw new InputError(
        `${snapshotId} is served; serve another one first, with \`snapshot rollback --to\``,
      );
    }
    await dropSnapshots(transaction, businessId, [snapshotId]);
  });
}

/**
 * Serves an older or newer kept snapshot. The settings that it was built with are those of the business
 * again: they came with an import, as rows do.
 *
 * @throws InputError when it is not kept
 */
export async function serveSnapshot(
  control: ControlDatabase,
  businessId: string,
  snapshotId: string,
): Promise<void> {
  await control.transaction().execute(async (transaction) => {
    const kept = await listSnapshots(transaction, businessId);
    const snapshot = kept.find(({ snapshot_id }) => snapshot_id === snapshotId);
    if (snapshot === undefined) {
      throw new InputError(`there is no snapshot ${snapshotId}; \`snapshot list\` shows those that are kept`);
    }
    await setNewest(transaction, businessId, snapshotId);
    await serveModelsOf(transaction, businessId, snapshot, kept);
    await setBusinessSettings(transaction, businessId, settingsOf(snapshot.facts));
  });
}

/**
 * Snapshots of earlier versions do not say all of them; then nothing could change those either, and there was
 * no VAT rate.
 */
function settingsOf({
  timezone,
  primary_currency,
  attribution_windows,
  vat_rate = null,
}: Partial<SnapshotFacts>): Partial<BusinessSettings> {
  return {
    ...(timezone !== undefined && { timezone }),
    ...(primary_currency !== undefined && { primary_currency }),
    ...(attribution_windows !== undefined && { attribution_windows }),
    vat_rate,
  };
}
