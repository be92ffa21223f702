import { join } from 'node:path';
import type { Business } from '../../business/business.ts';
import {
  type AskedComparison,
  askedComparison,
  endAskedComparison,
} from '../../control/connections/asked-comparisons.ts';
import { type Held, readPlaces } from '../../control/connections/connection-leases.ts';
import { isSurelyLater, isWithin } from '../../control/database/clock-tolerance.ts';
import { type Parts, rowsOf } from '../../snapshot/canonical-parts.ts';
import type { ImportContext } from '../../snapshot/import-context.ts';
import { literal, type Session } from '../../store/duckdb-session.ts';
import { canonicalTable } from '../../store/tables/all-tables.ts';
import type { LandedFiles } from '../landing/landed-files.ts';
import { ENDS_READING, placeText } from '../read-streams.ts';
import { type Access, type Json, type Listing, type Vendor, VendorError } from '../vendor.ts';
import { type Served, withIdSession } from './id-session.ts';
import { NOT_BEGUN, type Place, placeOf } from './listing-place.ts';
import { ReceivedIds } from './received-ids.ts';
import type { RefusedDeletions } from './refused-deletions.ts';
import { removeBuyers } from './without-buyers.ts';

const EVERY_MS = 30 * 24 * 3600_000;

/**
 * The pause between two runs that take rows back. They do not follow each file that somebody uploads: an
 * uploading program may do so every hour.
 */
const TAKES_BACK_EVERY_MS = 24 * 3600_000;

/** A comparison that did not end meanwhile is begun anew: what it listed is too old. */
const FORGOTTEN_AFTER_MS = 3 * 24 * 3600_000;

/** More than both, or a vendor that lists nothing: a person is asked first. */
const UNLIKELY = { rows: 20, share: 0.1 } as const;

/** Ids that are written, and rows that are asked for, at once. */
const PER_FILE = 50_000;
const PER_QUESTION = 98;

/** Ids that the vendor listed, which are asked for along with those that it did not. */
const CONTROLS = 2;

/** A list goes on over many turns, and its ids lie on the disk until it ends. */
const MOST_LISTED = 50_000_000;

/** Ids of one file, once those that came several times are put together. */
const PER_KEPT_FILE = 1_000_000;

/** What a person said when asking to compare now. */
export interface AskedToReconcile {
  /** How many rows may go of each kind, whatever their share; null: as ever. */
  readonly mostGone: number | null;
}

interface Reconciling {
  readonly context: ImportContext;
  readonly business: Business;
  readonly held: Held;
  readonly files: LandedFiles;
  readonly vendor: Vendor;
  readonly access: Access;
  readonly seconds: number;
  readonly asked: AskedToReconcile | null;
  /** Streams and listings that could not be read. */
  readonly failed: readonly string[];
}

export interface ReconcileReport {
  /** The number of rows that were landed as gone, by listing. */
  readonly gone: Record<string, number>;
  readonly failed: { readonly stream: string; readonly error: VendorError }[];
  /** What a person must be asked. */
  readonly refused: RefusedDeletions[];
  /** What could not be compared, for the person who asked for it. */
  readonly notes: string[];
  hasMore: boolean;
}

/**
 * Finds what a vendor deleted without a word: monthly, the ids of all that it has are compared with those
 * that this connection brought and the store still has. What the vendor did not list is asked for by itself;
 * what it then says it does not have is landed to go. Whatever was landed must be imported before.
 *
 * @throws LeaseLostError, and what no vendor is to blame for
 */
