import type { CanonicalTable } from '../../store/canonical-table.ts';
import type { TitlesInLanguages } from '../titles-in-languages.ts';

/**
 * A merchant's own description of a tabular file: which of its columns become which of ours. It is data:
 * nothing in it is run.
 */
export interface Mapping {
  /** The name of the source that it makes, in small letters, digits and hyphens. */
  readonly name: string;
  readonly title: string;
  /** The columns by which a file of this kind is told. */
  readonly recognise: readonly ColumnName[];
  /** What the columns are called in files in other languages. */
  readonly titles: TitlesInLanguages;
  /** Columns whose cells stand in the first row alone of those that belong together. */
  readonly fillDown: readonly ColumnName[];
  /** What files write where there is nothing, for example `--`. */
  readonly empty: readonly string[];
  /** What is taken for granted, for the report. */
  readonly assumptions: readonly string[];
  readonly blocks: readonly Block[];
}

/** The title of a column, one `<currency>` in it standing for any text; or its place from 1. */
export type ColumnName = string | number;

/** How rows of the file become rows of one of our tables. A table may have several. */
export interface Block {
  readonly table: CanonicalTable;
  readonly cells: ReadonlyMap<string, Expression>;
  readonly where: readonly Condition[];
  /**
   * Rows that are parts of another row, such as the child of a configurable product: `of` names the `id` of
   * that row.
   */
  readonly parts: { readonly id: ColumnName; readonly of: ColumnName } | null;
  /**
   * Lines say here whether their prices are before the discount of the whole order, which is shared among
   * them.
   */
  readonly sharesDiscount: boolean;
}

export interface Condition {
  readonly column: ColumnName;
  readonly is: 'empty' | 'filled' | 'one of' | 'none of';
  /** A `*` at the end stands for any text. */
  readonly values: readonly string[];
}

export type Expression =
  /** A column whose cells are read as cells of that kind are written where nothing else can be meant. */
  | { readonly kind: 'cell' | 'text' | 'named' | 'part' | 'header'; readonly column: ColumnName }
  | { readonly kind: 'number'; readonly column: ColumnName; readonly decimal: 'comma' | 'point' }
  | {
      readonly kind: 'date';
      readonly column: ColumnName;
      readonly pattern: string | null;
      readonly zone: string | null;
    }
  | { readonly kind: 'constant'; readonly value: string }
  | {
      readonly kind: 'map';
      readonly column: ColumnName;
      /** The values by the text of the file, in lower case. */
      readonly values: ReadonlyMap<string, string>;
      /** What any other text becomes; without it, the row is rejected. An empty one becomes nothing. */
      readonly otherwise: string | null;
    }
  | { readonly kind: 'split'; readonly column: ColumnName; readonly by: string }
  | {
      /** `percent_off` is the first of two, less the percentage of it that the second says. */
      readonly kind: 'first' | 'sum' | 'difference' | 'quotient' | 'absolute' | 'percent_off';
      readonly of: readonly Expression[];
    }
  /** What two columns say alike. */
  | { readonly kind: 'same'; readonly columns: readonly [ColumnName, ColumnName] }
  | { readonly kind: 'exported_at' };

/** The columns that an expression names. */
export function columnsIn(expression: Expression): ColumnName[] {
  if ('of' in expression) return expression.of.flatMap(columnsIn);
  if ('columns' in expression) return [...expression.columns];
  return 'column' in expression ? [expression.column] : [];
}

/** Whether files that have some columns have what an expression is made of. */
export function isThere(expression: Expression, has: (column: ColumnName) => boolean): boolean {
  if (!('of' in expression)) return columnsIn(expression).every(has);
  const isPartThere = (part: Expression) => isThere(part, has);
  return expression.kind === 'first' ? expression.of.some(isPartThere) : expression.of.every(isPartThere);
}
