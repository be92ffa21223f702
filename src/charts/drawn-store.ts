import { ENGLISH_WORDS, type PictureWords } from './picture-words.ts';

/** What a picture needs to know about the store and its reader. */
export interface DrawnStore {
  readonly name: string;
  /** ISO 4217; null: amounts are summed as they were loaded. */
  readonly currency: string | null;
  readonly timezone: string;
  /** BCP 47: the reader's way of writing numbers. */
  readonly locale: string;
  /** The language of words, months and weekdays; undefined: English. */
  readonly words?: PictureWords;
  /** The moment up to which the data are loaded, for answers that do not say; null: unknown. */
  readonly data_until: string | null;
  /**
   * The moment of the first loaded order, for answers that do not say from when on data are loaded; null:
   * unknown.
   */
  readonly history_starts_at: string | null;
}

/** The locale if no host says how its reader writes. */
export const NO_HOST = 'en-GB';

/**
 * How the reader of a host writes numbers.
 *
 * @param told by the host; a text that is no locale, or has an unknown language, is ignored
 */
export function readerLocale(told: string | undefined): string {
  try {
    return (told !== undefined && Intl.NumberFormat.supportedLocalesOf(told)[0]) || NO_HOST;
  } catch {
    return NO_HOST;
  }
}

/**
 * The locale for days in a picture. English days are written as in the reader's region: `en-US` for `es-US`.
 */
export function dayLocale({ locale, words }: DrawnStore): string {
  return words?.locale ?? `en-${new Intl.Locale(locale).maximize().region ?? 'GB'}`;
}

export function wordsFor({ words }: DrawnStore): Omit<PictureWords, 'locale'> {
  return words ?? ENGLISH_WORDS;
}