export async function reconcile(reconciling: Reconciling): Promise<ReconcileReport> {
  const { context, held, vendor, asked, failed, seconds } = reconciling;
  const report: ReconcileReport = { gone: {}, failed: [], refused: [], notes: [], hasMore: false };
  const endsAt = performance.now() + 1000 * seconds;
  const places = new Map((await readPlaces(context.control, held)).map((each) => [each.stream, each.place]));
  const comparisons = (vendor.listings ?? [])
    .filter(({ stream }) => !failed.includes(stream))
    .map(
      (listing) => new Comparison(reconciling, listing, placeOf(places.get(listing.name)), report, endsAt),
    );
  // All of them before the first is gone on with, which may take many turns: who asks does so once.
  const begun: Comparison[] = [];
  for (const comparison of comparisons) {
    const { listing } = comparison;
    const wish = await wishFor(reconciling, listing);
    const hasBegun = await orFails(comparison, report, () => comparison.begin(asked ?? wish));
    if (hasBegun) begun.push(comparison);
    if (wish !== null && hasBegun !== null)
      await endAskedComparison(context.control, held.connection.connection_id, listing.name, wish);
  }
  for (const comparison of begun) {
    if (report.failed.some(({ error }) => ENDS_READING.has(error.state))) break;
    const isDone = await orFails(comparison, report, () => comparison.goOn());
    // Deletions are imported before the next comparison: customers stay while the store has an order of
    // theirs.
    const hasGone = Object.values(report.gone).some((rows) => rows > 0) && comparison !== begun.at(-1);
    report.hasMore = isDone === false || (isDone === true && hasGone);
    if (report.hasMore) break;
  }
  for (const { listing, place } of comparisons)
    if (place.refused !== null)
      report.refused.push({ listing: listing.name, title: listing.title, ...place.refused });
  return report;
}

/** @returns null where the vendor fails, which is told */
async function orFails(
  { listing }: Comparison,
  report: ReconcileReport,
  work: () => Promise<boolean>,
): Promise<boolean | null> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof VendorError)) throw error;
    report.failed.push({ stream: listing.name, error });
    return null;
  }
}

/**
 * What a person asked for of a kind, if the vendor could be asked soon enough: what they saw is too old by
 * then.
 */
async function wishFor(
  { context, held, access }: Reconciling,
  { name }: Listing,
): Promise<AskedComparison | null> {
  const { connection_id } = held.connection;
  const wish = await askedComparison(context.control, connection_id, name);
  if (wish === null || isWithin(wish.asked_at, access.now().toISOString(), FORGOTTEN_AFTER_MS)) return wish;
  await endAskedComparison(context.control, connection_id, name, wish);
  return null;
}

class Comparison {
  readonly #reconciling: Reconciling;
  readonly listing: Listing;
  readonly #report: ReconcileReport;
  readonly #endsAt: number;
  readonly #brought: ReceivedIds;
  place: Place;

  constructor(
    reconciling: Reconciling,
    listing: Listing,
    place: Place,
    report: ReconcileReport,
    endsAt: number,
  ) {
    this.#reconciling = reconciling;
    this.listing = listing;
    this.place = place;
    this.#report = report;
    this.#endsAt = endsAt;
    const { context, held, files } = reconciling;
    this.#brought = new ReceivedIds({ control: context.control, held, files }, listing.name);
  }

  /** @returns whether there is something to do */
  async begin(asked: AskedToReconcile | null): Promise<boolean> {
    const { access } = this.#reconciling;
    const now = access.now().toISOString();
    const { begun, ended, refused } = this.place;
    const isUnderWay = begun !== null && isWithin(begun, now, FORGOTTEN_AFTER_MS);
    if (asked === null && isUnderWay) return true;
    const isForgotten = begun !== null && !isUnderWay;
    // A moment that a clock left behind before it was set back is of no use.
    const isFresh =
      ended !== null && isWithin(ended, now, EVERY_MS) && !(await this.#mayTakeBack(ended, now));
    if (asked === null && isFresh && !isForgotten) return false;
    const isFirst = asked === null && ended === null && !isForgotten;
    if (isFirst || !(await this.#listsAll())) {
      await this.#end({ refused: null });
      return false;
    }
    // A kill in between must not leave a place from which a list goes on whose beginning is removed.
    await this.#land({ ...NOT_BEGUN, ended, refused });
    await this.#removeListed();
    // What a person allowed for a comparison that was forgotten, they allowed of what they saw then.
    const mostGone = asked?.mostGone ?? null;
    await this.#land({ ...NOT_BEGUN, ended, begun: now, mostGone, refused: null });
    return true;
  }

  /** Whether rows that came by another way too would be the connection's again, were they listed now. */
  async #mayTakeBack(ended: string, now: string): Promise<boolean> {
    if (isWithin(ended, now, TAKES_BACK_EVERY_MS)) return false;
    const otherwise = await this.#brought.otherOriginAt();
    if (otherwise === null || !isSurelyLater(now, otherwise)) return false;
    const [brought, ours] = [await this.#brought.filesOf('ids'), await this.#brought.filesOfOurs()];
    return ours.length < brought.length;
  }

  async #listsAll(): Promise<boolean> {
    const { access } = this.#reconciling;
    const { title, listsAll } = this.listing;
    if ((await listsAll?.(access)) ?? true) return true;
    this.#report.notes.push(
      `${title} were not compared: this key may not list all of them, so what is not listed need not be gone`,
    );
    return false;
  }

