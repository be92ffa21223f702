import type { Pieces } from '../../../../main-thread/pieces.ts';
import { falseDiscoveryRates } from '../../../../statistics/false-discovery.ts';
import type { DimensionName } from '../dimensions.ts';
import { type Both, type Compared, itemsOf } from './all-bridges.ts';
import type { Bridge } from './bridge.ts';
import type { Cut } from './explained-metrics.ts';
import { priceEffect, type SoldItem } from './price-volume-mix.ts';
import {
  type Change,
  chanceOfFactor,
  chanceOfShare,
  expectedOf,
  spreadOf,
  type Weeks,
} from './stands-out.ts';

/** This part of what is called a finding may be chance. */
export const FALSE_RATE = 0.05;

/** A value of fewer orders in both ranges together is chance. */
const LEAST_COUNT = 10;

/** A part that moved the metric by less than this share is no finding. */
const LEAST_PART = 0.01;

/** A value that moved otherwise than the rest. */
export interface Candidate {
  readonly dimension: DimensionName;
  readonly key: string;
  readonly cut: Cut;
  readonly change: Change;
  /** All values of the dimension together. */
  readonly whole: Change;
  readonly expected: number;
  /** What it did to the difference by itself: its change, as far as the rest does not explain it. */
  readonly byItself: number;
  /** What one order of it is worth. */
  readonly unit: number;
  readonly item: SoldItem | null;
  /** The effect of its price on the difference; null when it has no price. */
  readonly priced: number | null;
  readonly isOfShare: boolean;
  readonly isOfPrice: boolean;
}

export interface Candidates {
  readonly candidates: readonly Candidate[];
  /** How many values and prices were looked at: most are not worth a test, and count as tested. */
  readonly tests: number;
}

/** Finds the values and prices that are worth a test. */
export function* candidatesOf(compared: Compared, size: number): Pieces<Candidates> {
  const { metric } = compared;
  const least = LEAST_PART * size;
  const candidates: Candidate[] = [];
  let tests = 0;
  for (const cut of metric.cuts)
    for (const dimension of cut.dimensions) {
      const rows = compared.rows(dimension);
      const whole = wholeOf(compared, cut);
      const items = yield* itemsByKey(compared, dimension);
      for (const [index, key] of compared.keys(dimension).entries()) {
        if (index % ROWS_OF_PIECE === 0) yield;
        const [before, after] = [rows[0].get(key), rows[1].get(key)];
        const change = { from: before?.[cut.metric] ?? 0, to: after?.[cut.metric] ?? 0 };
        const count = (before?.[cut.count] ?? 0) + (after?.[cut.count] ?? 0);
        if (count < LEAST_COUNT) continue;
        const item = items.get(key) ?? null;
        const priced = item !== null && dimension === 'product' ? priceEffect(item) : null;
        const expected = expectedOf(change, whole);
        const isTested = expected !== null && change.from >= 0 && change.to >= 0;
        tests += (isTested ? 1 : 0) + (priced === null ? 0 : 1);
        const byItself = isTested ? ownPart(change, expected) : 0;
        const isOfShare = Math.abs(byItself) >= least;
        const isOfPrice = priced !== null && Math.abs(priced) >= least;
        if (!isOfShare && !isOfPrice) continue;
        const unit = (change.from + change.to) / count;
        candidates.push({
          dimension,
          key,
          cut,
          change,
          whole,
          expected: expected ?? 0,
          byItself,
          unit,
          item,
          priced,
          isOfShare,
          isOfPrice,
        });
      }
    }
  return { candidates, tests };
}

function wholeOf({ totals: [before, after] }: Compared, { metric }: Cut): Change {
  return { from: before[metric] ?? 0, to: after[metric] ?? 0 };
}

const ROWS_OF_PIECE = 500;

function* itemsByKey(compared: Compared, dimension: DimensionName): Pieces<ReadonlyMap<string, SoldItem>> {
  const { metric } = compared;
  const isItem = ['product', 'brand', 'category'].includes(dimension);
  if (metric.items === null || !isItem) return new Map();
  const items = yield* itemsOf(compared, dimension, metric.items.metric);
  return new Map(items.map((item) => [item.key, item]));
}

/**
 * A large value that stayed is not what a small one did: what is beyond the rest counts as far as it is a
 * change.
 */
function ownPart({ from, to }: Change, expected: number): number {
  const [change, beyond] = [to - from, to - expected];
  if (change * beyond <= 0) return 0;
  return Math.sign(change) * Math.min(Math.abs(change), Math.abs(beyond));
}

