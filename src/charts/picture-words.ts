import type { MessageArguments } from '../messages/catalogue.ts';
import type { Language } from '../messages/languages.ts';
import { PICTURES } from '../messages/pictures.ts';

type PictureKey = keyof typeof PICTURES;

/** The words that a picture has of its own, in the language of its reader. The messages of a page are such words. */
export interface PictureWords {
  readonly language: Language;
  /** How days and months are written. */
  readonly locale: string;
  readonly say: <Key extends PictureKey>(key: Key, ...args: MessageArguments<Key, string | number>) => string;
}

/** The same in English, as the page in a conversation and the command line say them: their arguments are plain. */
export const ENGLISH_WORDS: Omit<PictureWords, 'locale'> = {
  language: 'en',
  say: (key, ...[args]) =>
    PICTURES[key].en.replace(/\{(\w+)\}/g, (_, name: string) =>
      String((args as Readonly<Record<string, string | number>>)[name]),
    ),
};
