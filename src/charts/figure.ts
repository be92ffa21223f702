import type { PictureWords } from './picture-words.ts';

export type FigureWords = Omit<PictureWords, 'locale'>;

/**
 * What a picture shows, before its size is known: values with their texts and names. The picture, the table
 * and the text for screen readers are all made from the same figure, so they cannot differ.
 */
export interface Figure {
  readonly title: string;
  /** The store and the days that were asked about; either may be unknown. */
  readonly subtitle: readonly string[];
  readonly panels: readonly Panel[];
  /** What the reader must know, such as until when data are loaded. */
  readonly notes: readonly string[];
  /** The words of the reader's language. */
  readonly words: FigureWords;
}

/** A text in the picture's language, or an English one from a tool, which is marked so. */
export type Saying = string | { readonly english: string };

export function sayingText(said: Saying): string {
  return typeof said === 'string' ? said : said.english;
}

export type Panel = LinePanel | BarPanel | CellPanel | FlowPanel | IntervalPanel;

interface OfPanel {
  /** What is drawn, with its unit. */
  readonly heading: string;
  /** What one must know to read the panel right, such as which revenue it shows. */
  readonly says: readonly Saying[];
  readonly definitions: readonly Definition[];
  /** Null if every row is drawn. */
  readonly cut: Cut | null;
}

/**
 * The rows that were cut. The answer may hold some of the rest, or nothing: a limit may have left them out.
 */
export interface Cut {
  /** What is cut; the panels of one list share this name. */
  readonly what: string;
  readonly drawn: number;
  readonly of: number;
  /** What put the drawn rows first, in words; null if the first rows of the answer are drawn. */
  readonly by: string | null;
}

interface Definition {
  readonly label: string;
  readonly text: string;
}

/**
 * Why a rate says little. `few`: it is about few, or few make it. `unrecorded`: there were as many orders as
 * visits, so most visits were not recorded.
 */
export type Doubt = 'few' | 'unrecorded';

/** One number of the answer. */
export interface Value {
  /** The place of the value in an answer whose rows are objects: `periods.3.orders_revenues`. */
  readonly at: string;
  /** Null: no value, and `text` says why. */
  readonly value: number | null;
  /** The value in full. */
  readonly text: string;
  /** The value as the picture shows it: rates with three digits. */
  readonly short: string;
  /** A rate for a narrow cell: without the sign, which the heading has, and with at most two decimals. */
  readonly bare?: string;
  /** For a rate: what it is a part of, if the answer has that. */
  readonly whole?: Pick<Value, 'at' | 'short' | 'text'> | null;
  /** Why a rate says little; it is drawn hollow then. */
  readonly doubt?: Doubt | null;
}

/** Whether all of a period is known. The height and direction of an incomplete one mean nothing. */
export type Known = 'before' | 'whole' | 'incomplete' | 'after' | 'forecast';

export interface Column {
  readonly label: string;
  readonly known: Known;
  /** The position along the line; without it, steps are equal. */
  readonly moment?: number;
}

export interface LinePanel extends OfPanel {
  readonly kind: 'line';
  readonly isStep: boolean;
  readonly columns: readonly Column[];
  readonly series: readonly Series[];
}

export interface Series {
  readonly name: string;
  /** One value for each column; null where the answer has none. */
  readonly values: readonly (Value | null)[];
  /** The bounds of forecasts, by column. */
  readonly bounds: readonly ({ readonly low: Value; readonly high: Value } | null)[];
  /** Whether the values are those of the period before. */
  readonly isCompared: boolean;
  /** The periods of a compared line, since they differ from those of its columns. */
  readonly periods?: readonly string[];
}

export interface BarPanel extends OfPanel {
  readonly kind: 'bars';
  /** Values that the bars are judged by, with their texts. */
  readonly limits?: readonly { readonly value: number; readonly text: string }[];
  /** The least value that fills the width, for counts: one complaint must not look like an alarm. */
  readonly least?: number;
  readonly series: readonly string[];
  readonly groups: readonly {
    readonly label: string;
    /** That its row stopped, and when. */
    readonly state?: string;
    readonly isIncomplete: boolean;
    /** The number of its days or hours; null where every row has the same number. */
    readonly times: Value | null;
    /** One value for each series. */
    readonly values: readonly (Value | null)[];
  }[];
}

export function labelWithState({
  label,
  state,
}: {
  readonly label: string;
  readonly state?: string;
}): string {
  return state === undefined ? label : `${label} (${state})`;
}

export interface CellPanel extends OfPanel {
  readonly kind: 'cells';
  readonly down: string;
  readonly across: string;
  readonly rows: readonly string[];
  /**
   * For each row the number of its days, or for a cohort its people; empty where every row has the same
   * number of days.
   */
  readonly times: readonly (Value | null)[];
  readonly isOfPeople?: true;
  readonly columns: readonly string[];
  readonly cells: readonly {
    readonly row: number;
    readonly column: number;
    readonly value: Value;
    readonly isIncomplete: boolean;
    /** Whether the share is of so few that it says little. */
    readonly isOfFew: boolean;
  }[];
  /** The largest value, which sets the colours of this panel and of those next to it. */
  readonly most: number;
}

export interface FlowPanel extends OfPanel {
  readonly kind: 'flow';
  readonly from: string;
  readonly to: string;
  readonly sources: readonly string[];
  readonly targets: readonly string[];
  readonly ribbons: readonly { readonly source: number; readonly target: number; readonly value: Value }[];
}

export interface IntervalPanel extends OfPanel {
  readonly kind: 'interval';
  readonly reference: 0 | 1 | null;
  readonly groups: readonly {
    readonly label: string;
    readonly isIncomplete: boolean;
    readonly value: Value;
    readonly low: Value;
    readonly high: Value;
  }[];
}
