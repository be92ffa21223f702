import type { Unit } from '../../../../answers/fields/units.ts';
import { roundedPercent } from '../../../../statistics/rounded.ts';
import { quoted } from '../../../../text/business-text.ts';
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
  [compared, range]: readonly [string, string],
  wording: Omit<Wording, 'nameOf'>,
): string {
  const { noun, unit } = wording;
  if (from === to) return `No change from ${compared} to ${range}: ${amountText(to, wording)} in both.`;
  return `${capital(noun)} ${to > from ? 'rose' : 'fell'} from ${numberText(from, unit)} (${compared}) to ${amountText(to, wording)} (${range}): ${signed(to - from, wording)}${percentText(from, to)}.`;
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
