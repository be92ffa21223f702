/** A file as messages call it, and where it lies. */
export interface MeteredFile {
  readonly path: string;
  readonly name: string;
}

/**
 * What an import takes, told to one place by everything that reads, unpacks or writes for it, whatever the
 * format. Each method throws when a limit is passed, in words for a person. The limits, and who chose them:
 * `src/snapshot/import-limits.ts`.
 */
export interface Meter {
  /** The largest text that one cell may hold, in bytes. */
  readonly cellBytes: number;
  /** @throws when the import shall end: it was stopped, its time is over, the disk is nearly full */
  check(): void;
  /** @param path of what a person gave, a file or an archive, which counts once */
  given(path: string, bytes: number): void;
  /** @param count of files more that are there: those of an archive, too */
  files(archiveOrFolder: string, count: number): void;
  /** @param bytes that a file held until now, unpacked; it may be read several times, and counts once */
  unpacked(file: MeteredFile, bytes: number): void;
  /**
   * @param bytes of all cells of a file that stores each text once for all rows that have it. However well it
   *   packs, that is no sign of anything; how much it comes to is
   */
  cells(file: MeteredFile, bytes: number): void;
  /** @param rows that a file held until now; it may be read several times, and counts once */
  rows(file: MeteredFile, rows: number): void;
  /** @param bytes more that are written for the time of the import */
  written(bytes: number): void;
  /** The refusal of a file with a cell of more than `cellBytes`. */
  cellTooLong(file: string, column: string): Error;
}

/** The meter of sessions that read no files of anybody else. */
export const UNMETERED: Meter = {
  cellBytes: 2 ** 24,
  check: () => {},
  given: () => {},
  files: () => {},
  unpacked: () => {},
  cells: () => {},
  rows: () => {},
  written: () => {},
  cellTooLong: (file, column) => new Error(`${file} has a cell of "${column}" that is too long`),
};
