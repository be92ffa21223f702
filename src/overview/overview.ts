import type { DrawnStore } from '../charts/drawn-store.ts';
import type { AskedOverview } from './asked-overview.ts';
import type { ListKey } from './cards-and-lists.ts';
import type { Filter } from './filters.ts';
import type { Days } from './page-periods.ts';
import type { PageSentence } from './page-sentences.ts';
import type { Trend } from './trends.ts';

/** A number beside that of the days before. */
export interface Card {
  readonly key: string;
  /** The name is in the reader's language, as all names here. */
  readonly name: string;
  readonly unit: string | undefined;
  /** What it is, in the reader's language. */
  readonly definition: string;
  /** Null means that it is not known. */
  readonly value: number | null;
  /** It is null when it is not known, or compared with nothing. */
  readonly before: number | null;
  /**
   * The change in percent of what was before, or in points for percentages. It is null where either is not
   * known, or where what was before is 0.
   */
  readonly change: number | null;
  /** Along time; null where that is not known. */
  readonly trend: Trend | null;
  /** The key of the list that tells more, where nothing is known along time. */
  readonly list: ListKey | null;
  /** What could be misread of it, in the reader's language. */
  readonly marks: readonly string[];
  /** The page is about a part of the store, and of that this number is not known. */
  readonly isUnfiltered: boolean;
}

export interface List {
  readonly key: ListKey;
  readonly title: string;
  /** Whether the number is of the whole store, as that of a card. */
  readonly isUnfiltered: boolean;
  readonly columns: readonly { readonly name: string; readonly unit: string | undefined }[];
  /** The number of all rows, of which `rows` are the first. */
  readonly rowsCount: number;
  readonly rows: readonly {
    readonly label: string;
    /** What makes the page one about this row; null: nothing does. */
    readonly filter: Filter | null;
    readonly values: readonly (number | null)[];
    /** What the first value is of that of all rows, in percent; null: not known. */
    readonly share: number | null;
    /** The first value in the days before; null: not known. */
    readonly before: number | null;
    /** The same as that of a card. */
    readonly change: number | null;
    /** What could be misread of it, in the reader's language. */
    readonly marks: readonly string[];
  }[];
}

/** What a store sold in some days, and by what. Every number is that of a tool, asked as the caller. */
export interface Overview {
  readonly store: DrawnStore;
  readonly asked: AskedOverview;
  readonly days: Days;
  readonly before: Days | null;
  /** Why there is nothing before, though it was asked for. */
  readonly notCompared: string | null;
  /**
   * What broke in the last loaded days, of the whole store; null where it could not be asked. Days that
   * somebody chose have none, since it is of now.
   */
  readonly alarms: readonly PageSentence[] | null;
  readonly cards: readonly Card[];
  readonly lists: readonly List[];
  /** What one must know to read the numbers right, each once. */
  readonly notes: readonly PageSentence[];
  /** Parts that this caller may not read, or that cannot be shown, with the reason. */
  readonly missing: readonly { readonly name: string; readonly why: string }[];
}

/** Whether anything is known of the days: of days that are not loaded, nothing is. */
export function hasNumbers({ cards, lists }: Pick<Overview, 'cards' | 'lists'>): boolean {
  return cards.some(({ value }) => value !== null) || lists.some(({ rows }) => rows.length > 0);
}
