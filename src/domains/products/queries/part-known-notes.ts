import { shownName } from '../../../answers/existing-names.ts';

interface Asked {
  readonly sort_by?: string;
  /** The argument that `rowArguments` gives every tool with rows. */
  readonly fields?: readonly string[];
}

interface Row {
  readonly entity: string;
  readonly reach: number;
  readonly unique_customers_count: number;
  readonly estimated_gross_profit: number | null;
  readonly revenue_with_known_cost: number | null;
}

const MOST_NAMED = 3;
/** Below this share of revenue with known cost, in percent, profits of rows cannot be compared. */
const MOSTLY_KNOWN = 90;

const isAskedFor = ({ sort_by = '', fields = [] }: Asked, names: readonly string[]) =>
  names.some((name) => sort_by === name || fields.includes(name));

function named(rows: readonly { readonly entity: string; readonly told: string }[]): string {
  const shown = rows.slice(0, MOST_NAMED).map(({ entity, told }) => `${shownName(entity)} ${told}`);
  return [...shown, ...(rows.length > MOST_NAMED ? [`and ${rows.length - MOST_NAMED} more rows`] : [])].join(
    ', ',
  );
}

/**
 * Notes products with more buyers than known viewers: most views are not recorded, and those of buyers are
 * recorded more often.
 */
export function unseenBuyersNotes(rows: readonly Row[], asked: Asked): string[] {
  if (!isAskedFor(asked, ['conversion_rate'])) return [];
  const unseen = rows.flatMap(({ entity, reach, unique_customers_count: buyers }) =>
    reach > 0 && buyers > reach ? [{ entity, told: `${buyers} buyers, ${reach} viewers` }] : [],
  );
  if (unseen.length === 0) return [];
  return [
    `conversion_rate is too high where more people bought than are known to have viewed (${named(unseen)}): not every view is recorded, and those of buyers more often. Do not say which part of viewers buys.`,
  ];
}

/** Profits and margins that are of a part of the revenue, in rows that are compared. */
export function partlyKnownProfitNotes(rows: readonly Row[], asked: Asked): string[] {
  if (!isAskedFor(asked, ['estimated_gross_profit', 'estimated_gross_profit_margin'])) return [];
  const partly = rows.flatMap(({ entity, revenue_with_known_cost: known }) =>
    known !== null && known > 0 && known < MOSTLY_KNOWN ? [{ entity, told: `${Math.round(known)} %` }] : [],
  );
  if (partly.length === 0) return [];
  return [
    `Profit and margin are of the part of the revenue whose cost is known (${named(partly)}): estimated_gross_profit of these is too low beside others, and the margin of the rest may differ.`,
  ];
}
