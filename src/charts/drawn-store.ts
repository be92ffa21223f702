/** What a picture needs to know of the store. */
export interface DrawnStore {
  readonly name: string;
  /** ISO 4217; null: money is summed as loaded. */
  readonly currency: string | null;
  readonly timezone: string;
  /** BCP 47: how its country writes numbers and dates. */
  readonly locale: string;
  /** The moment up to which the data of the answer are loaded, where the answer itself does not say; null: unknown. */
  readonly data_until: string | null;
  /** The moment of the first loaded order, by which answers that do not say until when they are loaded are read; null: unknown. */
  readonly history_starts_at: string | null;
}

/** How a country writes: in its most usual language. English without one. */
export function localeOf(country: string | null): string {
  if (country === null) return 'en-GB';
  const { language, region } = new Intl.Locale(`und-${country}`).maximize();
  return `${language}-${region}`;
}
