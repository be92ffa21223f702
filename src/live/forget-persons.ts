import type { Business } from '../business/business.ts';
import { findBusiness } from '../control/businesses/businesses.ts';
import { openUploads, readUpload } from '../control/businesses/uploads.ts';
import {
  beginErasure,
  type Erasure,
  endErasure,
  keepErasure,
  markDeletionsLanded,
  type WaitingErasure,
  waitingErasures,
} from '../control/connections/connection-erasures.ts';
import { type Held, isOfIds, type LandedFile } from '../control/connections/connection-leases.ts';
import { makeDue, openSecrets } from '../control/connections/connections.ts';
import { holding, holdingBusiness } from '../control/connections/hold-connections.ts';
import { LISTING_OF } from '../control/connections/other-origins.ts';
import { InputError } from '../errors.ts';
import { type DeletionReport, deletePersons } from '../ingest/delete-person.ts';
import type { ImportContext } from '../snapshot/import-context.ts';
import { BusinessLockedError, ImportError } from '../snapshot/import-errors.ts';
import { hashKey, keyedHash } from '../store/keyed-hash.ts';
import { businessGate } from '../store/personal-data/business-gate.ts';
import { readLandedHash } from '../store/personal-data/landed-hashes.ts';
import { discardUpload, settleInterrupted } from '../uploads/upload-folder.ts';
import { removeWithFiles } from './disconnect.ts';
import { importLanded } from './import-landed.ts';
import { LandedFiles } from './landing/landed-files.ts';
import { answersNotSoon, confirmedDeletions } from './reconcile/confirm-deletions.ts';
import { landVendorDeletions } from './reconcile/vendor-deletions.ts';
import { type RunContext, vendorOf } from './run-connection.ts';
import { type Deletion, type Json, VendorError } from './vendor.ts';
import { createAccess } from './vendor-access.ts';

/** What a deletion took away, of the landed rows too. */
export interface ForgottenReport extends DeletionReport {
  readonly landed_rows: number;
  /** Uploads that nobody had published: files of the shop, in which the persons may be. */
  readonly uploads_discarded: number;
}

/**
 * Takes persons out of a business for good, as `deletePersons`, and out of what was landed for it: an import
 * that is made of that again must not bring them back. Uploads that wait to be published go whole: they hold
 * the shop's files as they are.
 *
 * @throws InputError while a connection of the business runs, or an upload is imported into it
 */
export async function forgetPersons(
  context: ImportContext,
  business: Business,
  identifiers: readonly string[],
): Promise<ForgottenReport> {
  return holdingBusiness(context.control, business.business_id, async (held) => {
    await refuseImportedUploads(context, business);
    const landed_rows = await forgetLanded(context, business, held, identifiers);
    const report = await deletePersons(context, business, identifiers);
    return { ...report, landed_rows, uploads_discarded: await discardUploads(context, business) };
  });
}

/** @throws InputError */
async function refuseImportedUploads(context: ImportContext, { business_id }: Business): Promise<void> {
  for (const upload of await openUploads(context.control, business_id)) {
    await settleInterrupted(context, upload);
    const now = await readUpload(context.control, upload.upload_id);
    if (now !== null && (now.state === 'waiting' || now.state === 'running')) throw new InputError(AT_WORK);
  }
}

const AT_WORK =
  'files that came in the browser are being imported into this business, or wait to be; try again when that has ended';

/** @throws InputError where one is imported meanwhile: it may bring the persons back */
async function discardUploads(context: ImportContext, { business_id }: Business): Promise<number> {
  let discarded = 0;
  for (const { upload_id } of await openUploads(context.control, business_id)) {
    if (!(await discardUpload(context, upload_id))) throw new InputError(AT_WORK);
    discarded += 1;
  }
  return discarded;
}

/** A deletion that failed is tried again after this time; meanwhile the other ones are done. */
export const POSTPONED_MS = 900_000;

/** A deletion waits for this time, or up to twice as long, while its store is being read or imported into. */
const HELD_MS = 30_000;

/** The key that tells a deletion from others. */
export function deletionKey({
  connection_id,
  request_id,
}: Pick<Erasure, 'connection_id' | 'request_id'>): string {
  return `${connection_id} ${request_id}`;
}

/**
 * Carries out what a vendor asked for longest ago. It is kept until nothing can land any more that the vendor
 * read out before it asked, such as the results of a bulk operation, and is then done again where rows were
 * landed since.
 *
 * @param onBegin is told which deletion comes next
 * @param postponed until when each deletion that failed has to wait, by its connection and request; on the
 *   clock that nobody sets
 * @returns whether something was done
 */
