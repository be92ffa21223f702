import type { Noise } from '../../../statistics/noise.ts';
import { formOf, isOfNobody, isPartOf, type ProfileCount } from './profile-counts.ts';

/**
 * The standard deviation of the noise: 19 of 20 counts are within twice this number of profiles of the truth.
 */
export const TYPICAL_ERROR = 10;

/** A count below this cannot be told from noise. */
export const LEAST_SHOWN = 4 * TYPICAL_ERROR;

/** A difference of two counts below this cannot be told from noise. */
export const LEAST_DIFFERENCE = 5 * TYPICAL_ERROR;

const ROUNDED_TO = 10;

/** The range in which 19 of 20 true values lie, for a value with this much noise. */
export function rangeOf(shown: number, error: number) {
  return { from_value: Math.max(0, shown - 2 * error), to_value: shown + 2 * error };
}

/** A count as it leaves the server. */
export interface BlurredCount {
  readonly label: string;
  /** The number that is shown. Null means that it is hidden. */
  readonly shown: number | null;
  /** Why it is hidden. */
  readonly hidden: { readonly as: 'few' } | { readonly as: 'nearly all'; readonly of: string } | null;
}

/**
 * Counts of groups, from which little can be told of one person: see docs/decisions/0036.
 *
 * What is shown and hidden follows from the counts with noise alone, so hiding tells nothing more; but
 * whatever the noise, nothing is shown that is 1 to 4 profiles, or all but 1 to 4 of what it is part of.
 *
 * @param counts of one answer
 * @param row the true ones, by column
 */
export function blurCounts(
  counts: readonly ProfileCount[],
  row: Readonly<Record<string, number>>,
  noise: Noise,
): ReadonlyMap<string, BlurredCount> {
  const measured = counts.map((count): Measured => {
    const [form, exact] = [formOf(count), row[count.column] ?? Number.NaN];
    return { count, form, exact, noisy: exact + TYPICAL_ERROR * noise(form) };
  });
  const hasProfiles = (row.everybody_count ?? 0) > 0;
  return new Map(
    measured.map((one) => {
      const { column, label } = one.count;
      // This means nobody whatever the data, which tells nothing about anybody.
      if (!hasProfiles || isOfNobody(one.count)) return [column, { label, shown: 0, hidden: null }];
      const hidden = reasonToHide(one, measured);
      const rounded = Math.round(one.noisy / ROUNDED_TO) * ROUNDED_TO;
      return [column, { label, shown: hidden === null ? rounded : null, hidden }];
    }),
  );
}

interface Measured {
  readonly count: ProfileCount;
  readonly form: string;
  readonly exact: number;
  readonly noisy: number;
}

function reasonToHide(part: Measured, all: readonly Measured[]): BlurredCount['hidden'] {
  const wholes = all.filter((one) => one.form !== part.form && isPartOf(part.count, one.count));
  if ([part, ...wholes].some(isOfFew)) return { as: 'few' };
  const whole = wholes.find(
    ({ exact, noisy }) => noisy - part.noisy < LEAST_DIFFERENCE || isOneToFour(exact - part.exact),
  );
  return whole === undefined ? null : { as: 'nearly all', of: whole.count.label };
}

function isOfFew({ exact, noisy }: Measured): boolean {
  return noisy < LEAST_SHOWN || isOneToFour(exact);
}

function isOneToFour(count: number): boolean {
  return count >= 1 && count <= 4;
}

const BLURRED_NOTE =
  `Counts are of groups: rounded to tens, with a noise that is always the same for the same question. 19 of 20 are ` +
  `in their intervals. Neither put them in order where these overlap, nor subtract them from each other: by_consent has what is usually subtracted for.`;

/** Sentences about what the counts of an answer are, and why some are hidden. */
export function blurNotes(counts: Iterable<BlurredCount>): string[] {
  return [BLURRED_NOTE, ...hiddenNotes(counts)];
}

/** Sentences about which counts are hidden, and why. */
export function hiddenNotes(counts: Iterable<BlurredCount>): string[] {
  const all = [...counts];
  const few = all.filter(({ hidden }) => hidden?.as === 'few').map(({ label }) => label);
  const nearlyAll = all.flatMap(({ label, hidden }) =>
    hidden?.as === 'nearly all' ? [`${label} (of ${hidden.of})`] : [],
  );
  return [
    ...(few.length === 0
      ? []
      : [
          `Hidden, since they are fewer than about ${LEAST_SHOWN} profiles, perhaps none: ${few.join(', ')}.`,
        ]),
    ...(nearlyAll.length === 0
      ? []
      : [
          `Hidden, since they are all of something, or less by fewer than about ${LEAST_DIFFERENCE} profiles: ${nearlyAll.join(', ')}.`,
        ]),
  ];
}
