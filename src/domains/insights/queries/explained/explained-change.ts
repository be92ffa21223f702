import type { Queries } from '../../../../answers/fields/query.ts';
import { sentenceOf, sentencesOf, worded } from '../../../../answers/sentences.ts';
import type { Answer, Plan } from '../../../../answers/tool.ts';
import { beginningOf, type LoadedSource, type SnapshotFacts } from '../../../../business/snapshot-facts.ts';
import { InputError } from '../../../../errors.ts';
import type { Pieces } from '../../../../main-thread/pieces.ts';
import { firstSorted, sortedTexts } from '../../../../main-thread/sort-in-pieces.ts';
import { addMoney, roundedPercent } from '../../../../statistics/rounded.ts';
import { shortText } from '../../../../text/business-text.ts';
import { localDate } from '../../../../time/moment.ts';
import type { Range } from '../../../../time/range.ts';
import { readWholeDays } from '../../../../time/whole-days.ts';
import { type Noted, notedDays } from '../../../calendar/queries/noted-days.ts';
import { type PriceChange, priceChanges } from '../../../products/queries/price-changes.ts';
import { type VisitDay, visitDays } from '../../../traffic/queries/visits-and-orders.ts';
import { MOST_GROUPS } from '../asked-rows.ts';
import type { DimensionName } from '../dimensions.ts';
import { type IdentifierName, identifierNames, NAMED_IDS } from '../filtered-names.ts';
import { largeOrderQueries } from '../large-order-notes.ts';
import { metricNamed } from '../metric-layer.ts';
import { asideQueries, valueNotes } from '../metric-notes.ts';
import { ordersInVisits } from '../orders-of-visits.ts';
import { daysOf, type QueryArguments, type Question, readQuestion } from '../question.ts';
import { allBridges, type Both, type Bridges, type Compared, endsOf, type RowsByKey } from './all-bridges.ts';
import { askAll, type Found, type Need, readRowsOf, rowsOf, totalOf, type Values } from './asked-changes.ts';
import { grownBy } from './bridge.ts';
import {
  type Candidates,
  candidatesOf,
  FALSE_RATE,
  type Finding,
  findingsOf,
  inOrder,
  withoutContained,
} from './change-findings.ts';
import type { Cut, ExplainedMetric } from './explained-metrics.ts';
import { explainedMetric } from './explained-metrics.ts';
import { type FactOfDays, factsOfDays } from './facts-of-days.ts';
import { commonIn, pairNeeds, pastNeeds, pastOf } from './past-changes.ts';
import { findingSentence, type Wording, wholeSentence } from './sentences.ts';
import { soldLess, soldLessOf, soldNeeds, stockOf } from './sold-less.ts';
import { isUnloaded, withUnloadedDays } from './unloaded-days.ts';
import { historyBefore, spanOf, type WeekGroup, weekGroups } from './weeks-before.ts';

interface ExplainArguments {
  readonly business_id: string;
  readonly metric: string;
  readonly from_date: string;
  readonly to_date: string;
  readonly compare: 'previous_period' | 'previous_year' | 'range';
  readonly compare_from_date: string | null;
  readonly compare_to_date: string | null;
}

export interface ExplainContext {
  readonly args: ExplainArguments;
  readonly timezone: string;
  readonly currency: string | null;
  readonly facts: SnapshotFacts;
}

/** The same question to `query_metrics`: its totals are what is explained. */
function questionOf(args: ExplainArguments): QueryArguments {
  const { business_id: _, metric, ...range } = args;
  return {
    ...range,
    metrics: [metric],
    group_by: [],
    filters: [],
    having: [],
    sort_by: null,
    sort_order: null,
    limit: 50,
  };
}

