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
      `The cost is known of ${shownShare(lowest)} and of ${shownShare(highest)}: ${profit} is of what is known alone, so a difference between them is partly one of what is known. Compare margins; ${share} has the share of each.`,
      'note.unlike-costs',
      {
        low: { percent: Math.round(10 * lowest.share) / 10 },
        lowOf: rangeInWords(lowest),
        high: { percent: Math.round(10 * highest.share) / 10 },
        highOf: rangeInWords(highest),
      },
    ),
  ];
}

/** Profit of less than this percentage of the revenue is said to be of a part. */
const NEARLY_ALL = 90;

/**
 * Says of which part of the revenue the profit is, where that is not nearly all: with the share of each
 * range, or with the lowest and the highest one where rows are periods.
 */
export function knownPartNotes(rows: readonly KnownShare[], profit: string): string[] {
  const [lowest, highest] = [0, -1].map((place) =>
    rows.toSorted((one, other) => one.share - other.share).at(place),
  );
  if (lowest === undefined || highest === undefined || lowest.share >= NEARLY_ALL) return [];
  const percentOf = ({ share }: KnownShare) => ({ percent: Math.round(10 * share) / 10 });
  const text = `${profit} is of the products whose cost is known`;
  if (lowest.share.toFixed(1) === highest.share.toFixed(1))
    return [
      worded(`${text}: ${lowest.share.toFixed(1)} % of the product revenue.`, 'note.profit-of-part', {
        percent: percentOf(lowest),
      }),
    ];
  return [
    worded(`${text}: ${shownShare(lowest)}, ${shownShare(highest)}.`, 'note.profit-of-parts', {
      low: percentOf(lowest),
      lowOf: rangeInWords(lowest),
      high: percentOf(highest),
      highOf: rangeInWords(highest),
    }),
  ];
}

function rangeInWords({ name }: KnownShare): SentenceValue {
  if (name === 'the range') return { say: 'note.these-days' };
  return name === 'the compared range' ? { say: 'note.days-before' } : name;
}

function shownShare({ name, share }: KnownShare): string {
  return `${share.toFixed(1)} % of the product revenue of ${name}`;
}
