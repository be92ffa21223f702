import type { Held, LandedFile } from '../../control/connections/connection-leases.ts';
import { type ListingName, otherOriginAt } from '../../control/connections/other-origins.ts';
import { isSurelyLater } from '../../control/database/clock-tolerance.ts';
import type { ControlDatabase } from '../../control/database/control-database.ts';
import { literal, type Session } from '../../store/duckdb-session.ts';
import type { LandedFiles } from '../landing/landed-files.ts';

/** What a connection has listed and brought: the files with the ids of a kind. */
export class ReceivedIds {
  readonly #control: ControlDatabase;
  readonly #connectionId: string;
  readonly #files: LandedFiles;
  readonly #listing: ListingName;

  constructor(
    { control, held, files }: { control: ControlDatabase; held: Held; files: LandedFiles },
    listing: ListingName,
  ) {
    this.#control = control;
    this.#connectionId = held.connection.connection_id;
    this.#files = files;
    this.#listing = listing;
  }

  async filesOf(kind: LandedFile['kind']): Promise<LandedFile[]> {
    const all = await this.#files.list();
    return all.filter((file) => file.stream === this.#listing && file.kind === kind);
  }

  /** When ids of these came by another way too. Null means never. */
  otherOriginAt(): Promise<Date | null> {
    return otherOriginAt(this.#control, this.#connectionId, this.#listing, 'brought');
  }

  /** The files with the ids of rows that this connection was the last to bring. */
  async filesOfOurs(): Promise<LandedFile[]> {
    const otherwise = await this.otherOriginAt();
    const brought = await this.filesOf('ids');
    return brought.filter(({ landed_at }) => otherwise === null || isSurelyLater(landed_at, otherwise));
  }

  /** SQL: the ids in files. */
  idsIn(files: readonly LandedFile[]): string {
    const paths = files.map((file) => literal(this.#files.path(file)));
    if (paths.length === 0) return `select cast(null as varchar) as id where false`;
    return `from read_json([${paths.join(', ')}], format = 'newline_delimited', compression = 'gzip', columns = {id: 'VARCHAR'})`;
  }

  /** Those of some ids whose rows this connection brought, even if something else brought them too. */
  async among(session: Session, ids: readonly string[]): Promise<Set<string>> {
    if (ids.length === 0) return new Set();
    const asked = ids.map((id) => literal(id)).join(', ');
    const rows = await session.rows(
      `select distinct id from (${this.idsIn(await this.filesOf('ids'))}) where id in (${asked})`,
    );
    return new Set(rows.map(({ id }) => String(id)));
  }
}