/** @throws InputError for a range that does not fit */
function readExplained(given: ExplainArguments, timezone: string) {
  const args = { ...given, ...wholeDays(given, timezone) };
  const question = readQuestion(questionOf(args), timezone);
  const { range, compared } = question;
  if (compared === null) throw new Error('explain_change without a comparison');
  if (range.start < compared.range.end && compared.range.start < range.end)
    throw new InputError(
      `the compared range, ${compared.from_date} to ${compared.to_date}, has days of ${args.from_date} to ${args.to_date}`,
      'Give two ranges without a common day.',
    );
  return { args, question, compared, range };
}

/**
 * The range as whole days: its first and its last second may also be those of a day. A range that begins or
 * ends within a day has none.
 */
function wholeDays(args: ExplainArguments, timezone: string): Partial<ExplainArguments> {
  const read = (from_date: string, to_date: string, names: string) => {
    const { range, notes } = readWholeDays({ from_date, to_date }, timezone);
    if (notes.length > 0)
      throw new InputError(
        `explain_change compares whole days; ${names} begin or end within one`,
        'Give days, as 2026-10-31.',
      );
    return [range.firstDate.toString(), range.lastDate.toString()] as const;
  };
  const [from_date, to_date] = read(args.from_date, args.to_date, 'from_date and to_date');
  const { compare_from_date: first, compare_to_date: last } = args;
  if (first === null || last === null) return { from_date, to_date };
  const [compare_from_date, compare_to_date] = read(first, last, 'compare_from_date and compare_to_date');
  return { from_date, to_date, compare_from_date, compare_to_date };
}

/** What is asked, and what is known of the store before anything is. */
interface Asked extends ExplainContext {
  readonly question: Question;
  readonly metric: ExplainedMetric;
  readonly ranges: Both<Range>;
  readonly history: Range;
  readonly total: Need;
  readonly loaded: ReturnType<typeof loadedDays>;
}

const MOST_NOTED = 20;

/** What is asked of the store, and how it becomes an answer. */
export function planExplained(given: ExplainContext): Plan<Explanation> {
  const { timezone, facts } = given;
  const { args, question, compared, range } = readExplained(given.args, timezone);
  const context = { ...given, args };
  const metric = knownIn(explainedMetric(args.metric), facts);
  const ranges: Both<Range> = [compared.range, range];
  const total = totalNeed(metric, ranges, facts);
  const history = historyBefore(ranges, timezone);
  const span = spanOf([...ranges, history], timezone);
  const asked = { ...context, question, metric, ranges, history, total, loaded: loadedDays(context) };
  const isPriced = metric.items !== null && facts.loaded_tables.includes('product_prices');
  return {
    queries: {
      ...askAll([total, ...dimensionNeeds(metric, ranges), dayNeed(metric, span)], facts),
      ...asideQueries(question, timezone, facts),
      ...largeOrderQueries(question, facts),
      noted: notedDays(ranges, facts, MOST_NOTED),
      visits: visitDays(ranges, timezone, facts),
      ...(hasVisitChain(metric) && {
        inVisits: ordersInVisits(range, facts),
        comparedInVisits: ordersInVisits(compared.range, facts),
      }),
      prices: isPriced ? { ...priceChanges(range, {}, timezone, facts), isAside: true } : null,
    },
    countsFirstOrders: metric.customers.length > 0 || metric.name === 'customers_count',
    answer: (rows) => testChanges(asked, rows),
  };
}

function hasVisitChain({ chains }: ExplainedMetric): boolean {
  return chains.some(({ name }) => name === 'visits');
}

/**
 * The metric without the parts that are not known: where no visits are loaded, nothing is asked about visits.
 */
function knownIn(metric: ExplainedMetric, { sessions_until }: SnapshotFacts): ExplainedMetric {
  if (sessions_until !== null) return metric;
  const [first, ...others] = metric.cuts;
  const cuts = others.filter((cut) => metricNamed(cut.metric).fact.name !== 'visits');
  return { ...metric, cuts: [first, ...cuts] };
}

const TOTAL = 'total';
const DAYS = 'days';

