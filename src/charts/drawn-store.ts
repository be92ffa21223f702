import { ENGLISH_WORDS, type PictureWords } from './picture-words.ts';

/** What a picture needs to know of the store and of its reader. */
export interface DrawnStore {
  readonly name: string;
  /** ISO 4217; null: money is summed as loaded. */
  readonly currency: string | null;
  readonly timezone: string;
  /** BCP 47: how the reader writes numbers. */
  readonly locale: string;
  /** In which language words, months and weekdays are; English where nobody says. */
  readonly words?: PictureWords;
  /** The moment up to which the data of the answer are loaded, where the answer itself does not say; null: unknown. */
  readonly data_until: string | null;
  /** The moment of the first loaded order, by which answers that do not say until when they are loaded are read; null: unknown. */
  readonly history_starts_at: string | null;
}

/** The locale where no host tells how its reader writes. */
export const NO_HOST = 'en-GB';

/** How the reader of a host writes numbers. @param told by the host; what is no locale, or of a language that is not known here, counts as nothing */
export function readerLocale(told: string | undefined): string {
  try {
    return (told !== undefined && Intl.NumberFormat.supportedLocalesOf(told)[0]) || NO_HOST;
  } catch {
    return NO_HOST;
  }
}

/** How the days of a picture are written; in English as the reader's region writes them: `en-US` of `es-US`. */
export function dayLocale({ locale, words }: DrawnStore): string {
  return words?.locale ?? `en-${new Intl.Locale(locale).maximize().region ?? 'GB'}`;
}

export function wordsFor({ words }: DrawnStore): Omit<PictureWords, 'locale'> {
  return words ?? ENGLISH_WORDS;
}