/** What is known of the past: weeks of a value beside all, of a price, and of the factors of the bridges. */
export interface Past {
  /** How many weeks each range has. */
  readonly lengths: Both<number>;
  shares(candidate: Candidate): readonly Weeks[];
  prices(candidate: Candidate): readonly number[];
  /** A number for each week; null where it is not known. */
  factors(
    bridge: Bridge,
    place: number,
  ): { readonly weeks: readonly number[]; readonly count: number } | null;
}

export interface Finding {
  readonly kind: 'value' | 'price' | 'factor';
  readonly candidate: Candidate | null;
  readonly name: string;
  readonly from: number;
  readonly to: number;
  readonly expected: number | null;
  /** The part of the difference that the finding explains. */
  readonly change: number;
  /** The part of findings that may be chance, if this is one. */
  readonly rate: number;
}

/**
 * Tests all, and keeps those that are findings. @param chain the bridge whose factors are tested; null: none
 */
export function* findingsOf(
  { candidates, tests }: Candidates,
  chain: Bridge | null,
  past: Past,
  size: number,
): Pieces<readonly Finding[]> {
  const tested: Tested[] = [];
  for (const candidate of candidates) {
    tested.push(...chancesOf(candidate, past));
    yield;
  }
  if (chain !== null) tested.push(...factorChances(chain, past, size));
  const factors = chain?.parts.length ?? 0;
  const rates = falseDiscoveryRates(
    tested.map(({ chance }) => chance),
    Math.max(tested.length, tests + factors),
  );
  const found = tested
    .map(({ finding }, index) => ({ ...finding, rate: rates[index] as number }))
    .filter(({ rate }) => rate <= FALSE_RATE);
  return oneOfEach(found);
}

interface Tested {
  readonly finding: Omit<Finding, 'rate'>;
  readonly chance: number;
}

function chancesOf(candidate: Candidate, past: Past): Tested[] {
  const chances: Tested[] = [];
  const common = { candidate, name: candidate.key, expected: candidate.expected, ...candidate.change };
  if (candidate.isOfShare) {
    const spread = spreadOf(past.shares(candidate), candidate.unit, mean(past.lengths));
    chances.push({
      finding: { kind: 'value', ...common, change: candidate.byItself },
      chance: chanceOfShare(candidate.change, candidate.whole, candidate.unit, spread),
    });
  }
  if (candidate.isOfPrice && candidate.item !== null) {
    const { from, to } = candidate.item;
    const prices = { from: from.money / from.pieces, to: to.money / to.pieces };
    chances.push({
      finding: { kind: 'price', ...common, change: candidate.priced ?? 0 },
      chance: chanceOfFactor(prices, past.prices(candidate), LEAST_VARIATION, past.lengths) ?? 1,
    });
  }
  return chances;
}

/** A price that never moved is believed to move by this from week to week. */
const LEAST_VARIATION = 0.01;

function mean([one, other]: Both<number>): number {
  return (one + other) / 2;
}

function factorChances(chain: Bridge, past: Past, size: number): Tested[] {
  return chain.parts.flatMap((part, place) => {
    const { from, to } = part;
    const known = past.factors(chain, place);
    if (known === null || from === null || to === null || Math.abs(part.change) < LEAST_PART * size)
      return [];
    const { weeks, count } = known;
    // If nothing was left, there was less than one.
    const least = Math.max(from, to) / (2 * Math.max(1, count * mean(past.lengths)));
    const chance = chanceOfFactor(
      { from: Math.max(from, least), to: Math.max(to, least) },
      weeks,
      1 / Math.sqrt(Math.max(1, count)),
      past.lengths,
    );
    const finding: Omit<Finding, 'rate'> = {
      kind: 'factor',
      candidate: null,
      name: part.name,
      from,
      to,
      expected: null,
      change: part.change,
    };
    return chance === null ? [] : [{ finding, chance }];
  });
}

/**
 * The finding that explains more where both the price and the sales of one product are found: the price is in
 * both.
 */
function oneOfEach(found: readonly Finding[]): Finding[] {
  return found.filter((one) => {
    const other = found.find(
      ({ candidate, kind }) => candidate !== null && candidate === one.candidate && kind !== one.kind,
    );
    if (other === undefined) return true;
    const [price, value] = one.kind === 'price' ? [one, other] : [other, one];
    const isPrice = Math.abs(price.change) >= Math.abs(value.change) / 2;
    return (one.kind === 'price') === isPrice;
  });
}

/** What two values have in common, in both ranges, in the size of the first one's dimension. */
export type Common = (one: Candidate, other: Candidate) => Change | null;

/** If less than this part of a value's effect is left without another value, the other value explains it. */
const EXPLAINED_PART = 0.5;

