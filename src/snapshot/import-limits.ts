import { ImportError } from './errors.ts';

/**
 * What one import may take, whatever the format of its files. A small file may hold very much: a row that is repeated 600 million times
 * takes some megabytes as Parquet, and zeros without end some kilobytes as gzip.
 */
export interface ImportLimits {
  /** Of all files together. */
  readonly rows: number;
  /** Bytes of all files together, once they are unpacked. */
  readonly unpackedBytes: number;
  /** Of one cell. A row of text may have as much. */
  readonly cellBytes: number;
  /** Bytes that it may have on the disk at once: copies, what does not fit into memory, parts and model. */
  readonly writtenBytes: number;
  /** Files and entries of archives. */
  readonly files: number;
  readonly minutes: number;
}

/** Three times what the largest shop that is measured brings in one import: ten million orders and 20 million events (`bench/`). */
export const DEFAULT_LIMITS: ImportLimits = {
  rows: 200_000_000,
  unpackedBytes: 2 ** 36,
  cellBytes: 2 ** 24,
  writtenBytes: 100e9,
  files: 10_000,
  minutes: 120,
};

/** How much an import may write where nobody chose a limit: others need the disk too. */
export function defaultWrittenBytes(free: number): number {
  return Math.min(DEFAULT_LIMITS.writtenBytes, Math.floor(free / 2));
}

/** An import, or a file of it, that goes beyond a limit. */
export class LimitError extends ImportError {
  override readonly name = 'ImportError';
}

/** The setting that raises a limit, for whoever runs the server. */
const SETTING = {
  rows: 'STORESIGHT_IMPORT_ROWS',
  unpackedBytes: 'STORESIGHT_IMPORT_UNPACKED',
  writtenBytes: 'STORESIGHT_IMPORT_WRITTEN',
  minutes: 'STORESIGHT_IMPORT_MINUTES',
} as const;

const LESS = 'Bring less at once, for example one year after the other';

/** The sentence that refuses what is beyond a limit: which, how large, how to stay below it, what raises it. */
export function beyond(limit: keyof typeof SETTING, limits: ImportLimits, file?: string): LimitError {
  const { rows, unpackedBytes, writtenBytes, minutes } = limits;
  const [what, advice] = {
    rows: [`the files of an import may have ${rows} rows together`, LESS],
    unpackedBytes: [
      `the files of an import may hold ${gigabytes(unpackedBytes)} together once they are unpacked`,
      LESS,
    ],
    writtenBytes: [`an import may write ${gigabytes(writtenBytes)} to the disk`, LESS],
    minutes: [`an import may take ${minutes} minutes`, LESS],
  }[limit] as [string, string];
  const where = file === undefined ? 'this one would be more' : `with ${file} this one has more`;
  return new LimitError(
    `${what}, and ${where}, so nothing was imported. ${advice}; whoever runs this Storesight can raise the limit by ${SETTING[limit]}`,
  );
}

/** In the unit that its size asks for: `64 GiB` where it is a whole number of them, else `68.7 GB`. */
export function gigabytes(bytes: number): string {
  if (bytes >= 2 ** 30 && bytes % 2 ** 30 === 0) return `${bytes / 2 ** 30} GiB`;
  return bytes >= 1e9 ? `${Number((bytes / 1e9).toPrecision(3))} GB` : `${bytes} bytes`;
}

const MINUTE_MS = 60_000;

/** When its time is over, on the clock that nobody sets. */
export function endOf({ minutes }: ImportLimits, from = performance.now()): number {
  return from + minutes * MINUTE_MS;
}
