import type { MessageArguments } from '../messages/catalogue.ts';
import type { Language } from '../messages/languages.ts';
import { PICTURES } from '../messages/pictures.ts';

type PictureKey = keyof typeof PICTURES;

/** The words of a picture itself, in the reader's language. The messages of a page are such words. */
export interface PictureWords {
  readonly language: Language;
  /** The locale for days and months. */
  readonly locale: string;
  readonly say: <Key extends PictureKey>(key: Key, ...args: MessageArguments<Key, string | number>) => string;
}

/**
 * English words for the page in a conversation and for the command line, which have no library for plurals:
 * the arguments are plain.
 */
export const ENGLISH_WORDS: Omit<PictureWords, 'locale'> = {
  language: 'en',
  say: (key, ...[args]) =>
    PICTURES[key].en.replace(/\{(\w+)\}/g, (_, name: string) =>
      String((args as Readonly<Record<string, string | number>>)[name]),
    ),
};