function totalNeed(metric: ExplainedMetric, ranges: Both<Range>, facts: SnapshotFacts): Need {
  return {
    id: TOTAL,
    ranges,
    metrics: [
      ...sumsOf(metric),
      ...metric.cuts.map((cut) => cut.count),
      ...(metric.name === 'customers_count' ? ['new_customers_count', 'returning_customers_count'] : []),
      ...(facts.loaded_tables.includes('sends') ? ['emails_sent_count', 'email_campaigns_count'] : []),
    ],
  };
}

/** What adds up over days: the sums of chains, and what is cut. */
function sumsOf(metric: ExplainedMetric): string[] {
  return [
    metric.name,
    ...metric.chains.flatMap(({ steps }) => steps.map((step) => step.metric)),
    ...metric.cuts.map((cut) => cut.metric),
  ];
}

function dayNeed(metric: ExplainedMetric, span: Range): Need {
  const isOfOrders = !['visits', 'emails'].includes(metricNamed(metric.name).fact.name);
  return {
    id: DAYS,
    ranges: [span],
    dimensions: ['day'],
    metrics: [...sumsOf(metric), ...(isOfOrders ? ['orders_count'] : [])],
  };
}

function cutOf(metric: ExplainedMetric, dimension: DimensionName): Cut {
  return metric.cuts.find(({ dimensions }) => dimensions.includes(dimension)) ?? metric.cuts[0];
}

function dimensionsOf(metric: ExplainedMetric): readonly DimensionName[] {
  return [...new Set([...metric.rows, ...metric.cuts.flatMap((cut) => cut.dimensions)])];
}

function dimensionNeeds(metric: ExplainedMetric, ranges: Both<Range>): Need[] {
  return dimensionsOf(metric).map((dimension): Need => {
    const cut = cutOf(metric, dimension);
    const isItem = ['product', 'brand', 'category'].includes(dimension);
    return {
      id: dimension,
      ranges,
      dimensions: [dimension],
      metrics: [
        cut.metric,
        cut.count,
        ...(isItem && metric.items !== null ? ['quantity', metric.items.metric] : []),
        ...(dimension === 'customer_type' ? metric.customers : []),
      ],
    };
  });
}

/** What was found first: rows of metrics, and those that facts of days are made of. */
interface FoundFirst extends Found {
  readonly noted?: readonly Noted[];
  readonly visits?: readonly VisitDay[];
  readonly prices?: readonly PriceChange[];
}

/** What was found of the past, beside the names of ids. */
interface FoundPast extends Found {
  readonly names?: readonly IdentifierName[];
}

/** All that is known when the store was asked for the first time. */
interface Changed {
  readonly asked: Asked;
  readonly found: FoundFirst;
  readonly compared: Compared;
  readonly candidates: Candidates;
  readonly groups: (fact: string) => readonly WeekGroup[];
}

/**
 * The kind of data that tells which days a fact has. A fact that is not named here has the days of orders.
 */
const SOURCES: Readonly<Record<string, 'sessions' | 'messages'>> = { visits: 'sessions', emails: 'messages' };

/** Second: the past of what is worth a test, and names of ids. */
function* testChanges(asked: Asked, found: FoundFirst): Pieces<Explained> {
  const { metric, facts, total, ranges } = asked;
  const totals = ranges.map((range, place) => {
    const values = totalOf(found, total, place, facts);
    return isUnloaded(range, loadedOf(asked)) ? { ...values, [metric.name]: null } : values;
  }) as unknown as Both<Values>;
  const compared = yield* comparedOf(asked, found, totals);
  const size = sizeOf(compared);
  const candidates = size === 0 ? { candidates: [], tests: 0 } : yield* candidatesOf(compared, size);
  const groups = groupsOnce(asked);
  const changed = { asked, found, compared, candidates, groups };
  const queries: Queries = {
    ...askAll(pastNeeds(candidates.candidates, metric, groups), facts),
    ...(yield* namesOf(asked, compared, candidates)),
  };
  return yield* planOr(queries, (past) => selectFindings(changed, past));
}

/**
 * The rows of all dimensions, read and sorted once. Of a dimension with too many values some are missing, so
 * none are looked at.
 */
