import type { Unit } from '../../../../answers/fields/units.ts';
import type { PlainKey } from '../../../../answers/sentences.ts';
import { type SentenceValue, worded } from '../../../../answers/sentences.ts';
import { roundedPercent } from '../../../../statistics/rounded.ts';
import { quoted } from '../../../../text/business-text.ts';
import { DIMENSIONS } from '../dimension-words.ts';
import type { Finding } from './change-findings.ts';

/** How amounts of the metric are written in a sentence. */
export interface Wording {
  readonly noun: string;
  readonly unit: Unit;
  readonly currency: string | null;
  /** The name of a found value, as the answer has it. */
  nameOf(finding: Finding): string;
}

/** 1234567.891: `1,234,567.89`; counts without decimals. */
function numberText(value: number, unit: Unit): string {
  const digits = unit === 'money' ? 2 : Number.isInteger(value) ? 0 : 1;
  return value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

function amountText(value: number, { unit, currency, noun }: Omit<Wording, 'nameOf'>): string {
  const number = numberText(value, unit);
  if (unit === 'money') return currency === null ? number : `${number} ${currency}`;
  return `${number} ${noun}`;
}

export function signed(value: number, wording: Omit<Wording, 'nameOf'>): string {
  return `${value < 0 ? '-' : '+'}${amountText(Math.abs(value), wording)}`;
}

/** The whole difference. */
export function wholeSentence(
  [from, to]: readonly [number, number],
  [before, now]: readonly [Days, Days],
  wording: Omit<Wording, 'nameOf'>,
): string {
  const { noun, unit } = wording;
  const [compared, range] = [before.join(' to '), now.join(' to ')];
  const name = METRICS[noun];
  const text =
    from === to
      ? `No change from ${compared} to ${range}: ${amountText(to, wording)} in both.`
      : `${capital(noun)} ${to > from ? 'rose' : 'fell'} from ${numberText(from, unit)} (${compared}) to ${amountText(to, wording)} (${range}): ${signed(to - from, wording)}${percentText(from, to)}.`;
  if (name === undefined) return text;
  const values = {
    name: { say: name },
    now: amountInWords(to, unit),
    days: { days: now },
    daysBefore: { days: before },
  } as const;
  return from === to
    ? worded(text, 'found.stayed', values)
    : worded(text, 'found.moved', {
        ...values,
        before: amountInWords(from, unit),
        change: withPercent(changeInWords(to - from, unit), from, to),
      });
}

type Days = readonly [first: string, last: string];

/** What pages call the metrics. */
const METRICS: Readonly<Record<string, PlainKey>> = {
  revenue: 'number.revenue',
  orders: 'number.orders',
  visits: 'number.visits',
};

function amountInWords(value: number, unit: Unit): SentenceValue {
  return unit === 'money' ? { money: value } : { number: Number(value.toFixed(1)) };
}

export function changeInWords(value: number, unit: Unit): SentenceValue {
  return unit === 'money' ? { money: value, isSigned: true } : { change: Number(value.toFixed(1)) };
}

function withPercent(change: SentenceValue, from: number, to: number): SentenceValue {
  const percent = roundedPercent(to - from, Math.abs(from));
  if (percent === null) return change;
  const values = { change, percent: { percent: Math.round(10 * percent) / 10, isSigned: true } } as const;
  return { sentence: { key: 'found.with-percent', values } };
}

/** ` (+10.2 %)`; nothing of nothing. */
function percentText(from: number, to: number): string {
  const percent = roundedPercent(to - from, Math.abs(from));
  if (percent === null) return '';
  return ` (${to < from ? '-' : '+'}${(Math.round(Math.abs(percent) * 10) / 10).toFixed(1)} %)`;
}

function capital(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}

/** A sentence that can be quoted alone. */
export function findingSentence(finding: Finding, wording: Wording): string {
  const text = englishSentence(finding, wording);
  const { kind, from, to, expected, change, candidate } = finding;
  const { unit } = wording;
  const own = changeInWords(change, unit);
  if (kind === 'factor') {
    const name = FACTORS[finding.name];
    if (name === undefined) return text;
    const [before, now] = [factorInWords(from), factorInWords(to)];
    return worded(text, 'found.factor', {
      name: { say: name },
      before,
      now,
      own: withPercent(own, from, to),
    });
  }
  const dimension = DIMENSIONS[candidate?.dimension ?? ''];
  if (dimension === undefined || candidate === null) return text;
  const key = candidate.dimension === 'country' ? { country: candidate.key } : valueInWords(finding, wording);
  const name = {
    sentence: { key: 'found.of', values: { dimension: { say: dimension }, name: key } },
  } as const;
  if (kind === 'price' && candidate.item) {
    const [before, now] = [priceOf(candidate.item.from), priceOf(candidate.item.to)];
    return worded(text, 'found.price', {
      name,
      own,
      now: { money: now },
      before: { money: before },
      piecesNow: { number: candidate.item.to.pieces },
      piecesBefore: { number: candidate.item.from.pieces },
    });
  }
  const [before, now] = [amountInWords(from, unit), amountInWords(to, unit)];
  if (from === 0) return worded(text, 'found.new', { name, now, own });
  if (to === 0) return worded(text, 'found.gone', { name, before, own });
  if (expected === null) return worded(text, 'found.factor', { name, before, now, own });
  return worded(text, 'found.value', { name, before, now, own, expected: amountInWords(expected, unit) });
}

function factorInWords(value: number): SentenceValue {
  return { number: Number(value.toPrecision(value < 1 ? 3 : 7)) };
}

function valueInWords(finding: Finding, wording: Wording): SentenceValue {
  const { candidate } = finding;
  if (candidate?.dimension === 'customer_type') {
    const type = CUSTOMERS[candidate.key];
    if (type !== undefined) return { say: type };
  }
  return { name: wording.nameOf(finding) };
}

const CUSTOMERS: Readonly<Record<string, PlainKey>> = {
  new: 'value.new',
  returning: 'value.returning',
  unknown: 'value.no-customer',
};

/** What pages call the factors of bridges. */
const FACTORS: Readonly<Record<string, PlainKey>> = {
  visits: 'number.visits',
  'visits per day': 'part.visits-a-day',
  'orders, also those in no visit, per visit': 'part.orders-a-visit',
  'revenue per order': 'part.revenue-an-order',
  'visits with a cart per visit': 'part.carts',
  'visits with a checkout per visit with a cart': 'part.checkouts',
  'visits with an order per visit with a checkout': 'part.ordering-checkouts',
  'orders, also those in no visit, per visit with an order': 'part.orders-an-ordering-visit',
  visitors: 'part.visitors',
  'visitors per day': 'part.visitors-a-day',
  'visits per visitor': 'part.visits-a-visitor',
  days: 'part.days',
};

function englishSentence(finding: Finding, wording: Wording): string {
  const { kind, from, to, expected, change, candidate } = finding;
  const own = signed(change, wording);
  if (kind === 'factor') {
    return `${capital(finding.name)}: ${factorText(from)} before, ${factorText(to)} now${percentText(from, to)}, which makes ${own} of the ${wording.noun}.`;
  }
  const dimension = (candidate?.dimension ?? '').replaceAll('_', ' ');
  const name = `${capital(dimension)} ${quoted(wording.nameOf(finding))}`;
  if (kind === 'price' && candidate?.item) {
    const [before, now] = [priceOf(candidate.item.from), priceOf(candidate.item.to)];
    return `${name}: ${numberText(before, 'money')} per piece before, ${numberText(now, 'money')} now, which makes ${own}; ${piecesText(candidate.item)}.`;
  }
  const moved =
    from === 0
      ? `${amountText(to, wording)}, and nothing before`
      : to === 0
        ? `nothing, and ${amountText(from, wording)} before`
        : `${numberText(from, wording.unit)} before, ${amountText(to, wording)} now`;
  const rest =
    expected === null || from === 0
      ? ''
      : `; had it moved as all others, it would be ${amountText(expected, wording)}`;
  const pieces = candidate?.item && from !== 0 && to !== 0 ? `; ${piecesText(candidate.item)}` : '';
  return `${name}: ${moved}${rest}${pieces}. By itself it makes ${own}.`;
}

function priceOf({ money, pieces }: { readonly money: number; readonly pieces: number }): number {
  return money / pieces;
}

function piecesText({
  from,
  to,
}: {
  readonly from: { readonly pieces: number };
  readonly to: { readonly pieces: number };
}) {
  return `${numberText(from.pieces, 'pieces')} pieces before, ${numberText(to.pieces, 'pieces')} now`;
}

/** Rates are small, baskets large. */
function factorText(value: number): string {
  return value.toLocaleString('en-US', {
    maximumSignificantDigits: value < 1 ? 3 : 7,
    maximumFractionDigits: 4,
  });
}
