import { readdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { keysFolder } from '../control/data-folder/data-folder.ts';
import { makeFolder } from '../control/data-folder/make-folder.ts';
import type { KeyParts } from './build/keys.ts';
import { share } from './write-canonical.ts';

/** The numbers that the previous snapshot's rows have, also those that no row names now, shared with it. */
export async function carryKeys(
  previous: string | null,
  next: string,
  { forgets = false } = {},
): Promise<KeyParts> {
  const folder = keysFolder(next);
  makeFolder(folder);
  const names = previous === null ? [] : await partsIn(keysFolder(previous));
  for (const name of names) await share(join(keysFolder(previous ?? ''), name), join(folder, name));
  return new PartsOfFolder(folder, names, forgets);
}

/**
 * The parts of a snapshot. Snapshots that older versions made have none: their rows get the numbers that they
 * would have got then.
 */
async function partsIn(folder: string): Promise<string[]> {
  return await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    return [];
  });
}

/** `<table>-<number>.parquet` */
const PART = /^(.*)-([0-9]+)[.]parquet$/;

class PartsOfFolder implements KeyParts {
  readonly forgets: boolean;
  readonly #folder: string;
  #names: readonly string[];

  constructor(folder: string, names: readonly string[], forgets: boolean) {
    this.forgets = forgets;
    this.#folder = folder;
    this.#names = names;
  }

  of(table: string): readonly string[] {
    return this.#numbersOf(table).map((number) => this.#file(table, number));
  }

  next(table: string): string {
    const number = (this.#numbersOf(table).at(-1) ?? 0) + 1;
    const file = this.#file(table, number);
    this.#names = [...this.#names, basename(file)];
    return file;
  }

  async remove(files: readonly string[]): Promise<void> {
    for (const file of files) await rm(file);
    const gone = new Set(files.map((file) => basename(file)));
    this.#names = this.#names.filter((name) => !gone.has(name));
  }

  #numbersOf(table: string): number[] {
    return this.#names
      .flatMap((name) => {
        const [, of, number] = PART.exec(name) ?? [];
        return of === table ? [Number(number)] : [];
      })
      .sort((one, other) => one - other);
  }

  #file(table: string, number: number): string {
    return join(this.#folder, `${table}-${number}.parquet`);
  }
}
