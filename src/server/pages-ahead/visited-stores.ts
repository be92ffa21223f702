import { readFileSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';

/** Their pages are asked ahead, one after the other. More of them would be work for minutes at a start. */
const MOST = 20;

/**
 * The stores whose pages were opened last. A file has them, so that a server that starts knows whose pages
 * are likely to be asked for. The list is of use and not of need: a file that is missing, broken or cannot be
 * written is no reason not to serve.
 *
 * @example const visited = VisitedStores.read('/data/visited-stores'); visited.add(business_id); await
 *   visited.write();
 */
export class VisitedStores {
  readonly #file: string;
  readonly #now: () => number;
  /** When each was last opened, in milliseconds since 1970. */
  #at = new Map<string, number>();
  #isChanged = false;

  private constructor(file: string, now: () => number) {
    this.#file = file;
    this.#now = now;
  }

  /** @param now for tests: a clock */
  static read(file: string, now = Date.now): VisitedStores {
    const visited = new VisitedStores(file, now);
    visited.#take(readVisits(file));
    return visited;
  }

  add(businessId: string): void {
    this.#isChanged ||= this.newestFirst()[0] !== businessId;
    this.#take([[businessId, this.#now()]]);
  }

  newestFirst(): readonly string[] {
    return [...this.#at.keys()];
  }

  /**
   * Writes the file where the order has changed, and takes up what other servers of the folder wrote. It is
   * exchanged whole, so a process that is killed meanwhile leaves the one before.
   *
   * @throws what the file system refuses; the same is not tried again until another store is opened
   */
  async write(): Promise<void> {
    if (!this.#isChanged) return;
    this.#isChanged = false;
    this.#take(readVisits(this.#file));
    const part = `${this.#file}.${process.pid}.part`;
    await writeFile(part, JSON.stringify([...this.#at]), { mode: 0o600 });
    await rename(part, this.#file);
  }

  #take(visits: readonly Visit[]): void {
    for (const [id, at] of visits) this.#at.set(id, Math.max(at, this.#at.get(id) ?? 0));
    this.#at = new Map([...this.#at].toSorted(([, one], [, other]) => other - one).slice(0, MOST));
  }
}

type Visit = readonly [string, number];

function readVisits(file: string): readonly Visit[] {
  try {
    const written: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return Array.isArray(written) ? written.filter(isVisit) : [];
  } catch {
    return [];
  }
}

function isVisit(given: unknown): given is Visit {
  return Array.isArray(given) && typeof given[0] === 'string' && typeof given[1] === 'number';
}
