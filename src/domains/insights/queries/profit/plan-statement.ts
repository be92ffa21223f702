import { onlyRow, type Queries } from '../../../../answers/fields/query.ts';
import { plan } from '../../../../answers/tool.ts';
import { type Assumption, describeRate } from '../../../../business/assumptions.ts';
import { hasRefundLines, type SnapshotFacts } from '../../../../business/snapshot-facts.ts';
import { InputError } from '../../../../errors.ts';
import { addMoney } from '../../../../statistics/rounded.ts';
import { type Range, readRange } from '../../../../time/range.ts';
import { paidCreditNotes, paidCredits } from '../../../traffic/queries/paid-credits.ts';
import { type DimensionName, isPeriod, shownValue } from '../dimensions.ts';
import { identifierNames } from '../filtered-names.ts';
import { UNTRACKED_CHANNEL } from '../order-facts.ts';
import { readCompared } from '../question.ts';
import { trafficWindow } from '../traffic-facts.ts';
import { daysWithOrders, type Rates, ratesOf, type Setting, type Used } from './group-parts.ts';
import { cutsLines, refundedLines, soldLines } from './line-parts.ts';
import { LINES, LINES_OF_GOODS, type Parts, statementOf } from './profit-lines.ts';
import { returnedParts } from './returned-parts.ts';
import { refundedParts, type SoldRow, soldParts } from './sold-parts.ts';
import { adCostParts, emailParts, type LoadedRow, loadedCosts, smsParts } from './spent-parts.ts';
import { areAllSold, type Found, type Group, groupsOf, TOTAL_KEY, type Which } from './statement-groups.ts';
import { statementNotes } from './statement-notes.ts';

export const STATEMENT_CUTS = [
  'none',
  'day',
  'week',
  'month',
  'quarter',
  'year',
  'country',
  'channel',
  'coupon',
  'payment_method',
  'shipping_method',
  'customer_type',
  'product',
  'brand',
  'category',
] as const satisfies readonly ('none' | DimensionName)[];
type StatementCut = (typeof STATEMENT_CUTS)[number];

interface Asked {
  readonly business_id: string;
  readonly from_date: string;
  readonly to_date: string;
  readonly by: StatementCut;
  readonly limit: number;
  readonly compare: 'none' | 'previous_period' | 'previous_year' | 'range';
  readonly compare_from_date: string | null;
  readonly compare_to_date: string | null;
}

interface Context {
  readonly args: Asked;
  readonly timezone: string;
  readonly currency: string | null;
  readonly facts: SnapshotFacts;
  readonly assumptions?: readonly Assumption[];
  readonly mostRows: number;
}

/** Cuts of orders by something else than time. Only channels have advertising of their own. */
const isSpentBy = (by: DimensionName | null) => by === null || isPeriod(by) || by === 'channel';

export function planStatement({ args, timezone, currency, facts, assumptions = [], mostRows }: Context) {
  const by = args.by === 'none' ? null : args.by;
  const range = readRange(args, timezone);
  const compared = readCompared(args, range, timezone);
  if (compared !== null && by !== null && isPeriod(by))
    throw new InputError(
      `compare does not go with by ${by}: the periods of two ranges are different rows`,
      'Ask for the two ranges one after the other, or by none.',
    );
  // An amount of another currency says nothing here.
  const usable = assumptions.filter(({ amount, currency: of }) => amount === null || of === currency);
  const rates = ratesOf(usable);
  return plan({
    queries: {
      ...queriesOf('asked', range, by, facts, rates),
      ...(compared === null ? {} : queriesOf('compared', compared.range, by, facts, rates)),
      paid:
        by === 'channel'
          ? paidCredits(
              trafficWindow({ range, dimensions: [by], conditions: [], rest: null, facts }, true),
              {},
              facts,
            )
          : null,
      loaded: loadedCosts(),
    } as Queries,
    answer: (rows) => {
      const asked: Question = { args, by, range, compared, rates, usable, facts, timezone, mostRows };
      const used: Used = new Map();
      const [groups, earlier] = bothGroups(rows, asked, used);
      const notes = [
        ...paidCreditNotes((rows.paid ?? []) as never, {
          keys: groups.map(({ key }) => key),
          currency,
          areCampaigns: false,
        }),
        ...notesOf(asked, [groups, earlier], assumptions, untrackedOf(rows)),
      ];
      const finish = (names: ReadonlyMap<string, string | null>) => ({
        result: {
          ...aboutAll(asked, groups, used),
          currency,
          lines: allLines(asked, groups, earlier, names),
        },
        notes,
      });
      if (by !== 'product') return finish(new Map());
      const keys = groups.map(({ key }) => key);
      return plan({
        queries: identifierNames([by], keys) as Queries,
        answer: ({ names = [] }) =>
          finish(
            new Map(
              (names as readonly { id: string; name: string | null }[]).map(({ id, name }) => [id, name]),
            ),
          ),
      });
    },
  });
}

/** What was asked, with all that its answer depends on. */
interface Question {
  readonly args: Asked;
  readonly by: DimensionName | null;
  readonly range: Range;
  readonly compared: ReturnType<typeof readCompared>;
  readonly rates: Rates;
  /** The assumptions that can be counted with. */
  readonly usable: readonly Assumption[];
  readonly facts: SnapshotFacts;
  readonly timezone: string;
  readonly mostRows: number;
}

/**
 * The groups of the range, and the same of the compared one. `used` gets what assumptions made of the range.
 */