function* comparedOf(asked: Asked, found: Found, totals: Both<Values>): Pieces<Compared> {
  const { metric, ranges } = asked;
  const read = new Map<DimensionName, { readonly rows: Both<RowsByKey>; readonly keys: readonly string[] }>();
  for (const dimension of dimensionsOf(metric)) {
    const rows = [yield* readRowsOf(found, dimension, 0), yield* readRowsOf(found, dimension, 1)] as const;
    if (rows.some(({ size }) => size > MOST_GROUPS)) continue;
    const keys = yield* sortedTexts([...new Set([...rows[0].keys(), ...rows[1].keys()])]);
    read.set(dimension, { rows, keys });
  }
  return {
    metric,
    totals,
    days: [daysOf(ranges[0]), daysOf(ranges[1])],
    hasVisits: areVisitsKnown(asked),
    rows: (dimension) => read.get(dimension)?.rows ?? [new Map(), new Map()],
    keys: (dimension) => read.get(dimension)?.keys ?? [],
    hasTooMany: (dimension) => !read.has(dimension),
    nameOf: (_, key) => shortText(key, MOST_CHARACTERS),
  };
}

/** The weeks of a fact's past; those of facts with the same days are the same. */
function groupsOnce({ history, ranges, loaded }: Asked): Changed['groups'] {
  const known = new Map<string, readonly WeekGroup[]>();
  return (fact) => {
    const source = SOURCES[fact] ?? 'orders';
    const groups = known.get(source) ?? weekGroups(history, ranges, loaded[source]?.first ?? null);
    known.set(source, groups);
    return groups;
  };
}

/** Third: what the findings have in common. */
function* selectFindings(changed: Changed, past: FoundPast): Pieces<Explained> {
  const { asked, found, candidates, compared, groups } = changed;
  const named: Compared = { ...compared, nameOf: nameWith(past) };
  const { bridges, notes } = yield* allBridges(named);
  const { metric, facts, ranges } = asked;
  const chain =
    bridges.find(({ name }) => name === 'funnel') ??
    bridges.find(({ name }) => metric.chains.some((one) => one.name === name)) ??
    null;
  const size = sizeOf(compared);
  const weeks = groups(metricNamed(metric.name).fact.name).reduce(
    (sum, { mondays }) => sum + mondays.length,
    0,
  );
  const unknown = untestable(asked, weeks);
  const isKnown = unknown === null && size > 0;
  const findings = isKnown
    ? yield* findingsOf(
        candidates,
        chain,
        yield* pastOf(
          { metric, days: rowsOf(found, DAYS, 0), past, groups, compared },
          candidates.candidates,
        ),
        size,
      )
    : [];
  const some = mostCertain(findings);
  const told = {
    ...changed,
    compared: named,
    bridges,
    notes: [...notes, ...(unknown === null || size === 0 ? [] : [unknown])],
    isTested: isKnown,
  };
  const lost = soldLess(some);
  const queries = {
    ...askAll([...pairNeeds(some, metric, ranges), ...soldNeeds(lost, ranges)], facts),
    ...stockOf(lost),
  };
  return yield* planOr(queries, function* (pairs) {
    const kept = withoutContained(some, commonIn({ metric, pairs, totals: compared.totals }));
    yield;
    return answerOf(told, inOrder(kept).slice(0, MOST_FINDINGS), pairs);
  });
}

/** Fewer whole weeks of the past do not say what is chance. */
const LEAST_WEEKS = 4;

/** The days of the kind of data that the metric is of; null where nothing of it is loaded. */
function loadedOf({ metric, loaded }: Pick<Asked, 'metric' | 'loaded'>) {
  return loaded[SOURCES[metricNamed(metric.name).fact.name] ?? 'orders'];
}

