import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { DataFolder } from '../control/data-folder/data-folder.ts';
import { freeBytes, KEPT_FREE_BYTES } from '../control/data-folder/free-disk.ts';
import type { Meter, MeteredFile } from '../store/meter.ts';
import {
  beyond,
  beyondWritten,
  endOf,
  gigabytes,
  type ImportLimits,
  LimitError,
  MOST_WRITTEN_BYTES,
  type WrittenLimit,
  writtenLimit,
} from './import-limits.ts';

/** Unpacked rows may always have this many bytes; beyond that, this many times the bytes that were given. */
const UNPACKED = { bytes: 2 ** 26, times: 200 } as const;

const LOOKING_MS = 500;

/** Counts what one import takes, and ends it when that is more than it may. */
export class ImportMeter implements Meter, Disposable {
  readonly #limits: ImportLimits;
  readonly #endsAt: number;
  readonly #over = new AbortController();
  readonly #given = new Total();
  #files = 0;
  readonly #unpacked = new Total();
  readonly #cells = new Total();
  readonly #rows = new Total();
  /**
   * The bytes in the watched folder when it was looked at last, and those that were told to be written since.
   */
  #writtenBytes = { seen: 0, since: 0 };
  #watching: NodeJS.Timeout | undefined;
  /** The disk that it may fill. A limit that nobody chose is known once the folder is watched. */
  #disk: DiskLimits | undefined;

  constructor(limits: ImportLimits) {
    this.#limits = limits;
    this.#endsAt = endOf(limits);
  }

  /** Ends statements that run, which tell nothing themselves. */
  get signal(): AbortSignal {
    return this.#over.signal;
  }

  get cellBytes(): number {
    return this.#limits.cellBytes;
  }

  /** Watches the time, the disk and what a folder holds, from now on and until it is disposed of. */
  watch(folder: string, data: DataFolder): void {
    this.#diskLimits(data).catch(() => {});
    let isLooking = false;
    this.#watching = setInterval(() => {
      if (isLooking) return;
      isLooking = true;
      this.look(folder, data)
        .catch(() => {})
        .finally(() => {
          isLooking = false;
        });
    }, LOOKING_MS);
  }

  async look(folder: string, data: DataFolder): Promise<void> {
    if (performance.now() >= this.#endsAt) this.#end(beyond('minutes', this.#limits));
    const since = this.#writtenBytes.since;
    const seen = await bytesWritten(folder);
    this.#writtenBytes = { seen, since: this.#writtenBytes.since - since };
    const { written, keptFree } = await this.#diskLimits(data);
    if (seen > written.bytes) this.#end(beyondWritten(written));
    if ((await freeBytes(data)) < keptFree) this.#end(nearlyFull(keptFree, seen));
  }

  async #diskLimits(data: DataFolder): Promise<DiskLimits> {
    if (this.#disk !== undefined) return this.#disk;
    const free = await freeBytes(data);
    // Less must stay free on a small disk: half of what was.
    const keptFree = Math.min(KEPT_FREE_BYTES, Math.floor(free / 2));
    this.#disk ??= { written: writtenLimit(this.#limits, free), keptFree };
    return this.#disk;
  }

  get #written(): WrittenLimit {
    return this.#disk?.written ?? writtenLimit(this.#limits, 2 * MOST_WRITTEN_BYTES);
  }

  #end(error: LimitError): void {
    if (!this.#over.signal.aborted) this.#over.abort(error);
  }

  check(): void {
    this.#over.signal.throwIfAborted();
    if (performance.now() >= this.#endsAt) throw beyond('minutes', this.#limits);
  }

  given(path: string, bytes: number): void {
    this.#given.grow(path, bytes);
  }

  files(of: string, count: number): void {
    this.#files += count;
    const { files } = this.#limits;
    if (this.#files <= files) return;
    throw new LimitError(
      `an import may have ${files} files, those in archives too, and with ${of} this one has more, so nothing was imported. ` +
        'Bring them in several imports, or put tables that go on in several files together',
    );
  }

  unpacked(file: MeteredFile, bytes: number): void {
    this.check();
    const all = this.#unpacked.grow(file.path, bytes);
    this.#refuseUnpacked(file);
    if (all > UNPACKED.bytes && all > UNPACKED.times * this.#given.all)
      throw new LimitError(
        `${file.name} was not read: with it the files unpack to more than ${UNPACKED.times} times what was given, as no real export does, ` +
          'so nothing was imported. If they are real, unpack them and import what they hold',
      );
  }

  cells(file: MeteredFile, bytes: number): void {
    this.#cells.grow(file.path, bytes);
    this.#refuseUnpacked(file);
  }

  #refuseUnpacked({ name }: MeteredFile): void {
    if (this.#unpacked.all + this.#cells.all > this.#limits.unpackedBytes)
      throw beyond('unpackedBytes', this.#limits, name);
  }

  rows(file: MeteredFile, rows: number): void {
    if (this.#rows.grow(file.path, rows) > this.#limits.rows) throw beyond('rows', this.#limits, file.name);
  }

  written(bytes: number): void {
    this.check();
    this.#writtenBytes.since += bytes;
    const { seen, since } = this.#writtenBytes;
    if (seen + since > this.#written.bytes) throw beyondWritten(this.#written);
  }

  cellTooLong(file: string, column: string): LimitError {
    return new LimitError(
      `${file} has a cell in "${column}" of more than ${this.cellBytes / 2 ** 20} MiB, which is the most that is read of one, so nothing was ` +
        'imported. Leave that column out, or shorten what stands there',
    );
  }

  [Symbol.dispose](): void {
    clearInterval(this.#watching);
  }
}

interface DiskLimits {
  readonly written: WrittenLimit;
  /** Bytes of the disk that stay free. */
  readonly keptFree: number;
}

/** A sum over files of which each is counted as far as it was read at most. */
class Total {
  readonly #of = new Map<string, number>();
  #all = 0;

  get all(): number {
    return this.#all;
  }

  grow(path: string, to: number): number {
    const before = this.#of.get(path) ?? 0;
    if (to > before) {
      this.#of.set(path, to);
      this.#all += to - before;
    }
    return this.#all;
  }
}

/**
 * Bytes of the files below a folder that have no second name elsewhere: those that an import shares with the
 * one before are not its own.
 */
export async function bytesWritten(folder: string): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true }).catch(() => []);
  let bytes = 0;
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const found = await stat(join(entry.parentPath, entry.name)).catch(() => null);
    // The bytes on the disk: a file with holes takes less than it says.
    if (found !== null && found.nlink === 1) bytes += Math.min(found.size, 512 * found.blocks);
  }
  return bytes;
}

function nearlyFull(kept: number, written: number): LimitError {
  return new LimitError(
    `the disk of this server is nearly full: less than ${gigabytes(kept)} is free, of which this import had written ${gigabytes(written)} and needed more, so nothing was ` +
      'imported; whoever runs it must make room',
  );
}