export async function forgetNext(
  context: RunContext,
  postponed: Map<string, number>,
  onBegin: (key: string) => void = () => {},
): Promise<boolean> {
  const { control, secret, log } = context;
  for (const [key, until] of postponed) if (until <= performance.now()) postponed.delete(key);
  for await (const erasure of waitingErasures(control, secret, (each) => postponed.has(deletionKey(each)))) {
    onBegin(deletionKey(erasure));
    const wait = (milliseconds: number) =>
      postponed.set(deletionKey(erasure), performance.now() + milliseconds);
    const business = await findBusiness(control, erasure.business_id);
    try {
      if (!erasure.isLeft) {
        if (erasure.isLast) await endErasure(control, erasure);
        continue;
      }
      if (erasure.removesConnection) {
        await removeAsked(context, erasure);
        log.info({ business_id: business.business_id }, 'a connection was removed, as its vendor asked');
        return true;
      }
      // A deletion may be tried again for its rest, and must not have its rows landed once more.
      if (erasure.isLanded !== true) await beginErasure(control, erasure);
      if (erasure.gone.length > 0 || erasure.isLanded === true) await takeOut(context, business, erasure);
      if (erasure.identifiers.length > 0) {
        const { rows, landed_rows } = await forgetPersons(context, business, erasure.identifiers);
        log.info(
          { business_id: business.business_id, rows, landed_rows },
          'a person was deleted, as a vendor asked',
        );
      }
    } catch (error) {
      // The run or import that holds the store now ends soon.
      if (error instanceof InputError || error instanceof BusinessLockedError) {
        wait(HELD_MS * (1 + Math.random()));
        continue;
      }
      if (context.signal.aborted) return false;
      wait(POSTPONED_MS);
      if (error instanceof VendorError) {
        log.warn(
          { business_id: business.business_id, state: error.state },
          'a vendor says that something was deleted, and does not answer whether it is; it is asked again',
        );
        continue;
      }
      // The error of an import quotes what merchants and buyers wrote.
      const isOfImport = error instanceof ImportError;
      const message = isOfImport
        ? 'an import failed'
        : error instanceof Error
          ? error.message
          : String(error);
      log.error(
        { business_id: business.business_id, request_id: erasure.request_id, error: message },
        'a person could not be deleted, as a vendor asked; it is tried again',
      );
      continue;
    }
    if (erasure.isLast) await endErasure(control, erasure);
    else await keepErasure(control, secret, erasure);
    return true;
  }
  return false;
}

/**
 * Records which rows a vendor said are deleted, for the next run of the connection to import. A paused one
 * has no next run, so they are imported now; all of it while it is held once, since a run that begins
 * meanwhile would have the rest wait.
 *
 * @throws InputError while it runs, BusinessLockedError while something else is imported
 */
async function takeOut(context: RunContext, business: Business, erasure: WaitingErasure): Promise<void> {
  const { connection_id, isLanded = false } = erasure;
  const { control, secret, data } = context;
  await holding(control, connection_id, async (held) => {
    const files = await LandedFiles.open({ control, data }, held);
    if (!isLanded) {
      await landGone(context, business, erasure, held, files);
      await markDeletionsLanded(control, secret, erasure);
    }
    if (held.connection.is_paused) await importOfPaused(context, business, held, files);
  });
  if (!isLanded) await makeDue(control, connection_id);
}

async function landGone(
  context: RunContext,
  business: Business,
  { gone, onlyBrought = false, isAgain = false, asked_at }: WaitingErasure,
  held: Held,
  files: LandedFiles,
): Promise<void> {
  if (!onlyBrought) {
    await files.land({ stream: TOLD, place: 'null', complete_until: null }, { gone });
    return;
  }
  const confirmed = await askWhetherGone(context, held, gone);
  const rows = await landVendorDeletions(
    context,
    business,
    held,
    files,
    confirmed,
    isAgain ? new Date(asked_at) : null,
  );
  const { business_id } = business;
  if (rows > 0 && !isAgain)
    context.log.info(
      { business_id, rows },
      'a vendor deleted what this connection has not brought: where it came by another way, it stays',
    );
}

/** @throws VendorError when the vendor cannot answer now */
async function askWhetherGone(
  context: RunContext,
  { connection }: Held,
  told: readonly Deletion[],
): Promise<readonly Deletion[]> {
  const { business_id } = connection;
  const access = createAccess(connection, openSecrets(context.secret, connection), context);
  try {
    const confirmed = await confirmedDeletions(vendorOf(context.vendors, connection.vendor), access, told);
    if (confirmed.length < told.length)
      context.log.warn(
        { business_id, rows: told.length - confirmed.length },
        'a webhook says that something was deleted which its vendor has still: it stays',
      );
    return confirmed;
  } catch (error) {
    if (!answersNotSoon(error)) throw error;
    context.log.warn(
      { business_id, rows: told.length },
      'a webhook says that something was deleted, and the key may not ask the vendor whether it is: it stays until the next comparison',
    );
    return [];
  }
}

/**
 * Keeps a refused import until somebody lets it through, and its rows go then. The persons are forgotten now,
 * and a connection whose vendor wants it removed does not wait for that either.
 *
 * @throws BusinessLockedError while something else is imported
 */
