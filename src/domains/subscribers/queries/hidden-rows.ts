import { isSmall } from '../../../answers/small-groups.ts';
import type { FlowRow } from './flow.ts';

/**
 * The numbers of a row that stand in one equation: who was there and who came is who left and who is there. Each is also a
 * sum over all rows, which the answer tells. So they are a table whose sums are known both ways.
 */
const BALANCE = [
  { key: 'subscribed_at_start_count', comes: true },
  { key: 'subscribed_count', comes: true },
  { key: 'resubscribed_count', comes: true },
  { key: 'unsubscribed_count', comes: false },
  { key: 'bounced_out_count', comes: false },
  { key: 'complained_count', comes: false },
  { key: 'removed_count', comes: false },
  { key: 'subscribed_at_end_count', comes: false },
] as const;
type Balanced = (typeof BALANCE)[number]['key'];

/** What rates tell of a row: these counts, which are sums over rows too. */
const CHURN: readonly ((row: FlowRow) => number)[] = [
  (row) => row.churned_count,
  (row) => row.subscribed_at_start_count - row.churned_count,
  (row) => row.early_exit_count,
];
const CONFIRMATIONS: readonly ((row: FlowRow) => number)[] = [
  (row) => row.requested_count,
  (row) => row.confirmed_count,
  (row) => row.requested_count - row.confirmed_count,
];

interface HiddenNumbers {
  readonly rows: ReadonlySet<FlowRow>;
  readonly columns: ReadonlySet<Balanced>;
  /** Rows whose churn is hidden: those above among them. */
  readonly churn: ReadonlySet<FlowRow>;
}

/**
 * The rows with null where a number is of one to four people or would tell of such. What is hidden of the balance is a
 * rectangle, the same numbers in at least two rows and of at least two kinds, so that one hidden person more can always be
 * one less beside and below: no sum that is shown determines any of them.
 *
 * @param rows all of them, so that each number adds up to that of the whole
 */
export function withoutSmallNumbers(rows: readonly FlowRow[]) {
  const hidden = hiddenNumbers(rows);
  return rows.map((row) => {
    const { churned_count: _, requested_count: __, confirmed_count: ___, ...shown } = row;
    const keys = new Set<string>([
      ...(hidden.rows.has(row) ? hidden.columns : []),
      ...(hidden.rows.has(row) && tellsGrowth(hidden) ? ['net_growth'] : []),
      ...(hidden.churn.has(row) ? ['churn_rate', 'early_exit_count'] : []),
      ...(rows.length > 1 && CONFIRMATIONS.some((count) => isSmall(count(row))) ? ['confirmation_rate'] : []),
    ]);
    return {
      ...(Object.fromEntries(
        Object.entries(shown).map(([key, value]) => [key, keys.has(key) ? null : value]),
      ) as { readonly [Key in keyof typeof shown]: (typeof shown)[Key] | null }),
      is_hidden: keys.size > 0,
    };
  });
}

/** Growth is the end without the start: it is one more equation where one of them is hidden. */
function tellsGrowth({ columns }: HiddenNumbers): boolean {
  return columns.has('subscribed_at_start_count') || columns.has('subscribed_at_end_count');
}

function hiddenNumbers(all: readonly FlowRow[]): HiddenNumbers {
  const rows = new Set<FlowRow>();
  const columns = new Set<Balanced>();
  // One row is the whole, which is told anyway.
  if (all.length === 1) return { rows, columns, churn: new Set() };
  for (const row of all) {
    for (const { key } of BALANCE) {
      if (!isSmall(row[key])) continue;
      rows.add(row);
      columns.add(key);
    }
  }
  for (let before = -1; before !== rows.size + columns.size; ) {
    before = rows.size + columns.size;
    if (columns.size === 1) columns.add(partnerOf(columns, rows));
    for (const key of columns) addRows(all, rows, (row) => row[key]);
    for (const row of rows) {
      if (isSmall(toldTogether(row, columns))) columns.add(partnerOf(columns, new Set([row])));
    }
  }
  const churn = new Set(rows);
  for (const row of all) if (CHURN.some((count) => isSmall(count(row)))) churn.add(row);
  for (const count of CHURN) addRows(all, churn, count);
  return { rows, columns, churn };
}

/** A hidden number needs another row with it, and what is hidden of it in all must not be a small group itself. */
function addRows(all: readonly FlowRow[], hidden: Set<FlowRow>, count: (row: FlowRow) => number): void {
  if (hidden.size === 0) return;
  const sum = () => [...hidden].reduce((total, row) => total + count(row), 0);
  while (hidden.size < all.length && (hidden.size < 2 || isSmall(sum()))) {
    const others = all.filter((row) => !hidden.has(row)).toSorted((a, b) => count(a) - count(b));
    const next = others.find((row) => count(row) > 0) ?? others[0];
    if (next === undefined) return;
    hidden.add(next);
  }
}

/** The kind of number of which least is hidden beside the others, but something. */
function partnerOf(columns: ReadonlySet<Balanced>, rows: ReadonlySet<FlowRow>): Balanced {
  const sum = (key: Balanced) => [...rows].reduce((total, row) => total + row[key], 0);
  const others = BALANCE.map(({ key }) => key)
    .filter((key) => !columns.has(key))
    .toSorted((a, b) => sum(a) - sum(b));
  return others.find((key) => sum(key) > 0) ?? others[0] ?? 'subscribed_at_end_count';
}

/** How many people the hidden numbers of a row are together, where its equation tells: all of them came, or all went. */
function toldTogether(row: FlowRow, columns: ReadonlySet<Balanced>): number {
  const hidden = BALANCE.filter(({ key }) => columns.has(key));
  const isOneSided = new Set(hidden.map(({ comes }) => comes)).size === 1;
  return isOneSided ? hidden.reduce((sum, { key }) => sum + row[key], 0) : 0;
}
