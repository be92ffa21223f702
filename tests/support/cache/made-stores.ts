import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { constants, zstdCompress, zstdDecompress } from 'node:zlib';
import type { Business } from '../../../src/business/business.ts';
import { readAttributionWindows } from '../../../src/control/businesses/attribution-windows.ts';
import { currentSnapshot, publishSnapshot } from '../../../src/control/businesses/businesses.ts';
import type { PublishedSnapshot } from '../../../src/control/businesses/published-snapshot.ts';
import { readVatRate } from '../../../src/control/businesses/vat-rate.ts';
import { modelFile } from '../../../src/control/data-folder/data-folder.ts';
import { lockFile } from '../../../src/control/data-folder/file-lock.ts';
import type { Instance } from '../../../src/server/instance.ts';
import type { ImportReport } from '../../../src/snapshot/import-report.ts';
import { cacheFolder, sourcesHash } from './cache-folder.ts';

/** How many bytes of stores stay. */
const MOST_BYTES = 500_000_000;

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);
const QUICKLY = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

interface Made {
  readonly report: ImportReport;
  readonly snapshot: PublishedSnapshot;
}

/**
 * A store that a test makes is imported once for each content: its files, what the business is set to, and
 * the sources by which files become a snapshot. Afterwards its snapshot is unpacked into the data folder, a
 * copy, so that a test that damages its files damages no other's. Only first imports are remembered, and only
 * what time does not change.
 */
export class MadeStores {
  readonly #folder: string | null;
  readonly #contents = new Map<string, string>();

  constructor(folder = cacheFolder()) {
    this.#folder = folder === null ? null : join(folder, 'stores');
  }

  /** What the rows of a snapshot depend on, where its store was made here. */
  contentOf(snapshotId: string): string | undefined {
    return this.#contents.get(snapshotId);
  }

  /** @param source the folder of files; null for a store without any */
  async importOnce(
    instance: Instance,
    business: Business,
    source: string | null,
    importing: () => Promise<ImportReport>,
  ): Promise<ImportReport> {
    const isFirst = (await currentSnapshot(instance.control, business.business_id)) === null;
    if (this.#folder === null || !isFirst) return importing();
    const content = await contentOf(instance, business, source);
    const entry = join(this.#folder, content);
    using making = await readOrMake(entry);
    if (making.known !== null) return this.#serve(instance, business, entry, content, making.known);
    const startedAt = new Date();
    const report = await importing();
    const snapshot = await currentSnapshot(instance.control, business.business_id);
    if (snapshot !== null && isTimeless({ report, snapshot }, startedAt)) {
      await keep(entry, instance.data.snapshot(business.business_id, snapshot.snapshot_id), {
        report,
        snapshot,
      });
      this.#contents.set(snapshot.snapshot_id, content);
    }
    return report;
  }

  async #serve(
    { control, data }: Instance,
    business: Business,
    entry: string,
    content: string,
    { report, snapshot }: Made,
  ): Promise<ImportReport> {
    const { facts, snapshot_id } = snapshot;
    const folder = data.snapshot(business.business_id, snapshot_id);
    await cp(join(entry, 'snapshot'), folder, { recursive: true });
    await writeFile(modelFile(folder), await decompress(await readFile(packedModel(entry))));
    const created_at = new Date().toISOString();
    // A store without rows has no last moment but that of its import.
    const latest_at = facts.loaded_tables.length === 0 ? `${created_at.slice(0, 19)}Z` : facts.latest_at;
    await publishSnapshot(
      control,
      business.business_id,
      { ...snapshot, created_at, facts: { ...facts, latest_at } },
      [],
    );
    // The least recently used are forgotten first.
    await utimes(entry, new Date(), new Date()).catch(() => {});
    this.#contents.set(snapshot_id, content);
    return report;
  }
}

/**
 * Nothing of a store without files depends on the business itself: it has no one whose name could be hashed.
 */
async function contentOf({ control }: Instance, business: Business, source: string | null): Promise<string> {
  const { business_id, timezone, primary_currency, link } = business;
  const windows = await readAttributionWindows(control, business_id);
  const vat = await readVatRate(control, business_id);
  const settings = {
    timezone,
    primary_currency,
    link,
    windows,
    vat,
    ...(source === null ? {} : { business_id }),
  };
  const hash = createHash('sha256').update(JSON.stringify([sourcesHash(), settings]));
  for (const file of source === null ? [] : filesIn(source)) {
    const bytes = readFileSync(join(source ?? '', file));
    hash.update(`${file} ${bytes.length}\n`).update(bytes);
  }
  return hash.digest('hex');
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length))
    .sort();
}

/** Rejects are a file elsewhere; rows from the future are cut off at the moment of the import. */
function isTimeless({ report, snapshot }: Made, startedAt: Date): boolean {
  const { loaded_tables, latest_at } = snapshot.facts;
  const isPast = loaded_tables.length === 0 || Date.parse(latest_at) < startedAt.getTime() - 60_000;
  return isPast && report.rejects_file === null;
}

async function readMade(entry: string): Promise<Made | null> {
  const text = await readFile(join(entry, 'made.json'), 'utf8').catch(() => null);
  return text === null ? null : JSON.parse(text);
}

/**
 * What is known of the store; or null, and whoever else needs it waits until this is disposed of. The demo
 * store takes twenty seconds of a processor, and several files begin with it at once.
 */
async function readOrMake(entry: string): Promise<{ readonly known: Made | null } & Disposable> {
  const file = join(tmpdir(), `making-${basename(entry)}.sqlite`);
  for (;;) {
    const known = await readMade(entry);
    if (known !== null) return { known, [Symbol.dispose]() {} };
    const lock = lockFile(file);
    if (lock !== null)
      return { known: await readMade(entry), [Symbol.dispose]: () => lock[Symbol.dispose]() };
    await setTimeout(50);
  }
}

/** Two runs may make the same store at the same time; the second one finds the folder there and leaves it. */
async function keep(entry: string, snapshot: string, made: Made): Promise<void> {
  await mkdir(join(entry, '..'), { recursive: true });
  const packing = await mkdtemp(`${entry}-`);
  try {
    const isSmall = (path: string) => path !== modelFile(snapshot);
    await cp(snapshot, join(packing, 'snapshot'), { recursive: true, filter: isSmall });
    await writeFile(packedModel(packing), await compress(await readFile(modelFile(snapshot)), QUICKLY));
    await writeFile(join(packing, 'made.json'), JSON.stringify(made));
    await rename(packing, entry);
  } catch {
    await rm(packing, { recursive: true, force: true });
  }
}

function packedModel(entry: string): string {
  return join(entry, 'model.duckdb.zst');
}

/** Forgets the stores that were used longest ago. */
export async function pruneStores(folder: string): Promise<void> {
  const stores = join(folder, 'stores');
  await mkdir(stores, { recursive: true });
  const entries = readdirSync(stores)
    .map((name) => join(stores, name))
    .map((entry) => ({ entry, usedAt: statSync(entry).mtimeMs, bytes: bytesIn(entry) }))
    .sort((a, b) => b.usedAt - a.usedAt);
  let kept = 0;
  for (const { entry, bytes } of entries) {
    kept += bytes;
    if (kept > MOST_BYTES) await rm(entry, { recursive: true, force: true });
  }
}

function bytesIn(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}