/** Why nothing can be told from chance; null where it can. */
function untestable({ metric, ranges, loaded }: Asked, weeks: number): string | null {
  const known = loadedOf({ metric, loaded });
  const isWhole = ranges.every(
    ({ firstDate, lastDate }) =>
      known !== null && known.first <= firstDate.toString() && lastDate.toString() <= known.last,
  );
  if (!isWhole) return worded(NOT_WHOLE, 'note.not-whole');
  return weeks < LEAST_WEEKS ? worded(UNKNOWN_PAST, 'note.unknown-past') : null;
}

const NOT_WHOLE =
  'The ranges have days of which nothing is loaded, so their numbers are too low, and nothing is looked for that stands out.';
const UNKNOWN_PAST =
  'Fewer than 4 whole weeks are known before the ranges: what is chance cannot be told, and nothing is looked for that stands out.';

/** More are looked at in no answer, and fewer are told. */
const MOST_COMPARED = 10;
const MOST_FINDINGS = 8;

function mostCertain(findings: readonly Finding[]): Finding[] {
  const values = findings
    .filter(({ candidate }) => candidate !== null)
    .toSorted((one, other) => Math.abs(other.change) - Math.abs(one.change))
    .slice(0, MOST_COMPARED);
  return [...values, ...findings.filter(({ candidate }) => candidate === null)];
}

function* planOr(queries: Queries, answer: (found: Found) => Pieces<Explained>): Pieces<Explained> {
  if (Object.keys(queries).length === 0) return yield* answer({});
  return { queries, answer };
}

/** The size below which nothing is said: a part of what is compared. */
function sizeOf(compared: Compared): number {
  const ends = endsOf(compared);
  return ends === null ? 0 : Math.max(Math.abs(ends[0]), Math.abs(ends[1]));
}

/** More are named in no answer. */
const MOST_NAMED = 60;
const MOST_CHARACTERS = 60;

function* namesOf({ metric }: Asked, compared: Compared, { candidates }: Candidates): Pieces<Queries> {
  const dimension = NAMED_IDS.find((one) => dimensionsOf(metric).includes(one));
  if (dimension === undefined) return {};
  const { metric: value } = cutOf(metric, dimension);
  const [before, after] = compared.rows(dimension);
  const change = (key: string) => Math.abs((after.get(key)?.[value] ?? 0) - (before.get(key)?.[value] ?? 0));
  const moved = yield* firstSorted(
    compared.keys(dimension),
    (one, other) => change(other) - change(one),
    MOST_NAMED,
  );
  const tested = candidates.flatMap((one) => (one.dimension === dimension ? [one.key] : []));
  return identifierNames([dimension], [...new Set([...moved, ...tested])]);
}

function nameWith({ names = [] }: FoundPast): Compared['nameOf'] {
  const nameOf = new Map(names.map(({ id, name }) => [id, name]));
  return (dimension, key) => {
    const name = NAMED_IDS.includes(dimension) ? (nameOf.get(key) ?? null) : null;
    return shortText(name === null ? key : `${key} ${name}`, MOST_CHARACTERS);
  };
}

interface Told extends Changed {
  readonly bridges: Bridges['bridges'];
  readonly notes: readonly string[];
  /** Whether the answer looked for values that stand out. */
  readonly isTested: boolean;
}

type Explanation = ReturnType<typeof answerOf>['result'];
type Explained = Answer<Explanation> | Plan<Explanation>;