  /** @returns whether it came to its end */
  async goOn(): Promise<boolean> {
    const { context, business, files } = this.#reconciling;
    if (!this.place.isListed && !(await this.#list())) return false;
    // A key may have lost a scope since the list was begun.
    if (!(await this.#listsAll())) {
      await this.#end({ refused: null });
      return true;
    }
    return withIdSession(context, business, files.folder, async (session, stored, served) => {
      const counts = await this.#findUnlisted(session, stored, served);
      if (this.place.after === null && this.#isUnlikely(counts)) {
        await this.#keepOnce(session);
        await this.#end({ refused: { gone: counts.gone, known: counts.known } });
        return true;
      }
      if (!(await this.#landGone(session))) return false;
      await this.#keepOnce(session);
      await this.#end({ refused: null });
      return true;
    });
  }

  /** @returns whether all are listed */
  async #list(): Promise<boolean> {
    const { access } = this.#reconciling;
    let ids: string[] = [];
    const before = await this.#brought.filesOf('listed');
    let listed = before.reduce((sum, { row_count }) => sum + row_count, 0);
    for await (const page of this.listing.list(access, this.place.listed as Json)) {
      access.signal.throwIfAborted();
      ids.push(...page.ids);
      placeText(this.listing.title, page.cursor);
      this.place = { ...this.place, listed: page.cursor as Place['listed'] };
      listed += page.ids.length;
      if (listed > MOST_LISTED)
        throw new VendorError(
          'bad_answer',
          `the list of ${this.listing.title} has no end: it has more than ${MOST_LISTED} already`,
        );
      if (ids.length < PER_FILE && !this.#isOver()) continue;
      await this.#land(this.place, { listed: ids });
      ids = [];
      if (this.#isOver()) return false;
    }
    access.signal.throwIfAborted();
    await this.#land({ ...this.place, isListed: true }, { listed: ids });
    return true;
  }

  /**
   * Makes a table `known` of the ids that the connection brought, by which nothing came otherwise since, and
   * that the store has; and of them `unlisted`, which the vendor did not list and whose deletion would take
   * nothing else along.
   */
  async #findUnlisted(session: Session, stored: Parts, served: Served | null) {
    const { vendor } = this.#reconciling;
    const { table, column, title } = this.listing;
    const rows = rowsOf(canonicalTable(table), stored.get(table) ?? []);
    await session.run(`
      create table stored as select distinct "${column}" as id from (${rows});
      create table brought as select distinct id from (${this.#brought.idsIn(await this.#brought.filesOf('ids'))});
      create table listed as select distinct id from (${this.#brought.idsIn(await this.#brought.filesOf('listed'))});
      create table ours as select distinct id from (${this.#brought.idsIn(await this.#brought.filesOfOurs())});
      create table known as from ours semi join stored using (id);
      create table unlisted as select id from known anti join listed using (id) order by id;
      create table going (id varchar)`);
    if (table === 'profiles') {
      await session.run('alter table unlisted rename column id to profile_id');
      await removeBuyers(session, served, 'unlisted');
      await session.run('alter table unlisted rename column profile_id to id');
    }
    const { others } = await session.row(
      'select count(*) as others from brought semi join stored using (id) anti join ours using (id) anti join listed using (id)',
    );
    if (Number(others) > 0)
      this.#report.notes.push(
        `${others} ${title} that ${vendor.title} lists no more stay: they came by another way too, such as a file`,
      );
    const { known, gone, listed } = await session.row(
      'select (select count(*) from known) as known, (select count(*) from unlisted) as gone, (select count(*) from listed) as listed',
    );
    return { known: Number(known), gone: Number(gone), listed: Number(listed) };
  }

  #isUnlikely({ known, gone, listed }: { known: number; gone: number; listed: number }): boolean {
    const { mostGone } = this.place;
    if (mostGone !== null) return gone > mostGone;
    const isMuch = gone > UNLIKELY.rows && gone > UNLIKELY.share * known;
    return isMuch || (gone > 0 && listed === 0);
  }

  /** @returns whether all was asked for */
  async #landGone(session: Session): Promise<boolean> {
    const { access } = this.#reconciling;
    const { name, table, column, title, missing } = this.listing;
    const controls = await idsOf(
      session,
      `select id from known semi join listed using (id) order by hash(id) limit ${CONTROLS}`,
    );
    for (;;) {
      const { after } = this.place;
      const ids = await idsOf(
        session,
        `select id from unlisted where ${after === null ? 'true' : `id > ${literal(after)}`} order by id limit ${PER_QUESTION}`,
      );
      if (ids.length === 0) return true;
      const without = new Set(await missing(access, [...controls, ...ids]));
      access.signal.throwIfAborted();
      if (controls.length > 0 && controls.every((id) => without.has(id)))
        throw new VendorError(
          'bad_answer',
          `the vendor lists ${title} of which it then says that it does not have them; nothing was deleted`,
        );
      const going = ids.filter((id) => without.has(id));
      if (going.length > 0)
        await session.run(`insert into going values ${going.map((id) => `(${literal(id)})`).join(', ')}`);
      await this.#land(
        { ...this.place, after: ids.at(-1) ?? null },
        { gone: going.map((id) => ({ table, key: { [column]: id } })) },
      );
      this.#report.gone[name] = (this.#report.gone[name] ?? 0) + going.length;
      if (this.#isOver()) return false;
    }
  }

  /**
   * Keeps each id once, since each change of a row wrote its id once more. What went is not the connection's
   * any more until the vendor sends it again, nor is what came by another way too and is listed no more. What
   * is listed is the connection's, even if something else brought it last: the vendor has it still.
   */
  async #keepOnce(session: Session): Promise<void> {
    const { files } = this.#reconciling;
    const { begun } = this.place;
    const going = await this.#brought.filesOf('ids');
    const otherwise = await this.#brought.otherOriginAt();
    const isListedSince = begun !== null && (otherwise === null || isSurelyLater(begun, otherwise));
    if (going.length === 0 || !isListedSince) return;
    await session.run(`
      create table kept as
      select id from (from known union (from brought semi join stored using (id) semi join listed using (id)))
      anti join going using (id)`);
    const { count } = await session.row('select count(*) as count from kept');
    const ours = await this.#brought.filesOfOurs();
    const oldest = [begun, ...ours.map(({ landed_at }) => landed_at)].toSorted()[0];
    const parts = Math.ceil(Number(count) / PER_KEPT_FILE);
    const written: { path: string; row_count: number }[] = [];
    for (let part = 0; part < parts; part += 1) {
      const path = join(files.folder, `kept-${this.listing.name}-${part}.ndjson.gz`);
      const mine = `from kept where hash(id) % ${parts} = ${part}`;
      await session.run(`copy (select id ${mine}) to ${literal(path)} (format json, compression gzip)`);
      const { rows } = await session.row(`select count(*) as rows ${mine}`);
      written.push({ path, row_count: Number(rows) });
    }
    await files.replaceIds(this.listing.name, going, written, oldest);
  }

  async #end({ refused }: Pick<Place, 'refused'>): Promise<void> {
    const ended = this.#reconciling.access.now().toISOString();
    await this.#land({ ...NOT_BEGUN, ended, refused });
    await this.#removeListed();
  }

  /** A list belongs to a comparison that is under way. */
  async #removeListed(): Promise<void> {
    const listed = await this.#brought.filesOf('listed');
    if (listed.length > 0) await this.#reconciling.files.remove(listed);
  }

  async #land(place: Place, landing: Parameters<LandedFiles['land']>[1] = {}): Promise<void> {
    const { name: stream } = this.listing;
    await this.#reconciling.files.land(
      { stream, place: JSON.stringify(place), complete_until: null },
      landing,
    );
    this.place = place;
  }

  #isOver(): boolean {
    return performance.now() > this.#endsAt;
  }
}

async function idsOf(session: Session, select: string): Promise<string[]> {
  return (await session.rows(select)).map(({ id }) => String(id));
}
