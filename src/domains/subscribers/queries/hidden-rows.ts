import { isSmall } from '../../../answers/small-groups.ts';
import { type FlowRow, STAYED } from './flow.ts';

/**
 * The numbers of a row that stand in one equation: who was there and who came is who left and who is there.
 * Each is also a sum over all rows, which the answer tells. So they are a table whose sums are known both
 * ways.
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
  /** Whether readers know zeros by the kind of row: nobody whom a campaign made unsubscribe bounced. */
  readonly hasKnownZeros: boolean;
}

/**
 * The rows with null where a number is of one to four people or would tell of such. What is hidden of the
 * balance lies in rectangles, the same numbers in at least two rows and of at least two kinds, so that one
 * hidden person more can always be one less beside and below: no sum that is shown determines any of them.
 * Each of them would do alone, and what is hidden beside it only tells less.
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
    : fewestHidden({ rows: all, columns: BALANCE.map(({ key }) => key), hasKnownZeros: false });
  for (const rectangle of rectangles) hide(hidden, rectangle);
  return hidden;
}

function hide(hidden: Map<FlowRow, Set<Balanced>>, { rows, columns }: Rectangle): void {
  for (const row of rows) hidden.set(row, new Set([...(hidden.get(row) ?? []), ...columns]));
}

const CAME = BALANCE.filter(({ comes }) => comes).map(({ key }) => key);

/**
 * Some numbers are zero by what the rows are, so nothing can hide behind them: nobody is there at the end of
 * those who left, and nobody left of those who stayed. So who is there at the end is known, and only who came
 * can be hidden in `(stayed)`: all three numbers, since the churn of the whole tells one of them.
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
      ? fewestHidden({
          rows: left,
          columns: BALANCE.map(({ key }) => key).filter((key) => key !== 'subscribed_at_end_count'),
          hasKnownZeros: true,
        })
      : []),
    ...(stayed.length > 0 && (isFew(stayed) || isFew(left))
      ? [
          hiddenTogether(
            { rows: all, columns: CAME, hasKnownZeros: true },
            { rows: new Set(stayed), columns: new Set(CAME) },
          ),
        ]
      : []),
    // The whole tells it, and yet no row says it.
    { rows: new Set(small), columns: new Set(['subscribed_at_end_count']) },
  ];
}

/**
 * What hides all small numbers of the table: a rectangle for each kind of number, or one for all, whichever
 * takes less away. In one for all, numbers may stand beside zeros alone, so it does not do where these are
 * known.
 */
function fewestHidden(table: Table): readonly Rectangle[] {
  const hidden = new Map<FlowRow, Set<Balanced>>();
  const small = table.columns.map((key) => ({
    rows: new Set(table.rows.filter((row) => isSmall(row[key]))),
    columns: new Set([key]),
  }));
  const each = small
    .filter(({ rows }) => rows.size > 0)
    .map((rectangle) => {
      const whole = hiddenTogether(table, rectangle, hidden);
      hide(hidden, whole);
      return whole;
    });
  if (table.hasKnownZeros) return each;
  const one = hiddenTogether(table, {
    rows: new Set(small.flatMap(({ rows }) => [...rows])),
    columns: new Set(small.flatMap(({ rows, columns }) => (rows.size > 0 ? [...columns] : []))),
  });
  const numbers = [...hidden.values()].reduce((sum, keys) => sum + keys.size, 0);
  return numbers < one.rows.size * one.columns.size ? each : [one];
}

/** The rectangle with partners, of which those are taken that lose least beside what is hidden already. */
function hiddenTogether(
  table: Table,
  { rows, columns }: Rectangle,
  already: HiddenNumbers = new Map(),
): Rectangle {
  const lost = (row: FlowRow, key: Balanced) => (already.get(row)?.has(key) ? 0 : row[key]);
  const lostOfRow = (row: FlowRow) => [...columns].reduce((sum, key) => sum + lost(row, key), 0);
  for (let before = -1; before !== rows.size + columns.size; ) {
    before = rows.size + columns.size;
    if (columns.size === 1) addPartner(table, columns, rows, lost);
    for (const key of columns) addRows(table.rows, rows, (row) => row[key], lostOfRow);
    for (const row of rows) {
      if (isSmall(toldTogether(row, columns))) addPartner(table, columns, new Set([row]), lost);
    }
  }
  return { rows, columns };
}

/**
 * The kind of number of which least is lost beside the others, but that is something, in each row where zeros
 * are known.
 */
function addPartner(
  table: Table,
  columns: Set<Balanced>,
  rows: ReadonlySet<FlowRow>,
  lost: (row: FlowRow, key: Balanced) => number,
): void {
  const sum = (count: (row: FlowRow) => number) => [...rows].reduce((total, row) => total + count(row), 0);
  const rowsWith = (key: Balanced) => sum((row) => Number(row[key] > 0));
  const lostOf = (key: Balanced) => sum((row) => lost(row, key));
  const others = table.columns
    .filter((key) => !columns.has(key))
    .toSorted((a, b) => (table.hasKnownZeros ? rowsWith(b) - rowsWith(a) : 0) || lostOf(a) - lostOf(b));
  const partner = others.find((key) => rowsWith(key) > 0) ?? others[0];
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

/**
 * A hidden number needs another row with it, and what is hidden of it in all must not be a small group
 * itself.
 */
function addRows(
  all: readonly FlowRow[],
  hidden: Set<FlowRow>,
  count: (row: FlowRow) => number,
  lost = count,
): void {
  if (hidden.size === 0) return;
  const sum = () => [...hidden].reduce((total, row) => total + count(row), 0);
  while (hidden.size < all.length && (hidden.size < 2 || isSmall(sum()))) {
    const others = all.filter((row) => !hidden.has(row)).toSorted((a, b) => lost(a) - lost(b));
    const next = others.find((row) => count(row) > 0) ?? others[0];
    if (next === undefined) return;
    hidden.add(next);
  }
}

/**
 * How many people the hidden numbers of a row are together, where its equation tells: all of them came, or
 * all went.
 */
function toldTogether(row: FlowRow, columns: ReadonlySet<Balanced>): number {
  const hidden = BALANCE.filter(({ key }) => columns.has(key));
  const isOneSided = new Set(hidden.map(({ comes }) => comes)).size === 1;
  return isOneSided ? hidden.reduce((sum, { key }) => sum + row[key], 0) : 0;
}
