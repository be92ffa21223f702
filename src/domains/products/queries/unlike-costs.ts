import { type SentenceValue, worded } from '../../../answers/sentences.ts';

/**
 * Rows, such as two ranges or the periods of a trend, and how much of the revenue of each has a known cost.
 */
export interface KnownShare {
  readonly name: string;
  /** The revenue has VAT in it, before refunds. */
  readonly revenue: number;
  /** The share is in percent of this revenue. */
  readonly share: number;
}

/** Shares that differ by fewer points than this make no difference that leads anybody astray. */
const LEAST_POINTS = 5;
/** A row with less than this part of the largest revenue has a share by chance. */
const LEAST_PART = 0.02;

/**
 * What differs between rows with unlike shares is partly what is known of them, and no profit. It is told
 * with the lowest and the highest share.
 *
 * @param profit the name of the profit in the answer
 * @param share where the share of each row is told
 */
export function unlikeCostNotes(rows: readonly KnownShare[], profit: string, share: string): string[] {
  const most = Math.max(0, ...rows.map(({ revenue }) => revenue));
  const large = rows.filter(({ revenue }) => revenue > 0 && revenue >= LEAST_PART * most);
  const sorted = large.toSorted((one, other) => one.share - other.share);
  const [lowest, highest] = [sorted[0], sorted.at(-1)];
  if (lowest === undefined || highest === undefined || highest.share - lowest.share < LEAST_POINTS) return [];
  return [
    worded(
      `The cost is known of ${shown(lowest)} and of ${shown(highest)}: ${profit} is of what is known alone, so a difference between them is partly one of what is known. Compare margins; ${share} has the share of each.`,
      'note.unlike-costs',
      {
        low: { percent: Math.round(10 * lowest.share) / 10 },
        lowOf: nameOf(lowest),
        high: { percent: Math.round(10 * highest.share) / 10 },
        highOf: nameOf(highest),
      },
    ),
  ];
}

function nameOf({ name }: KnownShare): SentenceValue {
  if (name === 'the range') return { say: 'note.these-days' };
  return name === 'the compared range' ? { say: 'note.days-before' } : name;
}

function shown({ name, share }: KnownShare): string {
  return `${share.toFixed(1)} % of the product revenue of ${name}`;
}
