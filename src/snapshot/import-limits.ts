import { ImportError } from './import-errors.ts';

/**
 * What one import may take, whatever the format of its files. A small file may hold very much: a row that is
 * repeated 600 million times takes some megabytes as Parquet, and zeros without end some kilobytes as gzip.
 */
export interface ImportLimits {
  /** The most rows of all files together. */
  readonly rows: number;
  /** Bytes of all files together, once they are unpacked. */
  readonly unpackedBytes: number;
  /** The most bytes of one cell. A row of text may have as much. */
  readonly cellBytes: number;
  /**
   * Bytes that it may have on the disk at once: copies, what does not fit into memory, parts and model. Null
   * where nobody chose: others need the disk too, so that it is half of what is free when the import begins,
   * and no more than `MOST_WRITTEN_BYTES`.
   */
  readonly writtenBytes: number | null;
  /** Files and entries of archives. */
  readonly files: number;
  readonly minutes: number;
}

/**
 * Three times what the largest shop that is measured brings in one import: ten million orders and 20 million
 * events (`bench/`).
 */
export const DEFAULT_LIMITS: ImportLimits = {
  rows: 200_000_000,
  unpackedBytes: 2 ** 36,
  cellBytes: 2 ** 24,
  writtenBytes: null,
  files: 10_000,
  minutes: 120,
};

export const MOST_WRITTEN_BYTES = 100e9;

/** How much an import may write, and whether it is the disk that allows no more. */
export interface WrittenLimit {
  readonly bytes: number;
  readonly isOfDisk: boolean;
}

export function writtenLimit({ writtenBytes }: ImportLimits, free: number): WrittenLimit {
  if (writtenBytes !== null) return { bytes: writtenBytes, isOfDisk: false };
  const half = Math.floor(free / 2);
  return { bytes: Math.min(MOST_WRITTEN_BYTES, half), isOfDisk: half < MOST_WRITTEN_BYTES };
}

/** Refuses what would write more. */
export function beyondWritten({ bytes, isOfDisk }: WrittenLimit): LimitError {
  const ofDisk =
    `an import may write half of what was free on the disk of this server when it began, ${gigabytes(bytes)}, and this one would be more, ` +
    `so nothing was imported. Whoever runs this server must make room on its disk; ${SETTING.writtenBytes} says how much of it an import may write. Else bring less at once`;
  return isOfDisk
    ? new LimitError(ofDisk)
    : beyondOf(`an import may write ${gigabytes(bytes)} to the disk`, 'writtenBytes');
}

/** An import, or a file of it, that goes beyond a limit. */
export class LimitError extends ImportError {
  override readonly name = 'ImportError';
}

/** The setting that raises a limit, for the operator of the server. */
const SETTING = {
  rows: 'STORESIGHT_IMPORT_ROWS',
  unpackedBytes: 'STORESIGHT_IMPORT_UNPACKED',
  writtenBytes: 'STORESIGHT_IMPORT_WRITTEN',
  minutes: 'STORESIGHT_IMPORT_MINUTES',
} as const;

const LESS = 'Bring less at once, for example one year after the other';

/**
 * The sentence that refuses what is beyond a limit: which, how large, how to stay below it, what raises it.
 */
export function beyond(
  limit: Exclude<keyof typeof SETTING, 'writtenBytes'>,
  limits: ImportLimits,
  file?: string,
): LimitError {
  const { rows, unpackedBytes, minutes } = limits;
  const what = {
    rows: `the files of an import may have ${rows} rows together`,
    unpackedBytes: `the files of an import may hold ${gigabytes(unpackedBytes)} together once they are unpacked`,
    minutes: `an import may take ${minutes} minutes`,
  }[limit];
  return beyondOf(what, limit, file);
}

function beyondOf(what: string, limit: keyof typeof SETTING, file?: string): LimitError {
  const where = file === undefined ? 'this one would be more' : `with ${file} this one has more`;
  return new LimitError(
    `${what}, and ${where}, so nothing was imported. ${LESS}; whoever runs this Storesight can raise the limit by ${SETTING[limit]}`,
  );
}

/** The size in the unit that it asks for: `64 GiB` where it is a whole number of them, else `68.7 GB`. */
export function gigabytes(bytes: number): string {
  if (bytes >= 2 ** 30 && bytes % 2 ** 30 === 0) return `${bytes / 2 ** 30} GiB`;
  return bytes >= 1e9 ? `${Number((bytes / 1e9).toPrecision(3))} GB` : `${bytes} bytes`;
}

const MINUTE_MS = 60_000;

/** When the time of an import ends, on the clock that nobody sets. */
export function endOf({ minutes }: ImportLimits, from = performance.now()): number {
  return from + minutes * MINUTE_MS;
}
