import type { DuckDBConnection } from '@duckdb/node-api';
import { literal } from '../store/duckdb-session.ts';
import { type SnapshotReference, UnreadableSnapshotError } from './warehouse.ts';

interface AttachedSnapshot {
  readonly schema: string;
  readonly businessId: string;
  readonly ready: Promise<void>;
  users: number;
}

/**
 * The snapshot files that DuckDB has open, read-only, each under a name of its own. A file is opened when a
 * call first needs it and released when it is not in use and either its business has a newer one or too many
 * are open.
 */
export class SnapshotFiles {
  readonly #connection: DuckDBConnection;
  readonly #fileOf: (snapshot: SnapshotReference) => string;
  readonly #mostOpen: number;
  /** The attached snapshots by file, the least recently used first. */
  readonly #attached = new Map<string, AttachedSnapshot>();
  #count = 0;
  /** The last statement asked for: a file is attached again only after its detaching is over. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(
    connection: DuckDBConnection,
    fileOf: (snapshot: SnapshotReference) => string,
    mostOpen: number,
  ) {
    this.#connection = connection;
    this.#fileOf = fileOf;
    this.#mostOpen = mostOpen;
  }

  /** Runs `read` with the name under which the snapshot's tables stand; the file stays open until it ends. */
  async use<Result>(snapshot: SnapshotReference, read: (schema: string) => Promise<Result>): Promise<Result> {
    const file = this.#fileOf(snapshot);
    const attached = this.#attached.get(file) ?? this.#attach(file, snapshot.business_id);
    this.#attached.delete(file);
    this.#attached.set(file, attached);
    attached.users += 1;
    try {
      await attached.ready;
      return await read(attached.schema);
    } catch (error) {
      throw isDamage(error) ? new UnreadableSnapshotError(file, error) : error;
    } finally {
      attached.users -= 1;
      await this.#release();
    }
  }

  #attach(file: string, businessId: string): AttachedSnapshot {
    this.#count += 1;
    const schema = `snapshot_${this.#count}`;
    const ready = this.#run(`attach ${literal(file)} as ${schema} (read_only)`).catch((error) => {
      this.#attached.delete(file);
      throw new UnreadableSnapshotError(file, error);
    });
    return { schema, businessId, ready, users: 0 };
  }

  async #release(): Promise<void> {
    const newest = new Map([...this.#attached].map(([file, { businessId }]) => [businessId, file]));
    let excess = this.#attached.size - this.#mostOpen;
    // A copy, since what could not be detached comes back to the end of the map.
    for (const [file, attached] of [...this.#attached]) {
      const { businessId, schema, users } = attached;
      const isOutdated = newest.get(businessId) !== file;
      const isLeaving = this.#attached.get(file) !== attached;
      if (users > 0 || isLeaving || (!isOutdated && excess <= 0)) continue;
      excess -= 1;
      this.#attached.delete(file);
      // One that cannot be detached now is tried again later; the answer that was just read is good all the
      // same.
      await this.#run(`detach ${schema}`).catch(() => this.#attached.set(file, attached));
    }
  }

  /** One statement after the other. */
  #run(statement: string): Promise<void> {
    const done = this.#last.then(async () => {
      await this.#connection.run(statement);
    });
    this.#last = done.catch(() => {});
    return done;
  }
}

/** Blocks have checksums, which DuckDB looks at when it reads one. */
function isDamage(error: unknown): error is Error {
  return error instanceof Error && error.message.includes('Corrupt database file');
}