function bothGroups(
  rows: Found,
  question: Question,
  used: Used,
): readonly [readonly Group[], readonly Group[]] {
  const { args, by, range, compared, rates, facts, timezone, mostRows } = question;
  const settingOf = (of: Range): Setting => ({
    rates,
    facts,
    loaded: onlyRow(rows.loaded as readonly LoadedRow[]),
    days: daysWithOrders(of, facts, timezone),
  });
  const groups = groupsOf(rows, 'asked', by, settingOf(range), { limit: args.limit, shown: null }, used);
  refuseMore(groups.length, args.by, mostRows);
  if (compared === null) return [groups, []];
  const selection = { limit: args.limit, shown: groups.map(({ key }) => key) };
  return [groups, groupsOf(rows, 'compared', by, settingOf(compared.range), selection, new Map())];
}

function aboutAll({ args, compared, facts, usable }: Question, groups: readonly Group[], used: Used) {
  const { parts } = groups.at(-1) as Group;
  return {
    business_id: args.business_id,
    data_until: facts.orders_until,
    by: args.by,
    compared_range: compared === null ? null : { from_date: compared.from_date, to_date: compared.to_date },
    orders_count: parts.orders,
    orders_revenues: parts.priced === 0 && parts.orders > 0 ? null : parts.paid / 10_000,
    assumptions: usable.flatMap((one) => {
      const cost = used.get(one);
      return cost === undefined ? [] : [usedAssumption(one, cost)];
    }),
  };
}

function allLines(
  { by }: Question,
  groups: readonly Group[],
  earlier: readonly Group[],
  names: ReadonlyMap<string, string | null>,
) {
  return groups.flatMap(({ key, parts }) => {
    const before = earlier.find((one) => one.key === key);
    const group = by === null ? null : shownValue(by, key);
    const lines = linesOf({ group, name: names.get(key) ?? null }, parts, before?.parts ?? null);
    return cutsLines(by) && key !== TOTAL_KEY
      ? lines.filter(({ line }) => LINES_OF_GOODS.includes(line))
      : lines;
  });
}

function notesOf(
  { by, range, compared, usable, facts, timezone }: Question,
  [groups, earlier]: readonly [readonly Group[], readonly Group[]],
  assumptions: readonly Assumption[],
  untracked: number,
): string[] {
  const unusable = assumptions.filter((one) => !usable.includes(one));
  const total = (groups.at(-1) as Group).parts;
  const before = earlier.at(-1)?.parts ?? null;
  return statementNotes({ total, before, by, untracked, range, compared, facts, timezone, unusable });
}

function untrackedOf({ asked_sold: sold = [] }: Found): number {
  return (sold as readonly SoldRow[]).reduce(
    (sum, { row_key, paid }) => sum + (row_key === UNTRACKED_CHANNEL ? paid : 0),
    0,
  );
}

function usedAssumption(assumption: Assumption, cost: number) {
  const { kind, from_day, payment_method, shipping_method, country } = assumption;
  const named = [payment_method, shipping_method, country].filter((name) => name !== null);
  return {
    kind,
    from_day,
    rate: describeRate(assumption),
    of: named.length === 0 ? null : named.join(', '),
    cost: Math.round(cost) / 10_000,
  };
}

function linesOf(
  named: { readonly group: string | null; readonly name: string | null },
  parts: Parts,
  before: Parts | null,
) {
  const earlier = before === null ? [] : statementOf(before);
  return statementOf(parts).map((line) => {
    const { amount: compared = null, known_share: share = null } =
      earlier.find((one) => one.line === line.line) ?? {};
    const change = line.amount === null || compared === null ? null : addMoney(line.amount, -compared);
    return { ...named, ...line, compared_amount: compared, compared_known_share: share, change };
  });
}

function refuseMore(groups: number, by: StatementCut, mostRows: number): void {
  const lines = by !== 'none' && cutsLines(by) ? LINES_OF_GOODS.length : LINES.length;
  const most = Math.floor(mostRows / lines);
  if (groups <= most) return;
  throw new InputError(
    `by ${by} gives ${groups} statements of ${lines} lines, and an answer has room for ${most}`,
    'Ask for a shorter range, a coarser period or a smaller limit.',
  );
}

function queriesOf(
  name: Which,
  range: Range,
  by: DimensionName | null,
  facts: SnapshotFacts,
  rates: Rates,
): Queries {
  const ask = (cut: DimensionName | null, isSoldKnown = false) => {
    const dimensions = cut === null ? [] : [cut];
    const sold = cutsLines(cut)
      ? soldLines({ range, facts, dimensions })
      : soldParts({ range, facts, dimensions }, rates);
    return {
      sold: isSoldKnown ? null : sold,
      refunded: (cutsLines(cut) ? refundedLines : refundedParts)({ range, facts, dimensions }),
      returned: hasRefundLines(facts) ? returnedParts({ range, facts, dimensions }) : null,
      advertised: isSpentBy(cut) ? adCostParts(range, cut) : null,
      emails: isSpentBy(cut) ? emailParts(range, cut, rates.emails) : null,
      sms: isSpentBy(cut) ? smsParts(range, cut) : null,
    };
  };
  const named = (prefix: string, queries: Queries) =>
    Object.fromEntries(Object.entries(queries).map(([key, one]) => [`${prefix}_${key}`, one]));
  return {
    ...named(name, ask(by)),
    ...(by === null ? {} : named(`${name}_total`, ask(null, areAllSold(by)))),
  };
}
