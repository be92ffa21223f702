import { createWriteStream } from 'node:fs';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Business } from '../business/business.ts';
import { type Held, readPlaces, type StreamPlace } from '../control/connections/connection-leases.ts';
import { LISTED_ID } from '../control/connections/other-origins.ts';
import type { DataFolder } from '../control/data-folder/data-folder.ts';
import { watchDisk } from '../control/data-folder/free-disk.ts';
import { makeFolder } from '../control/data-folder/make-folder.ts';
import type { ControlDatabase } from '../control/database/control-database.ts';
import { InputError } from '../errors.ts';
import type { MaxRejects } from '../ingest/rejects.ts';
import { downloadFolder, removeDownloads } from './landing/download-folder.ts';
import type { LandedFiles } from './landing/landed-files.ts';
import { type Cleaner, withoutPersons } from './landing/without-persons.ts';
import {
  type Access,
  type Deletion,
  type Download,
  type FailureState,
  type Json,
  type Listing,
  type Page,
  type Stream,
  type Vendor,
  VendorError,
} from './vendor.ts';

/** How much one turn of a connection may read, so that others get theirs. */
export interface ReadingLimits {
  readonly seconds: number;
  /** The most bytes, packed, of what was landed and is not imported yet. */
  readonly pendingBytes: number;
  /** Rows are written once they have this many characters of JSON. */
  readonly pieceLength: number;
}

export const READING_LIMITS: ReadingLimits = {
  seconds: 120,
  pendingBytes: 128 * 2 ** 20,
  pieceLength: 8 * 2 ** 20,
};

/** The other streams of the vendor need not be asked for after such a failure. */
export const ENDS_READING: ReadonlySet<FailureState> = new Set(['unauthorized', 'vendor_down', 'quota']);

/** After this many pages in a row with the same cursor, the stream is given up. */
const MOST_IDLE_PAGES = 1000;

/**
 * The longest place. Klaviyo with all of its metrics needs about 6 million characters, others some thousands.
 */
const LONGEST_PLACE = 8 * 2 ** 20;

export interface ReadReport {
  /** The number of rows by stream. */
  readonly rows: Record<string, number>;
  readonly gone: Record<string, number>;
  readonly failed: { readonly stream: string; readonly error: VendorError }[];
  /** Whether there is more to read. */
  hasMore: boolean;
}

interface Reading {
  readonly control: ControlDatabase;
  readonly data: DataFolder;
  readonly secret: Buffer;
  readonly business: Business;
  readonly held: Held;
  readonly files: LandedFiles;
  readonly vendor: Vendor;
  readonly access: Access;
  readonly limits: ReadingLimits;
  readonly importDownloads: ImportDownloads;
}

/** Imports files that are read as they are, and ends where the signal says so. */
type ImportDownloads = (
  paths: readonly string[],
  ends: AbortSignal,
  mostBadRows?: MaxRejects,
) => Promise<void>;

/**
 * Reads all streams of a vendor from where they stopped, and lands what they bring. A stream that fails
 * leaves the others to go on, unless nothing of the vendor can be read.
 *
 * @throws LeaseLostError, and what no vendor is to blame for
 */
export async function readStreams(reading: Reading): Promise<ReadReport> {
  const { vendor, control, held, limits } = reading;
  const report: ReadReport = { rows: {}, gone: {}, failed: [], hasMore: false };
  const bounds = {
    endsAt: performance.now() + 1000 * limits.seconds,
    pending: await pendingBytes(reading.files),
  };
  const places = new Map((await readPlaces(control, held)).map((place) => [place.stream, place]));
  for (const stream of vendor.streams) {
    try {
      const isDone = await readStream(reading, stream, places.get(stream.name), bounds, report);
      report.hasMore ||= !isDone;
      if (!isDone) return report;
    } catch (error) {
      if (!(error instanceof VendorError)) throw error;
      report.failed.push({ stream: stream.name, error });
      if (ENDS_READING.has(error.state)) return report;
    }
  }
  return report;
}

