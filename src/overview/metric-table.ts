import type { Filter } from './filters.ts';
import type { Days } from './page-periods.ts';
import { type Answers, type Data, numberAt } from './tool-answers.ts';

/** What is asked of `query_metrics`, the one tool whose numbers can be cut by anything. */
interface AskedMetrics {
  readonly metrics: readonly string[];
  readonly group_by?: readonly string[];
  readonly limit?: number;
  readonly filters: readonly Filter[];
}

/** Its cells by the name of their column. */
interface MetricRow {
  number(column: string): number | null;
  text(column: string): string | null;
}

export interface MetricTable {
  /** The value as the tool gave it. */
  readonly answer: Data;
  /** The unit of each metric. */
  readonly units: Readonly<Record<string, string>>;
  /** How many groups there are, of which the first are in the table. */
  readonly groupsCount: number;
  readonly groups: readonly MetricRow[];
  readonly total: MetricRow;
}

/**
 * Asks `query_metrics`. Its table has `<metric>.compared` beside each metric where there are days before.
 *
 * @param name what would be missing where the tool refuses
 */
export async function metricTable(
  answers: Answers,
  name: string,
  { filters, ...asked }: AskedMetrics,
  { days, before }: { readonly days: Days; readonly before: Days | null },
): Promise<MetricTable | null> {
  const compared =
    before === null
      ? {}
      : { compare: 'range', compare_from_date: before.from_date, compare_to_date: before.to_date };
  const those = filters.map(({ dimension, value }) => ({ dimension, in: [value] }));
  const args = { ...asked, ...(those.length > 0 && { filters: those }), ...compared };
  const answer = await answers.of(name, { tool: 'query_metrics', args }, days);
  if (answer === null) return null;
  // Its fields are checked against its declaration already.
  const { columns, units, rows } = answer as {
    readonly columns: readonly string[];
    readonly units: Readonly<Record<string, string>>;
    readonly rows: readonly (readonly (string | number | null)[])[];
  };
  const rowOf = (cells: readonly (string | number | null)[]): MetricRow => {
    const at = (column: string) => cells[columns.indexOf(column)] ?? null;
    return {
      number: (column) => numberAt({ cell: at(column) }, 'cell'),
      text: (column) => {
        const cell = at(column);
        return cell === null ? null : String(cell);
      },
    };
  };
  const groupsCount = asked.group_by === undefined ? 0 : (numberAt(answer, 'groups_count') ?? 0);
  return {
    answer,
    units,
    groupsCount,
    // The rest and the total come after the groups.
    groups: rows.slice(0, Math.min(asked.limit ?? rows.length, groupsCount)).map(rowOf),
    total: rowOf(rows.at(-1) ?? []),
  };
}
