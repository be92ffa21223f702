import type { StoreChange } from '../control/businesses/uploads.ts';
import type { ImportReport } from '../snapshot/import-report.ts';
import type { TableToMap } from '../sources/mapping/table-to-map.ts';
import type { ProposedStore } from '../sources/proposed-store.ts';
import type { Refusal } from '../sources/refusal.ts';

/** What is shown of a report; the rest names files of this server. Older versions wrote no `changes`. */
export type ShownReport = Omit<ImportReport, 'rejects_file' | 'changes'> &
  Partial<Pick<ImportReport, 'changes'>>;

/** The outcome of work on an upload. All its texts have passed the gate for personal data. */
export type UploadOutcome = (
  | Refusal
  /** The first orders have come, and the files do not tell the time zone or the currency of the store. */
  | { readonly kind: 'store'; readonly proposed: ProposedStore }
  /** All of it was done, and nobody knows whether it is served. */
  | { readonly kind: 'uncertain' }
  /** Everything was done except that tools do not answer with it yet. */
  | { readonly kind: 'checked'; readonly report: ShownReport }
  | { readonly kind: 'published'; readonly report: ShownReport }
  /** Settings of the store, as they were and are; empty where it was set so already. */
  | { readonly kind: 'settings'; readonly before: StoreChange; readonly now: StoreChange }
  | { readonly kind: 'stopped' }
  /** The server or the work was ended from outside. */
  | { readonly kind: 'interrupted' }
) & {
  /** Tables whose columns can be chosen: that nothing knows, or that are read as somebody chose. */
  readonly tables?: readonly TableToMap[];
};

export const INTERRUPTED = written({ kind: 'interrupted' });
export const STOPPED = written({ kind: 'stopped' });

export function written(outcome: UploadOutcome): string {
  return JSON.stringify(outcome);
}

export function readOutcome(text: string | null): UploadOutcome | null {
  return text === null ? null : (JSON.parse(text) as UploadOutcome);
}
