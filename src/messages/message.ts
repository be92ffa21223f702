import type { Language } from './languages.ts';

/** The same text in every language, as ICU writes messages: `{count, plural, one {# order} other {# orders}}`. */
export type Message = Readonly<Record<Language, string>>;
