import type { Queries } from '../../../../answers/fields/query.ts';
import type { SnapshotFacts } from '../../../../business/snapshot-facts.ts';
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

/** What was found in one of the ranges, by the text of its dimensions. The text is `''` where there are none. */
export function rowsOf(found: Found, id: string, place: number): ReadonlyMap<string, Values> {
  const byKey = new Map<string, Record<string, number | null>>();
  for (const [query, rows] of Object.entries(found)) {
    const fact = FACTS.find(({ name }) => query === nameOf(id, place, name));
    if (fact === undefined) continue;
    for (const { row_key, ...row } of rows) {
      const values = byKey.get(String(row_key)) ?? {};
      byKey.set(String(row_key), values);
      for (const [name, { key }] of Object.entries(fact.metrics))
        if (key in row) values[name] = row[key] as number | null;
    }
  }
  return byKey;
}

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