/** @returns whether there is no more */
async function readStream(
  { data, secret, business, files, vendor, access, limits, importDownloads }: Reading,
  stream: Stream,
  before: StreamPlace | undefined,
  bounds: { readonly endsAt: number; pending: number },
  report: ReadReport,
): Promise<boolean> {
  const clean = withoutPersons(secret, business, stream.dropped);
  const startedAt = access.now().toISOString();
  let place = before?.place ?? 'null';
  const completeBefore = before?.complete_until ?? null;
  /** The moment until which the stream is complete, as its pages say. */
  let saidUntil: string | null = null;
  let idlePages = 0;
  let landedPlace = place;
  const piece = new Piece(clean, vendor.listings ?? []);
  const land = async (complete_until: string | null) => {
    const landing = piece.take();
    bounds.pending += await files.land({ stream: stream.name, place, complete_until }, landing);
    report.rows[stream.name] = (report.rows[stream.name] ?? 0) + landing.rows.length;
    report.gone[stream.name] = (report.gone[stream.name] ?? 0) + landing.gone.length;
    landedPlace = place;
  };
  try {
    for await (const page of stream.read(access, JSON.parse(place))) {
      access.signal.throwIfAborted();
      const { downloads, mostBadRows } = page;
      if (downloads !== undefined) {
        const importThose: ImportDownloads = (paths, ends) => importDownloads(paths, ends, mostBadRows);
        await importAsItIs(files.folder, downloads, importThose, watchDisk(data));
        report.rows[stream.name] = (report.rows[stream.name] ?? 0) + downloads.length;
      }
      piece.add(page);
      const next = placeText(stream.name, page.cursor);
      idlePages = next === place ? idlePages + 1 : 0;
      if (idlePages > MOST_IDLE_PAGES)
        throw new VendorError('bad_answer', `the pages of ${stream.name} lead nowhere: they never end`);
      place = next;
      saidUntil = page.until?.toISOString() ?? saidUntil;
      const isOver = performance.now() > bounds.endsAt || bounds.pending > limits.pendingBytes;
      if (piece.length >= limits.pieceLength || piece.hasGone || isOver)
        await land(saidUntil ?? completeBefore);
      if (isOver) return false;
    }
  } catch (error) {
    // Pages that came whole are kept, although a later one failed; also empty ones: the next run must come
    // further than this one.
    if (error instanceof VendorError && (piece.length > 0 || place !== landedPlace))
      await land(saidUntil ?? completeBefore);
    throw error;
  }
  access.signal.throwIfAborted();
  await land(saidUntil ?? startedAt);
  return true;
}

/**
 * A cursor as it is kept. What a vendor says of where to go on is as long as it likes, and what is kept
 * beside it grows where all of its rows are of one moment.
 *
 * @throws VendorError
 */
export function placeText(list: string, cursor: Json): string {
  const text = JSON.stringify(cursor);
  if (text.length <= LONGEST_PLACE) return text;
  throw new VendorError(
    'bad_answer',
    `the pages of ${list} cannot be told apart: where to go on takes more than ${LONGEST_PLACE} characters`,
  );
}

async function pendingBytes(files: LandedFiles): Promise<number> {
  const landed = await files.list();
  return landed.reduce((sum, file) => sum + (file.imported_at === null ? file.byte_count : 0), 0);
}

/** The rows of the pages that are not written yet. */
class Piece {
  readonly #clean: Cleaner;
  readonly #listings: readonly Listing[];
  #rows: Json[] = [];
  #gone: Deletion[] = [];
  #ids = new Map<string, Set<string>>();
  #length = 0;

  constructor(clean: Cleaner, listings: readonly Listing[]) {
    this.#clean = clean;
    this.#listings = listings;
  }

  get length(): number {
    return this.#length;
  }

  get hasGone(): boolean {
    return this.#gone.length > 0;
  }

  add({ rows, gone = [] }: Page): void {
    for (const row of rows) {
      const kept = this.#clean(row);
      this.#rows.push(kept);
      this.#length += JSON.stringify(kept).length;
      for (const { name, idOf } of this.#listings) {
        const id = idOf(kept);
        if (id === null) continue;
        if (!LISTED_ID.test(id))
          throw new Error(`${name} has an id that is no number, which nothing looks for`);
        const ids = this.#ids.get(name) ?? new Set();
        this.#ids.set(name, ids.add(id));
      }
    }
    this.#gone.push(...gone);
    this.#length += gone.length;
  }

  take() {
    const taken = { rows: this.#rows, gone: this.#gone, ids: this.#ids };
    [this.#rows, this.#gone, this.#ids, this.#length] = [[], [], new Map(), 0];
    return taken;
  }
}

/**
 * Files that hold persons in clear are on the disk only while they are imported. What a run leaves that is
 * killed goes when that is noticed (`jobs-apart.ts`); where the worker was killed too, the next run removes
 * it.
 *
 * @throws InputError when the disk gets nearly full meanwhile
 */
export async function importAsItIs(
  landed: string,
  downloads: readonly Download[],
  importDownloads: ImportDownloads,
  disk: ReturnType<typeof watchDisk>,
): Promise<void> {
  const folder = downloadFolder(landed);
  try {
    makeFolder(folder);
    const paths: string[] = [];
    for (const { name, content } of downloads) {
      const path = join(folder, basename(name));
      await pipeline(Readable.fromWeb(content as never), createWriteStream(path, { mode: 0o600 }), {
        signal: disk.signal,
      });
      paths.push(path);
    }
    await importDownloads(paths, disk.signal);
  } catch (error) {
    if (!disk.signal.aborted) throw error;
    throw new InputError(
      'the disk of this server is nearly full, so what came was not read; whoever runs it must make room',
    );
  } finally {
    disk.stop();
    await removeDownloads(landed);
  }
}
