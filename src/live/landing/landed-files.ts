import { randomBytes } from 'node:crypto';
import { appendFile, chmod, open, readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import {
  type Held,
  isOfIds,
  type LandedFile,
  listLanded,
  readPlaces,
  recordLanded,
  recordLost,
  replaceLanded,
  type StreamPlace,
} from '../../control/connections/connection-leases.ts';
import { isReadFromBeginning } from '../../control/connections/read-again.ts';
import type { DataFolder } from '../../control/data-folder/data-folder.ts';
import { makeFolder } from '../../control/data-folder/make-folder.ts';
import type { ControlDatabase } from '../../control/database/control-database.ts';
import { makeNamesDurable, syncFile, syncFolder } from '../../snapshot/make-durable.ts';
import type { Deletion, Json } from '../vendor.ts';

/**
 * Rows that were landed are kept for a while, so that an import that understands more of them can be made of
 * them.
 */
export interface Keeping {
  readonly days: number;
  readonly bytes: number;
}

export const KEEPING: Keeping = { days: 90, bytes: 2 ** 30 };

/**
 * Imported files of a stream are merged once there are this many, into files of at most this size. One merged
 * file spans at most this many days, since all of its rows are removed at once.
 */
const MERGED = { files: 24, bytes: 16 * 2 ** 20, days: 7 } as const;

/** The rows that a stream brought since its rows were last written. */
export interface Landing {
  readonly rows?: readonly Json[];
  readonly gone?: readonly Deletion[];
  /** The ids of the rows, by the name of the listing that has such ids. */
  readonly ids?: ReadonlyMap<string, ReadonlySet<string>>;
  /** What a listing of the vendor has. */
  readonly listed?: readonly string[];
}

interface LandedContext {
  readonly control: ControlDatabase;
  readonly data: DataFolder;
}

/** The files of one connection, for the run that holds its lease. */
export class LandedFiles {
  readonly #context: LandedContext;
  readonly #held: Held;
  readonly folder: string;
  #next = 0;

  private constructor(context: LandedContext, held: Held) {
    this.#context = context;
    this.#held = held;
    const { business_id, connection_id } = held.connection;
    this.folder = context.data.landed(business_id, connection_id);
  }

  /**
   * Removes what a process left that was killed while it wrote: it is listed nowhere, and will be asked for
   * again. So is what an older control database lists, as a backup brings it back, and is not there any more.
   * Ids that it does not list are taken up: what the vendor has deleted meanwhile it does not send again, and
   * nothing else tells that it was brought.
   */
  static async open(context: LandedContext, held: Held): Promise<LandedFiles> {
    const files = new LandedFiles(context, held);
    makeFolder(files.folder);
    const listed = await files.list();
    const found = await readdir(files.folder);
    await files.#forgetLost(listed.filter(({ name }) => !found.includes(name)));
    const names = new Set(listed.map(({ name }) => name));
    const unlisted = found.filter((name) => !names.has(name));
    files.#next = (listed.at(-1)?.file_number ?? 0) + 1;
    await files.#takeUp(unlisted.filter((name) => BROUGHT_FILE.test(name)));
    for (const name of unlisted)
      if (!BROUGHT_FILE.test(name)) await rm(join(files.folder, name), { recursive: true, force: true });
    return files;
  }

  async #takeUp(names: readonly string[]): Promise<void> {
    const coming: LandedFile[] = [];
    for (const name of names) {
      const stream = BROUGHT_FILE.exec(name)?.[1] ?? '';
      const { size: byte_count, mtime } = await stat(join(this.folder, name));
      const row_count = (await this.#linesOf({ name })).length;
      const landed_at = mtime.toISOString();
      const of = { stream, kind: 'ids', row_count, byte_count, landed_at, imported_at: landed_at } as const;
      coming.push({ file_number: this.#nextNumber(), name, ...of });
    }
    if (coming.length > 0) await this.#replace([], coming);
  }

  async #linesOf(file: Pick<LandedFile, 'name'>): Promise<string[]> {
    const text = (await promisify(gunzip)(await readFile(this.path(file)))).toString('utf8');
    return text.split('\n').filter((line) => line !== '');
  }

  async #forgetLost(lost: readonly LandedFile[]): Promise<void> {
    if (lost.length === 0) return;
    // A list with a gap would say that rows are gone; what was imported is in the store already.
    const needed = lost.filter(({ imported_at, kind }) => imported_at === null || kind === 'listed');
    const streams = new Set(needed.map(({ stream }) => stream));
    // No deletion of a row can be found without the ids: everything that the vendor has is fetched once more,
    // with its ids.
    if (lost.some(({ kind }) => kind === 'ids'))
      for (const { stream } of await readPlaces(this.#context.control, this.#held))
        if (isReadFromBeginning(stream)) streams.add(stream);
    await recordLost(
      this.#context.control,
      this.#held,
      lost.map(({ file_number }) => file_number),
      [...streams],
    );
  }

  list(): Promise<LandedFile[]> {
    return listLanded(this.#context.control, this.#held.connection.connection_id);
  }

  path({ name }: Pick<LandedFile, 'name'>): string {
    return join(this.folder, name);
  }

  /**
   * Writes what a stream brought, waits until it is on the disk, and only then says where the stream goes on.
   *
   * @returns how many bytes they take
   * @throws LeaseLostError
   */
  async land(
    place: StreamPlace,
    { rows = [], gone = [], ids = new Map(), listed = [] }: Landing,
  ): Promise<number> {
    const written: Omit<LandedFile, 'imported_at' | 'landed_at'>[] = [];
    const write = async (stream: string, kind: LandedFile['kind'], lines: readonly Json[]) => {
      if (lines.length > 0) written.push(await this.#write(stream, kind, lines));
    };
    await write(place.stream, 'rows', rows);
    // Deletions are a file of their own, behind the rows: they are imported after them.
    await write(place.stream, 'gone', gone as unknown as Json[]);
    for (const [listing, brought] of ids) await write(listing, 'ids', asRows(brought));
    await write(place.stream, 'listed', asRows(listed));
    if (written.length > 0) await makeNamesDurable(this.folder, this.#context.data.root);
    await recordLanded(this.#context.control, this.#held, place, written);
    return written.reduce((sum, { byte_count }) => sum + byte_count, 0);
  }

  async #write(stream: string, kind: LandedFile['kind'], rows: readonly Json[]) {
    const packed = await promisify(gzip)(rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
    const file_number = this.#nextNumber();
    const name = fileName({ stream, kind, file_number });
    await writeDurable(join(this.folder, name), packed);
    return { file_number, stream, name, kind, row_count: rows.length, byte_count: packed.length };
  }

  /**
   * Files of ids instead of others; they are moved from where they are.
   *
   * @param landed_at of the oldest of these ids
   * @throws LeaseLostError
   */
  async replaceIds(
    listing: string,
    going: readonly LandedFile[],
    written: readonly { readonly path: string; readonly row_count: number }[],
    landed_at = new Date().toISOString(),
  ): Promise<void> {
    const imported_at = new Date().toISOString();
    const coming: LandedFile[] = [];
    for (const { path, row_count } of written) {
      const file_number = this.#nextNumber();
      const name = fileName({ stream: listing, kind: 'ids', file_number });
      await chmod(path, 0o600);
      await utimes(path, new Date(landed_at), new Date(landed_at));
      await syncFile(path);
      await rename(path, join(this.folder, name));
      const { size: byte_count } = await stat(join(this.folder, name));
      const of = { stream: listing, kind: 'ids', row_count, byte_count } as const;
      coming.push({ file_number, name, ...of, landed_at, imported_at });
    }
    if (coming.length > 0) await makeNamesDurable(this.folder, this.#context.data.root);
    await this.#replace(going, coming);
  }

  /** @throws LeaseLostError */
  async remove(going: readonly LandedFile[]): Promise<void> {
    await this.#replace(going, []);
  }

  #nextNumber(): number {
    this.#next += 1;
    return this.#next - 1;
  }

  /**
   * Puts small files together, and removes what is too old or too much, of what was imported. @throws
   * LeaseLostError
   */
  async tidy(keeping: Keeping = KEEPING, now = new Date()): Promise<void> {
    await this.#removeOld(keeping, now);
    const mergeable = (await this.list()).filter(({ kind }) => kind === 'rows' || kind === 'ids');
    const streams = Map.groupBy(mergeable, ({ stream }) => stream);
    for (const files of streams.values()) {
      const small = files.filter(
        ({ imported_at, byte_count }) => imported_at !== null && byte_count < MERGED.bytes / 2,
      );
      for (const { group, isFull } of groupsOf(small))
        if (group.length >= (isFull ? 2 : MERGED.files)) await this.#merge(group);
    }
  }

  async #merge(merged: readonly LandedFile[]): Promise<void> {
    const [last, first] = [merged.at(-1), merged[0]];
    if (last === undefined || first === undefined) return;
    const path = join(this.folder, fileName(last));
    const part = `${path}.part`;
    // Gzip files that are appended to each other are one gzip file.
    for (const file of merged) await appendFile(part, await readFile(this.path(file)), { mode: 0o600 });
    const row_count = merged.reduce((sum, file) => sum + file.row_count, 0);
    const byte_count = merged.reduce((sum, file) => sum + file.byte_count, 0);
    const landed_at = merged.map((file) => file.landed_at).toSorted()[0] ?? first.landed_at;
    await utimes(part, new Date(landed_at), new Date(landed_at));
    await syncFile(part);
    await rename(part, path);
    await syncFolder(this.folder);
    await this.#replace(merged, [{ ...last, name: basename(path), landed_at, row_count, byte_count }]);
  }

  async #removeOld({ days, bytes: most }: Keeping, now: Date): Promise<void> {
    const since = new Date(now.getTime() - days * 86_400_000).toISOString();
    let bytes = 0;
    const going: LandedFile[] = [];
    const rows = (await this.list()).filter((file) => !isOfIds(file));
    for (const file of rows.reverse()) {
      bytes += file.byte_count;
      if (file.imported_at !== null && (bytes > most || file.landed_at < since)) going.push(file);
    }
    if (going.length > 0) await this.remove(going);
  }

  async #replace(going: readonly LandedFile[], coming: readonly LandedFile[]): Promise<void> {
    await replaceLanded(
      this.#context.control,
      this.#held,
      going.map(({ file_number }) => file_number),
      coming,
    );
    for (const file of going) await rm(this.path(file), { force: true });
  }

  /** Writes files anew without the rows that go. @returns how many went */
  async removeRows(goes: (row: Json, file: LandedFile) => boolean): Promise<number> {
    let removed = 0;
    for (const file of await this.list()) {
      const rows = await this.#linesOf(file);
      const staying = rows.filter((line) => !goes(JSON.parse(line), file));
      if (staying.length === rows.length) continue;
      removed += rows.length - staying.length;
      const packed = await promisify(gzip)(staying.map((line) => `${line}\n`).join(''));
      const name = fileName(file);
      await writeDurable(join(this.folder, name), packed);
      await utimes(join(this.folder, name), new Date(file.landed_at), new Date(file.landed_at));
      await syncFolder(this.folder);
      const { length: row_count } = staying;
      await this.#replace([file], [{ ...file, name, row_count, byte_count: packed.length }]);
    }
    return removed;
  }
}

function asRows(ids: Iterable<string>): Json[] {
  return Array.from(ids, (id) => ({ id }));
}

/**
 * Files that may become one, in their order; a group is full where the next file would make it too large, or
 * is too much younger.
 */
function groupsOf(files: readonly LandedFile[]): { group: LandedFile[]; isFull: boolean }[] {
  const groups: { group: LandedFile[]; isFull: boolean; bytes: number }[] = [];
  for (const file of files) {
    const last = groups.at(-1);
    const first = last?.group[0];
    const isNear =
      first !== undefined &&
      Date.parse(file.landed_at) - Date.parse(first.landed_at) <= MERGED.days * 86_400_000;
    if (last !== undefined && isNear && last.bytes + file.byte_count <= MERGED.bytes) {
      last.group.push(file);
      last.bytes += file.byte_count;
      continue;
    }
    if (last !== undefined) last.isFull = true;
    groups.push({ group: [file], isFull: false, bytes: file.byte_count });
  }
  return groups;
}

/** Random, so that a worker whose connection was taken over writes into no file of its successor. */
function fileName({
  stream,
  kind,
  file_number,
}: Pick<LandedFile, 'stream' | 'kind' | 'file_number'>): string {
  const called = kind === 'ids' ? `${stream}-brought` : stream;
  return `${String(file_number).padStart(8, '0')}-${called}-${randomBytes(4).toString('hex')}.ndjson.gz`;
}

/**
 * The name of a file of ids that were brought. It tells that without the control database, and the time of
 * the file tells when.
 */
const BROUGHT_FILE = /^\d+-([a-z-]+)-brought-[0-9a-f]{8}\.ndjson\.gz$/;

async function writeDurable(path: string, bytes: Buffer): Promise<void> {
  const file = await open(`${path}.part`, 'w', 0o600);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(`${path}.part`, path);
}
