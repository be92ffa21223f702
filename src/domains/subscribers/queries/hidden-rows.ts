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

type HiddenNumbers = ReadonlyMap<FlowRow, ReadonlySet<Balanced>>;

/** Numbers that are hidden together: each of these of each of these rows. */
interface Rectangle {
  readonly rows: Set<FlowRow>;
  readonly columns: Set<Balanced>;
}

/** Rows and numbers of which any can be hidden. */
interface Table {
  readonly rows: readonly FlowRow[];
  readonly columns: readonly Balanced[];
}

/**
 * The rows with null where a number is of one to four people or would tell of such. What is hidden of the balance is a
 * rectangle, the same numbers in at least two rows and of at least two kinds, so that one hidden person more can always be
 * one less beside and below: no sum that is shown determines any of them.
 *
 * @param rows all of them, so that each number adds up to that of the whole
 * @param areByExit whether a row is of subscriptions that ended alike, and `(stayed)` of those that did not
 */
export function withoutSmallNumbers(rows: readonly FlowRow[], areByExit = false) {
  const hidden = hiddenNumbers(rows, areByExit);
  const churn = withHiddenChurn(rows, hidden);
  return rows.map((row) => {
    const { churned_count: _, requested_count: __, confirmed_count: ___, ...shown } = row;
    const ofRow = hidden.get(row) ?? new Set();
    const keys = new Set<string>([
      ...ofRow,
      ...(tellsGrowth(ofRow) ? ['net_growth'] : []),
      ...(churn.has(row) ? ['churn_rate', 'early_exit_count'] : []),
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
function tellsGrowth(hidden: ReadonlySet<Balanced>): boolean {
  return hidden.has('subscribed_at_start_count') || hidden.has('subscribed_at_end_count');
}

function hiddenNumbers(all: readonly FlowRow[], areByExit: boolean): HiddenNumbers {
  const hidden = new Map<FlowRow, Set<Balanced>>();
  // One row is the whole, which is told anyway.
  if (all.length === 1) return hidden;
  const rectangles = areByExit
    ? rectanglesByExit(all)
    : [hiddenTogether({ rows: all, columns: BALANCE.map(({ key }) => key) })];
  for (const { rows, columns } of rectangles) {
    for (const row of rows) hidden.set(row, new Set([...(hidden.get(row) ?? []), ...columns]));
  }
  return hidden;
}

const STAYED = '(stayed)';
const CAME = BALANCE.filter(({ comes }) => comes).map(({ key }) => key);

/**
 * Some numbers are zero by what the rows are, so nothing can hide behind them: nobody is there at the end of those who left, and
 * nobody left of those who stayed. So who is there at the end is known, and only who came can be hidden in `(stayed)`: all
 * three numbers, since the churn of the whole tells one of them.
 */
function rectanglesByExit(all: readonly FlowRow[]): Rectangle[] {
  const left = all.filter(({ key }) => key !== STAYED);
  const stayed = all.filter(({ key }) => key === STAYED);
  const isFew = (rows: readonly FlowRow[]) =>
    CAME.some((key) => isSmall(rows.reduce((sum, row) => sum + row[key], 0)));
  const small = all.filter((row) => isSmall(row.subscribed_at_end_count));
  return [
    // The numbers of one row of leavers are those of the whole.
    ...(left.length > 1
      ? [
          hiddenTogether({
            rows: left,
            columns: BALANCE.map(({ key }) => key).filter((key) => key !== 'subscribed_at_end_count'),
          }),
        ]
      : []),
    ...(stayed.length > 0 && (isFew(stayed) || isFew(left))
      ? [hiddenTogether({ rows: all, columns: CAME }, { rows: new Set(stayed), columns: new Set(CAME) })]
      : []),
    // Told by the whole, and yet not said of a row.
    { rows: new Set(small), columns: new Set(['subscribed_at_end_count']) },
  ];
}

/** What is hidden before partners are looked for, and then with them. */
function hiddenTogether(table: Table, { rows, columns }: Rectangle = smallOf(table)): Rectangle {
  for (let before = -1; before !== rows.size + columns.size; ) {
    before = rows.size + columns.size;
    if (columns.size === 1) addPartner(table, columns, rows);
    for (const key of columns) addRows(table.rows, rows, (row) => row[key]);
    for (const row of rows) {
      if (isSmall(toldTogether(row, columns))) addPartner(table, columns, new Set([row]));
    }
  }
  return { rows, columns };
}

function smallOf(table: Table): Rectangle {
  const rows = new Set<FlowRow>();
  const columns = new Set<Balanced>();
  for (const row of table.rows) {
    for (const key of table.columns) {
      if (!isSmall(row[key])) continue;
      rows.add(row);
      columns.add(key);
    }
  }
  return { rows, columns };
}

/** The kind of number of which least is hidden beside the others, but something. */
function addPartner(table: Table, columns: Set<Balanced>, rows: ReadonlySet<FlowRow>): void {
  const sum = (key: Balanced) => [...rows].reduce((total, row) => total + row[key], 0);
  const others = table.columns.filter((key) => !columns.has(key)).toSorted((a, b) => sum(a) - sum(b));
  const partner = others.find((key) => sum(key) > 0) ?? others[0];
  if (partner !== undefined) columns.add(partner);
}

/** Rows whose churn is hidden: those of which some number is, and those of which it would tell of few. */
function withHiddenChurn(all: readonly FlowRow[], hidden: HiddenNumbers): ReadonlySet<FlowRow> {
  const churn = new Set(hidden.keys());
  if (all.length === 1) return churn;
  for (const row of all) if (CHURN.some((count) => isSmall(count(row)))) churn.add(row);
  for (const count of CHURN) addRows(all, churn, count);
  return churn;
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

/** How many people the hidden numbers of a row are together, where its equation tells: all of them came, or all went. */
function toldTogether(row: FlowRow, columns: ReadonlySet<Balanced>): number {
  const hidden = BALANCE.filter(({ key }) => columns.has(key));
  const isOneSided = new Set(hidden.map(({ comes }) => comes)).size === 1;
  return isOneSided ? hidden.reduce((sum, { key }) => sum + row[key], 0) : 0;
}
