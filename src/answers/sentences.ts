import type { MessageArguments, MessageKey, PlainKey } from '../messages/catalogue.ts';

/** A message without values, such as the name of a number. */
export type { PlainKey };

/**
 * What sentences of answers say, for pages in other languages. An answer has its sentences in English, word
 * by word; beside them stands which message of the catalogue says the same, and with which values. See
 * docs/decisions/0259-sentences-in-every-language.md.
 */
export interface Sentence {
  readonly key: MessageKey;
  readonly values: Readonly<Record<string, SentenceValue>>;
}

/**
 * A value as it is, before a language writes it. A number alone is a count that the message has a plural for.
 */
export type SentenceValue =
  | string
  | number
  | { readonly number: number }
  /** An amount in the currency of the store. */
  | { readonly money: number; readonly isSigned?: boolean }
  /** A share: 12.5 is written as 12.5 %. */
  | { readonly percent: number; readonly isSigned?: boolean }
  | { readonly change: number }
  /** Local days, `YYYY-MM-DD`. */
  | { readonly day: string }
  | { readonly days: readonly [first: string, last: string] }
  /** 0 is Monday. */
  | { readonly weekday: number }
  /** ISO 8601 in UTC. */
  | { readonly moment: string }
  | { readonly country: string }
  /** A name of the store's own data. */
  | { readonly name: string }
  | { readonly say: PlainKey }
  | { readonly sentence: Sentence }
  /** One after the other. @example { each: [{ day: '2026-05-12' }, { day: '2026-05-13' }], more: 3 } */
  | { readonly each: readonly SentenceValue[]; readonly more?: number };

/** Sentences by their English text, as they stand beside an answer. */
export type Sentences = readonly (readonly [text: string, sentence: Sentence])[];

/**
 * The last sentences that were made, by their text, until their answer takes them along: the same text always
 * says the same. An answer has some dozens of them, so that these are the ones of hundreds of answers.
 */
const made = new Map<string, Sentence>();
const MOST_MADE = 20_000;

/**
 * Returns the English text as it is, and remembers which message says the same in other languages.
 *
 * @example worded(`Days after ${day} are not judged.`, 'note.watch-end', { day: { day } })
 */
export function worded<Key extends MessageKey>(
  text: string,
  key: Key,
  ...[values]: MessageArguments<Key, SentenceValue>
): string {
  made.delete(text);
  made.set(text, { key, values: values ?? {} });
  const [oldest] = made.size > MOST_MADE ? made.keys() : [];
  if (oldest !== undefined) made.delete(oldest);
  return text;
}

/** What a text says; undefined of a text that no message says. */
export function sentenceOf(text: string): Sentence | undefined {
  return made.get(text);
}

/** Picks the texts that pages can write in other languages; the others are left out. */
export function sentencesOf(texts: readonly string[]): Sentences {
  return texts.flatMap((text) => {
    const sentence = made.get(text);
    return sentence === undefined ? [] : [[text, sentence] as const];
  });
}

/**
 * A text about the compared range that has a note within it.
 *
 * @example wordedAround(`In the compared range: ${note}`, note)
 */
export function wordedAround(text: string, note: string): string {
  const sentence = sentenceOf(note);
  return sentence === undefined ? text : worded(text, 'note.compared', { note: { sentence } });
}
