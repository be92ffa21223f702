import type { PictureWords } from './picture-words.ts';

export type FigureWords = Omit<PictureWords, 'locale'>;

/**
 * What a picture shows, before anybody knows its size: values with their texts, and what they are called. The picture,
 * the table beside it and the text for screen readers are made of the same figure, so they cannot differ.
 */
export interface Figure {
  readonly title: string;
  /** The store and the days that were asked about; each part may be unknown. */
  readonly subtitle: readonly string[];
  readonly panels: readonly Panel[];
  /** What the reader must know, such as until when data are loaded. */
  readonly notes: readonly string[];
  /** In whose language all of it is written. */
  readonly words: FigureWords;
}

/** A figure with what its answers say beside their numbers, each once. */
export interface NotedFigure {
  readonly figure: Figure;
  readonly notes: readonly string[];
}

/** What a tool tells is English, and marked as such in a picture of another language. */
export type Saying = string | { readonly english: string };

export function sayingText(said: Saying): string {
  return typeof said === 'string' ? said : said.english;
}

export type Panel = LinePanel | BarPanel | CellPanel | FlowPanel | IntervalPanel;

interface OfPanel {
  /** What is drawn, and in which unit. */
  readonly heading: string;
  /** What one must know to read it right, such as which revenue it is. */
  readonly says: readonly Saying[];
  readonly definitions: readonly Definition[];
  /** Null where everything is drawn. */
  readonly cut: Cut | null;
}

/** What was cut. The answer has a part of the rest or none: a limit may have left it out. */
export interface Cut {
  /** What there is more of: the panels of one list name it alike. */
  readonly what: string;
  readonly drawn: number;
  readonly of: number;
  /** What put the drawn ones first, in words; null where the first of the answer are drawn. */
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
  /** Where the value stands in the answer whose rows are objects: `periods.3.orders_revenues`. */
  readonly at: string;
  /** Null: no value, and `text` says why. */
  readonly value: number | null;
  /** The value in full. */
  readonly text: string;
  /** The value as the picture shows it: rates with three digits. */
  readonly short: string;
  /** A rate in a narrow cell: without the sign that the heading has, with two decimals at most. */
  readonly bare?: string;
  /** For a rate: what it is a part of, where the answer has that. */
  readonly whole?: Pick<Value, 'at' | 'short' | 'text'> | null;
  /** Why a rate says little, where it does. It is drawn hollow then. */
  readonly doubt?: Doubt | null;
}

/** Whether all of a period is known: of one that is not, neither height nor direction says anything. */
export type Known = 'before' | 'whole' | 'incomplete' | 'after' | 'forecast';

export interface Column {
  readonly label: string;
  readonly known: Known;
  /** Along a line; equal steps where it is missing. */
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
  /** One for each column; null where the answer says nothing of it. */
  readonly values: readonly (Value | null)[];
  /** The bounds of forecasts, by column. */
  readonly bounds: readonly ({ readonly low: Value; readonly high: Value } | null)[];
  /** Whether the value is of the period before. */
  readonly isCompared: boolean;
  /** A compared line has the period of each value here, since it is another than that of its column. */
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
    /** That it stopped, and when. */
    readonly state?: string;
    readonly isIncomplete: boolean;
    /** The number of its days or hours; null where every row has the same number. */
    readonly times: Value | null;
    /** One for each series. */
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
    /** A share of so few that it says little. */
    readonly isOfFew: boolean;
  }[];
  /** The largest value, by which cells of this panel and those beside it are coloured. */
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