function answerOf(told: Told, findings: readonly Finding[], more: Found) {
  const { asked, found, compared, bridges, notes, isTested } = told;
  const { args, currency, facts, timezone, question, metric, ranges } = asked;
  const ends = endsOf(compared);
  const { totals } = compared;
  const [from = null, to = null] = ends ?? totals.map((values) => values[metric.name] ?? null);
  const change = ends === null ? null : addMoney(ends[1], -ends[0]);
  const unit = metricNamed(metric.name).metric.unit ?? 'as asked';
  const wording: Wording = {
    noun: metric.noun,
    unit,
    currency,
    nameOf: ({ candidate }) =>
      candidate === null ? '' : compared.nameOf(candidate.dimension, candidate.key),
  };
  const whole = ends === null ? null : summaryOf(ends, ranges, wording, isTested && findings.length === 0);
  const summary = withUnloadedDays(whole, ranges, loadedOf(asked)) ?? worded(NOT_KNOWN, 'found.not-known');
  const sentences = findings.map((finding) => findingSentence(finding, wording));
  const ofDays = factsOf(told, wording, findings, more);
  return {
    sentences: sentencesOf([summary, ...sentences, ...ofDays.map(({ text }) => text)]),
    result: {
      business_id: args.business_id,
      metric: metric.name,
      unit,
      currency,
      compared_range: question.compared && {
        from_date: question.compared.from_date,
        to_date: question.compared.to_date,
      },
      from,
      to,
      change,
      change_percent: ends === null || change === null ? null : roundedPercent(change, Math.abs(ends[0])),
      summary,
      stands_out: findings.map((finding, place) => ({
        kind: finding.kind,
        dimension: finding.candidate?.dimension ?? null,
        value: finding.candidate?.key ?? finding.name,
        from: rounded(finding.from),
        to: rounded(finding.to),
        expected: finding.expected === null || finding.kind === 'price' ? null : rounded(finding.expected),
        change: rounded(finding.change),
        change_percent: grownBy(finding),
        share_of_change: change === null ? null : roundedPercent(finding.change, change),
        sentence: sentences[place] ?? '',
      })),
      bridges,
      facts: ofDays,
    },
    notes: [
      ...valueNotes(question, questionOf(args), {
        rows: totals,
        asked: found,
        keys: [],
        facts,
        currency,
        timezone,
      }),
      ...notes,
    ],
  };
}

const NOT_KNOWN = 'The metric is not known in one of the ranges, so nothing is explained.';

function summaryOf(
  ends: Both<number>,
  [compared, range]: Both<Range>,
  wording: Wording,
  isQuiet: boolean,
): string {
  const days = ({ firstDate, lastDate }: Range) => [firstDate.toString(), lastDate.toString()] as const;
  const whole = wholeSentence(ends, [days(compared), days(range)], wording);
  if (!isQuiet) return whole;
  const quiet = `${whole} Nothing stands out from chance (at most ${100 * FALSE_RATE} % of findings would be false).`;
  const sentence = sentenceOf(whole);
  return sentence === undefined ? quiet : worded(quiet, 'found.nothing-stands-out', { whole: { sentence } });
}

function rounded(value: number): number {
  return addMoney(value);
}

function factsOf(
  { asked, found, compared }: Told,
  wording: Wording,
  findings: readonly Finding[],
  more: Found,
): FactOfDays[] {
  const { metric, ranges, history, facts, loaded } = asked;
  const hasCurrency = metric.cuts[0].dimensions.includes('currency') && wording.unit === 'money';
  return factsOfDays({
    metric: metric.name,
    ranges,
    totals: compared.totals,
    days: rowsOf(found, DAYS, 0),
    history,
    facts,
    timezone: asked.timezone,
    wording,
    loaded,
    noted: found.noted ?? [],
    visits: found.visits ?? [],
    currencies: hasCurrency ? compared.rows('currency') : null,
    prices: found.prices ?? [],
    soldLess: soldLessOf(soldLess(findings), ranges, more, wording),
  });
}

/** The first and the last day on which each is loaded; null when there is none. */
function loadedDays({ facts, timezone }: ExplainContext) {
  const days = (source: LoadedSource) => {
    const [start, end] = [beginningOf(source, facts), facts[`${source}_until`]];
    if (start === null || end === null) return null;
    return { first: localDate(start, timezone).toString(), last: localDate(end, timezone).toString() };
  };
  return { orders: days('orders'), sessions: days('sessions'), messages: days('messages') };
}

/** Whether visits are loaded from the first day to the last one of both ranges. */
function areVisitsKnown({ ranges, loaded: { sessions } }: Asked): boolean {
  if (sessions === null) return false;
  return ranges.every(
    ({ firstDate, lastDate }) =>
      sessions.first <= firstDate.toString() && lastDate.toString() <= sessions.last,
  );
}
