/** The languages in which every text of a page is written. */
export const LANGUAGES = ['en', 'de', 'cs', 'fr'] as const;
export type Language = (typeof LANGUAGES)[number];

/**
 * The locales for numbers and dates by language; the first is used if no region is asked for. A browser only
 * ever gets one of these, so few formats are kept.
 */
const LOCALES = {
  en: ['en-GB', 'en-US', 'en-AU', 'en-CA', 'en-IE', 'en-IN', 'en-NZ', 'en-ZA'],
  de: ['de-DE', 'de-AT', 'de-CH'],
  cs: ['cs-CZ'],
  fr: ['fr-FR', 'fr-BE', 'fr-CA', 'fr-CH'],
} as const satisfies Record<Language, readonly string[]>;

/** A language as written in a region, such as `de-AT`. */
export type PageLocale = (typeof LOCALES)[Language][number];

/** The locale of a language if no region is known. */
export function localeOf(language: Language): PageLocale {
  return LOCALES[language][0];
}

/** Browsers send some fifty characters; more than this is not read. */
const LONGEST_HEADER = 1000;
const MOST_ASKED = 20;

/**
 * The language of a page for a browser, by the quality values of its `Accept-Language`; English if it asks
 * for nothing that we have.
 *
 * @example askedLocale('sk, de-AT;q=0.9, en;q=0.8'); // 'de-AT'
 */
export function askedLocale(header: string | undefined): PageLocale {
  const asked = (header ?? '').slice(0, LONGEST_HEADER).split(',', MOST_ASKED).map(readAsked);
  const [best] = asked.filter(({ quality }) => quality > 0).sort((a, b) => b.quality - a.quality);
  return best?.locale ?? 'en-GB';
}

/** A language that we do not have, or that cannot be read, gets the quality 0. */
function readAsked(part: string): { readonly locale: PageLocale; readonly quality: number } {
  const [range = '', ...settings] = part.split(';').map((each) => each.trim().toLowerCase());
  const [language, ...subtags] = range.split('-');
  const known = LANGUAGES.find((one) => one === language);
  if (known === undefined) return { locale: 'en-GB', quality: 0 };
  const region = subtags.find((subtag) => subtag.length === 2)?.toUpperCase();
  const locales: readonly PageLocale[] = LOCALES[known];
  const quality = settings.find((setting) => setting.startsWith('q='))?.slice(2) ?? '1';
  return {
    locale: locales.find((locale) => locale === `${known}-${region}`) ?? localeOf(known),
    quality: /^(0(\.\d{1,3})?|1(\.0{1,3})?)$/.test(quality) ? Number(quality) : 0,
  };
}
