import type { Queries } from '../../../../answers/fields/query.ts';
import type { SnapshotFacts } from '../../../../business/snapshot-facts.ts';
import type { Pieces } from '../../../../main-thread/pieces.ts';
import { atOnce } from '../../../../main-thread/turns.ts';
import type { Row } from '../../../../sql/row.ts';
import type { Range } from '../../../../time/range.ts';
import { askRows } from '../asked-rows.ts';
import type { DimensionName } from '../dimensions.ts';
import type { FactCondition } from '../fact.ts';
import { FACTS, metricNamed, valueOfNothing } from '../metric-layer.ts';

/** Metrics by dimensions, over each of the ranges. */
export interface Need {
  /** A name of its own. */
  readonly id: string;
  readonly metrics: readonly string[];
  readonly dimensions?: readonly DimensionName[];
  readonly conditions?: readonly FactCondition[];
  readonly ranges: readonly Range[];
}

export type Found = Readonly<Record<string, readonly Row[]>>;

/** The metrics of one row; null: nobody knows it. */
export type Values = Readonly<Record<string, number | null>>;

/** Asks each fact that has some of the metrics, with one query for each range. */
export function askAll(needs: readonly Need[], facts: SnapshotFacts): Queries {
  return Object.fromEntries(
    needs.flatMap(({ id, metrics, dimensions = [], conditions = [], ranges }) => {
      const named = [...new Set(metrics)].map(metricNamed);
      return [...new Set(named.map(({ fact }) => fact))].flatMap((fact) =>
        ranges.map((range, place) => [
          nameOf(id, place, fact.name),
          askRows(fact, named, { range, facts, dimensions, conditions }),
        ]),
      );
    }),
  );
}

/**
 * What was found in one of the ranges, by the text of its dimensions, where that are few rows. The text is
 * `''` where there are no dimensions.
 */
export function rowsOf(found: Found, id: string, place: number): ReadonlyMap<string, Values> {
  return atOnce(readRowsOf(found, id, place));
}

/** The same in pieces, since there may be a row for each product of a store. */
export function* readRowsOf(found: Found, id: string, place: number): Pieces<ReadonlyMap<string, Values>> {
  const byKey = new Map<string, Record<string, number | null>>();
  for (const [query, rows] of Object.entries(found)) {
    const fact = FACTS.find(({ name }) => query === nameOf(id, place, name));
    if (fact === undefined) continue;
    const keys = Object.entries(fact.metrics).map(([name, { key }]) => [name, key] as const);
    for (const [index, { row_key, ...row }] of rows.entries()) {
      if (index % ROWS_OF_PIECE === 0) yield;
      const values = byKey.get(String(row_key)) ?? {};
      byKey.set(String(row_key), values);
      for (const [name, key] of keys) if (key in row) values[name] = row[key] as number | null;
    }
  }
  return byKey;
}

const ROWS_OF_PIECE = 500;

/** The one row of what is asked without dimensions; of metrics without a row, nothing happened. */
export function totalOf(found: Found, need: Need, place: number, facts: SnapshotFacts): Values {
  const values = rowsOf(found, need.id, place).get('') ?? {};
  return Object.fromEntries(
    need.metrics.map((name) => [
      name,
      name in values ? (values[name] ?? null) : valueOfNothing(metricNamed(name), facts),
    ]),
  );
}

function nameOf(id: string, place: number, fact: string): string {
  return `${id} ${place} ${fact}`;
}