/**
 * Values that are contained in others stand once: a product and its only brand, a channel and its only
 * source. A value is explained by another one when without it nothing of it stands out. Of two that explain
 * each other, the smaller one says more.
 */
export function withoutContained(findings: readonly Finding[], common: Common): Finding[] {
  const sorted = findings.toSorted((one, other) => one.rate - other.rate);
  const dropped = new Set<Finding>();
  for (const one of sorted) {
    if (one.candidate === null || dropped.has(one)) continue;
    for (const other of sorted) {
      // A price is set for its product, whatever others do.
      if (other === one || other.kind !== 'value' || other.candidate === null || dropped.has(other)) continue;
      if (!explains(one.candidate, other.candidate, common)) continue;
      if (explains(other.candidate, one.candidate, common) && !saysMore(one, other)) continue;
      dropped.add(other);
    }
  }
  return findings.filter((one) => !dropped.has(one));
}

/**
 * Whether one of two values can explain the other: they moved the same way, and one at least half as far as
 * the other.
 */
export function mayContain(one: Candidate, other: Candidate): boolean {
  const [small, large] = [effectOf(one), effectOf(other)].toSorted((a, b) => Math.abs(a) - Math.abs(b)) as [
    number,
    number,
  ];
  return small * large > 0 && Math.abs(small) >= (EXPLAINED_PART / 2) * Math.abs(large);
}

/** The effect of a candidate. For a product it includes the price. */
function effectOf({ byItself, priced, isOfPrice }: Candidate): number {
  return isOfPrice && priced !== null && Math.abs(priced) > Math.abs(byItself) ? priced : byItself;
}

function explains(one: Candidate, other: Candidate, common: Common): boolean {
  const left = without(other, one, common);
  if (left === null) return false;
  const expected = expectedOf(left.change, left.whole);
  const own = expected === null ? 0 : ownPart(left.change, expected);
  return own * other.byItself <= 0 || Math.abs(own) < EXPLAINED_PART * Math.abs(other.byItself);
}

function without(one: Candidate, other: Candidate, common: Common) {
  const inOne = scaled(other, one);
  const whole = { from: one.whole.from - inOne.from, to: one.whole.to - inOne.to };
  if (one.dimension === other.dimension && !SEVERAL.includes(one.dimension))
    return { change: one.change, whole };
  const both = common(one, other);
  if (both === null) return null;
  return { change: { from: one.change.from - both.from, to: one.change.to - both.to }, whole };
}

const SEVERAL: readonly DimensionName[] = ['category', 'coupon'];

/** Numbers of one fact are near those of another, and not the same: revenue has shipping in it. */
function scaled(other: Candidate, one: Candidate): Change {
  const by = (side: 'from' | 'to') =>
    other.whole[side] === 0 ? 0 : (other.change[side] * one.whole[side]) / other.whole[side];
  return { from: by('from'), to: by('to') };
}

/** The narrower of two, else that of the dimension that stands first. */
function saysMore(one: Finding, other: Finding): boolean {
  const size = ({ candidate }: Finding) =>
    candidate === null
      ? 0
      : Math.max(candidate.change.from, candidate.change.to) /
        Math.max(candidate.whole.from, candidate.whole.to, 1e-9);
  const [small, large] = [size(one), size(other)];
  if (Math.abs(small - large) > 0.02 * Math.max(small, large)) return small < large;
  return rank(one) < rank(other);
}

const RANKS: readonly DimensionName[] = [
  ...(['product', 'channel', 'country', 'device', 'brand', 'category', 'source_medium', 'campaign'] as const),
];

function rank({ candidate }: Finding): number {
  const place = candidate === null ? -1 : RANKS.indexOf(candidate.dimension);
  return place < 0 ? RANKS.length : place;
}

/**
 * The findings in the order of money. A factor comes after a value that made at least half of it, since the
 * value says more.
 */
export function inOrder(findings: readonly Finding[]): Finding[] {
  const values = findings.filter(({ kind }) => kind !== 'factor');
  const weight = (one: Finding): number => {
    if (one.kind !== 'factor') return Math.abs(one.change);
    const causes = values.filter(
      ({ change }) => change * one.change > 0 && Math.abs(change) >= Math.abs(one.change) / 2,
    );
    return Math.min(Math.abs(one.change), ...causes.map(({ change }) => Math.abs(change)));
  };
  const isFactor = ({ kind }: Finding) => Number(kind === 'factor');
  return findings.toSorted(
    (one, other) =>
      weight(other) - weight(one) || isFactor(one) - isFactor(other) || (one.name < other.name ? -1 : 1),
  );
}
