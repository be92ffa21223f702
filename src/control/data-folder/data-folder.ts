import { join } from 'node:path';

/**
 * The data folder.
 *
 * ```
 * control.sqlite                              accounts, businesses, grants, which snapshot is served
 * served-at                                   where the server that started last is reached
 * browser.html                                leads the browser that `start` opens to its page, while that server runs
 * visited-stores                              whose pages were opened last
 * secret                                      seals keys, keys the hashes of personal data
 * spill/<process>/                            what queries could not hold in memory, while the process lives
 * uploads/<upload>/files/                     what somebody brought in the browser, until it is imported or a day old
 * uploads/<upload>/lock                       held while a server waits to import it, and does
 * businesses/<business>/import.lock           held while an import runs
 * businesses/<business>/deleted               while the business and its folder are being deleted
 * businesses/<business>/rejects/<id>.csv      rows that an import refused
 * businesses/<business>/landed/<connection>/  rows as vendors sent them, without personal data in clear: see docs/live.md
 * businesses/<business>/snapshots/<id>/       never changed once it is there
 *   model.duckdb                              what tools read
 *   store/<table>-<part>.parquet              the canonical tables it was built from
 *   store/<table>-<part>.deleted.parquet      which rows of a part no longer count
 *   store/keys/<table>-<part>.parquet         the numbers that the model gives to what they name
 *   snapshot.json                             what it is, for a control database that does not know it
 *   unfinished.json                           while an import makes it, or removes it
 * businesses/<business>/snapshots/<id>.building/   the same before it is finished
 * ```
 */
export class DataFolder {
  readonly root: string;

  constructor(root: string) {
    this.root = root;
  }

  get control(): string {
    return join(this.root, 'control.sqlite');
  }

  get secret(): string {
    return join(this.root, 'secret');
  }

  get servedAt(): string {
    return join(this.root, 'served-at');
  }

  get visitedStores(): string {
    return join(this.root, 'visited-stores');
  }

  get browserPage(): string {
    return join(this.root, 'browser.html');
  }

  get spill(): string {
    return join(this.root, 'spill');
  }

  get uploads(): string {
    return join(this.root, 'uploads');
  }

  get businesses(): string {
    return join(this.root, 'businesses');
  }

  business(businessId: string): string {
    return join(this.businesses, businessId);
  }

  lock(businessId: string): string {
    return join(this.business(businessId), 'import.lock');
  }

  rejects(businessId: string): string {
    return join(this.business(businessId), 'rejects');
  }

  landed(businessId: string, connectionId: string): string {
    return join(this.business(businessId), 'landed', connectionId);
  }

  snapshots(businessId: string): string {
    return join(this.business(businessId), 'snapshots');
  }

  snapshot(businessId: string, snapshotId: string): string {
    return join(this.snapshots(businessId), snapshotId);
  }

  model(businessId: string, snapshotId: string): string {
    return modelFile(this.snapshot(businessId, snapshotId));
  }
}

export function modelFile(snapshot: string): string {
  return join(snapshot, 'model.duckdb');
}

/** What a model is built from. */
export function storeFolder(snapshot: string): string {
  return join(snapshot, 'store');
}

export function keysFolder(snapshot: string): string {
  return join(storeFolder(snapshot), 'keys');
}