async function importOfPaused(
  context: RunContext,
  business: Business,
  held: Held,
  files: LandedFiles,
): Promise<void> {
  const { log, settings = {} } = context;
  const vendor = vendorOf(context.vendors, held.connection.vendor);
  const importing = context.whenMayImport ?? ((work) => work());
  try {
    await importing(() => importLanded(context, { business, held, files, vendor, settings }));
  } catch (error) {
    if (!(error instanceof ImportError) || error instanceof BusinessLockedError) throw error;
    const { business_id } = business;
    log.warn(
      { business_id },
      'rows that a vendor deleted stay until the import of its paused connection is let through',
    );
  }
}

/**
 * The connection, its key and the rows that it landed, after all that was asked of it. @throws InputError
 * until then
 */
async function removeAsked({ control, data }: RunContext, erasure: Erasure): Promise<void> {
  const { business_id, connection_id } = erasure;
  await removeWithFiles({ control, data }, { business_id, connection_id }, (transaction) =>
    endErasure(transaction, erasure),
  );
}

/** The stream beside those of the vendor: orders of persons whom the vendor wants forgotten. */
const TOLD = 'told';

async function forgetLanded(
  context: ImportContext,
  business: Business,
  held: readonly Held[],
  identifiers: readonly string[],
): Promise<number> {
  const names = namesOf(context.secret, business, identifiers);
  const files: LandedFiles[] = [];
  for (const each of held) files.push(await LandedFiles.open(context, each));
  // Some rows have only the id of a person; other rows, which also have the e-mail address, tell whose id it
  // is.
  for (const each of files) await each.removeRows((row, file) => !isOfIds(file) && addIds(row, names));
  let removed = 0;
  for (const each of files)
    removed += await each.removeRows((row, file) => !isOfOrderIds(file) && namesOneOf(row, names));
  return removed;
}

/** An order may have the number that somebody has as their id. */
function isOfOrderIds(file: LandedFile): boolean {
  return isOfIds(file) && file.stream === LISTING_OF.orders;
}

interface Names {
  /** The hashes of e-mail addresses and phone numbers. */
  readonly hashes: ReadonlySet<string>;
  readonly ids: Set<string>;
}

function namesOf(secret: Buffer, business: Business, identifiers: readonly string[]): Names {
  const key = hashKey(secret, business.business_id);
  const { phones } = businessGate(secret, business);
  const hashes = identifiers.map((identifier) =>
    keyedHash(
      key,
      identifier.includes('@') ? identifier.toLowerCase() : phones.internationalForm(identifier),
    ),
  );
  // An id that was an e-mail address was hashed before it was written.
  const ids = identifiers.flatMap((identifier) => [identifier, keyedHash(key, identifier)]);
  return { hashes: new Set(hashes), ids: new Set(ids) };
}

/** Remembers which ids a row has for a person whom it names. It returns false, so that no row is removed. */
function addIds(row: Json, names: Names): false {
  if (!namesOneOf(row, names) || typeof row !== 'object' || row === null) return false;
  const fields = row as Readonly<Record<string, Json>>;
  const persons = [isOrder(fields) ? null : fields, fields.customer, fields.profile];
  for (const person of persons) {
    const id = typeof person === 'object' && person !== null ? (person as Record<string, Json>).id : null;
    if (typeof id === 'string' || typeof id === 'number') names.ids.add(lastPart(String(id)));
  }
  const { customer_id } = fields;
  if (typeof customer_id === 'number' && customer_id > 0) names.ids.add(String(customer_id));
  return false;
}

function namesOneOf(row: Json, names: Names): boolean {
  const isWithin = (value: Json | undefined, name: string): boolean => {
    if (typeof value === 'string') {
      const hash = readLandedHash(value)?.hash;
      return hash === undefined
        ? OF_PERSONS.test(name) && names.ids.has(lastPart(value))
        : names.hashes.has(hash);
    }
    if (typeof value === 'number') return OF_PERSONS.test(name) && names.ids.has(String(value));
    if (Array.isArray(value)) return value.some((part) => isWithin(part, name));
    if (typeof value !== 'object' || value === null) return false;
    const isRow = value === row;
    return Object.entries(value).some(([field, part]) => {
      const isOwnId = field === 'id' && (isRow ? !isOrder(value as Record<string, Json>) : PERSON.test(name));
      return isWithin(part, isOwnId ? 'person_id' : field === 'id' ? '' : field);
    });
  };
  return isWithin(row, '');
}

/**
 * Orders are told apart, since an order and somebody else's customer record may have the same number as their
 * id.
 */
function isOrder(row: Readonly<Record<string, Json>>): boolean {
  return Object.keys(row).some((name) => /^(line_?items|total|total_?price|variants|sku)/i.test(name));
}

const OF_PERSONS = /(person|customer|profile|user|subscriber|external)_?id$/i;
const PERSON = /^(customer|profile|person|subscriber|data)$/;

/** `gid://shopify/Customer/207119551` is 207119551 there. */
function lastPart(id: string): string {
  return id.slice(id.lastIndexOf('/') + 1);
}
