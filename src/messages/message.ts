import type { Language } from './languages.ts';

/**
 * The same text in every language, in the syntax of ICU: `{count, plural, one {# order} other {# orders}}`.
 */
export type Message = Readonly<Record<Language, string>>;
