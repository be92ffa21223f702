import { column, nullableColumn } from '../../../../answers/fields/field.ts';
import { type Queries, query } from '../../../../answers/fields/query.ts';
import { products } from '../../../../model-table/table-names.ts';
import { parameter, sql } from '../../../../sql/sql.ts';
import type { Range } from '../../../../time/range.ts';
import { SEPARATOR } from '../fact.ts';
import type { Both } from './all-bridges.ts';
import { type Found, type Need, rowsOf } from './asked-changes.ts';
import type { Finding } from './change-findings.ts';
import type { SoldLess } from './facts-of-days.ts';
import type { Wording } from './sentences.ts';

const SOLD = 'sold';

/** Products that stand out since they were sold less. */
export function soldLess(findings: readonly Finding[]): readonly Finding[] {
  return findings.filter(({ candidate, change }) => candidate?.dimension === 'product' && change < 0);
}

function idsOf(findings: readonly Finding[]): string[] {
  return findings.flatMap(({ candidate }) => candidate?.key ?? []);
}

/** The queries that tell on which days the found products were sold. */
export function soldNeeds(findings: readonly Finding[], ranges: Both<Range>): Need[] {
  if (findings.length === 0) return [];
  return [
    {
      id: SOLD,
      ranges,
      dimensions: ['product', 'day'],
      conditions: [{ dimension: 'product', kind: 'in', values: idsOf(findings) }],
      metrics: ['quantity'],
    },
  ];
}

const STOCK = [
  column('external_product_id', 'text'),
  nullableColumn('in_stock', 'boolean'),
  nullableColumn('stock_as_of', 'moment'),
];

/** What was read of their stock last: how it was before, the model does not know. */
export function stockOf(findings: readonly Finding[]): Queries {
  if (findings.length === 0) return {};
  return {
    stock: {
      ...query(
        STOCK,
        sql`
        select external_product_id, in_stock, stock_as_of from ${products}
        where external_product_id in (${parameter.texts(idsOf(findings))})`,
      ),
      isAside: true,
    },
  };
}

export function soldLessOf(
  findings: readonly Finding[],
  ranges: Both<Range>,
  found: Found,
  wording: Wording,
): SoldLess[] {
  const stock = new Map((found.stock ?? []).map((row) => [String(row.external_product_id), row]));
  const sold = ranges.map((_, place) =>
    [...rowsOf(found, SOLD, place).keys()].map((key) => key.split(SEPARATOR)),
  );
  return findings.map((finding) => {
    const key = finding.candidate?.key ?? '';
    const [before = [], now = []] = sold.map((rows) =>
      rows.flatMap(([product, day = '']) => (product === key ? [day] : [])).toSorted(),
    );
    const read = stock.get(key);
    return {
      name: wording.nameOf(finding),
      days: [before.length, now.length],
      lastSold: now.at(-1) ?? null,
      in_stock: (read?.in_stock ?? null) as boolean | null,
      stock_as_of: (read?.stock_as_of ?? null) as string | null,
    };
  });
}
