import type { ControlDatabase } from '../database/control-database.ts';

/** A grant that is used all the time is recorded so often. */
const RECORDED_EVERY_MS = 60_000;
/** The pause after a failure, so that what cannot be written now is not tried again by every call. */
const PAUSE_MS = 60_000;
/** When more grants than this are used in one minute, some are recorded more than once. */
const MOST_REMEMBERED = 10_000;
/** Writes that a slow database has not taken yet; uses beyond them are not recorded. */
const MOST_WAITING = 100;

/**
 * When grants were last used, to the minute. It is for people to see and nothing depends on it, so no call
 * waits for it: a call is answered also while the disk is full or the database is only to be read.
 */
export class GrantUses {
  readonly #control: ControlDatabase;
  readonly #onError: (error: unknown) => void;
  /** The recorded grants, the oldest first. */
  readonly #recorded = new Map<string, number>();
  #last: Promise<void> = Promise.resolve();
  #waiting = 0;
  #pausedUntil = 0;

  /** @param onError called once a minute at most */
  constructor(control: ControlDatabase, onError: (error: unknown) => void) {
    this.#control = control;
    this.#onError = onError;
  }

  record(grantId: string): void {
    const now = Date.now();
    const isRecorded = now - (this.#recorded.get(grantId) ?? 0) < RECORDED_EVERY_MS;
    if (isRecorded || now < this.#pausedUntil || this.#waiting >= MOST_WAITING) return;
    this.#remember(grantId, now);
    this.#waiting += 1;
    // One at a time, so that they never take all connections of a slow database.
    this.#last = this.#last
      .then(() => this.#write(grantId, now))
      .catch((error: unknown) => this.#pause(error))
      .finally(() => {
        this.#waiting -= 1;
      });
  }

  #remember(grantId: string, now: number): void {
    this.#recorded.delete(grantId);
    this.#recorded.set(grantId, now);
    for (const [oldest, recordedAt] of this.#recorded) {
      if (this.#recorded.size <= MOST_REMEMBERED && now - recordedAt < RECORDED_EVERY_MS) break;
      this.#recorded.delete(oldest);
    }
  }

  async #write(grantId: string, now: number): Promise<void> {
    if (now < this.#pausedUntil) return;
    await this.#control
      .updateTable('grants')
      .set({ last_used_at: new Date(now).toISOString() })
      .where('grant_id', '=', grantId)
      .execute();
  }

  #pause(error: unknown): void {
    this.#pausedUntil = Date.now() + PAUSE_MS;
    this.#onError(error);
  }

  /** Settles when all that was recorded so far is written, or has failed. */
  async settled(): Promise<void> {
    await this.#last;
  }
}
