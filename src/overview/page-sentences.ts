import type { Sentence, Sentences, SentenceValue } from '../answers/sentences.ts';
import { formatMoment } from '../charts/dates.ts';
import type { DrawnStore } from '../charts/drawn-store.ts';
import { noteInWords } from '../charts/notes-in-words.ts';
import { formatNumber } from '../charts/number-format.ts';
import type { MessageKey } from '../messages/catalogue.ts';
import type { Messages } from '../messages/messages.ts';
import { NOTES } from '../messages/notes.ts';

/** A sentence as a page has it. */
export interface PageSentence {
  readonly text: string;
  /** Whether no message says it, so that it is as the tool wrote it, whatever the page's language. */
  readonly isEnglish: boolean;
  /** What it is about: several may be about the same in different numbers. */
  readonly kind: string;
}

/** What a page needs to write sentences of answers. */
export interface SentenceReader {
  readonly sentences: Sentences;
  readonly messages: Messages;
  readonly store: DrawnStore;
  /** What the page calls a name, such as that of a product for its id; else it is as it is. */
  readonly nameOf?: (name: string) => string;
}

/** A sentence of an answer in the page's language. */
export function pageSentence(text: string, reader: SentenceReader): PageSentence {
  const sentence = reader.sentences.find(([known]) => known === text)?.[1];
  if (sentence === undefined) return { text, isEnglish: true, kind: text.slice(0, KIND) };
  return { text: write(sentence, reader), isEnglish: false, kind: kindOf(sentence) };
}

/** Notes that no message says are about the same where they begin alike. */
const KIND = 24;

function kindOf({ key, values: { note } }: Sentence): string {
  return typeof note === 'object' && 'sentence' in note ? note.sentence.key : key;
}

/**
 * The notes of a page: what is told in the same words once, the most important first, and of each kind one
 * before others of its kind. Notes that no message says are the last.
 */
export function pageNotes(notes: readonly string[], reader: SentenceReader): readonly PageSentence[] {
  const { words: _, ...english } = reader.store;
  const written = notes.flatMap((note): PageSentence[] => {
    const found = pageSentence(note, reader);
    const text = found.isEnglish ? noteInWords(note, english) : found.text;
    return text === null ? [] : [{ ...found, text }];
  });
  const once = [...new Map(written.map((one) => [one.text, one])).values()];
  const sorted = once.toSorted((one, other) => rankOf(one) - rankOf(other));
  const firsts = [...new Map(sorted.toReversed().map((one) => [one.kind, one])).values()];
  const isFirst = (one: PageSentence) => firsts.includes(one);
  const own = sorted.filter(({ isEnglish }) => !isEnglish);
  return [
    ...own.filter(isFirst),
    ...own.filter((one) => !isFirst(one)),
    ...sorted.filter(({ isEnglish }) => isEnglish),
  ];
}

const RANKS = new Map(Object.keys(NOTES).map((key, rank) => [key, rank]));

function rankOf({ kind, isEnglish }: PageSentence): number {
  return isEnglish ? RANKS.size : (RANKS.get(kind) ?? RANKS.size);
}

function write({ key, values }: Sentence, reader: SentenceReader): string {
  const say = reader.messages.say as (key: MessageKey, values: object) => string;
  const written = Object.entries(values).map(([name, value]) => [name, writeValue(value, reader)]);
  return say(key, Object.fromEntries(written));
}

/** A number alone stays one, since the message has a plural for it. */
function writeValue(value: SentenceValue, reader: SentenceReader): string | number {
  if (typeof value !== 'object') return value;
  const { messages, store, nameOf } = reader;
  if ('number' in value) return messages.number(value.number);
  if ('change' in value) return signed(value.change, messages.number);
  if ('money' in value) {
    // Cents of a large amount tell nobody anything.
    const rounded = Math.abs(value.money) < 1000 ? value.money : Math.round(value.money);
    const amount = (number: number) => formatNumber(number, 'money', store);
    return value.isSigned === true ? signed(rounded, amount) : amount(rounded);
  }
  if ('percent' in value) {
    const percent = (number: number) => formatPercent(number, messages);
    return value.isSigned === true ? signed(value.percent, percent) : percent(value.percent);
  }
  if ('name' in value) return messages.say('name.quoted', { name: nameOf?.(value.name) ?? value.name });
  if ('country' in value) return messages.country(value.country);
  if ('say' in value) return messages.say(value.say);
  if ('sentence' in value) return write(value.sentence, reader);
  if ('each' in value) return writeEach(value, reader);
  return writeTime(value, reader);
}

function writeTime(
  value: Extract<
    SentenceValue,
    { day: string } | { days: unknown } | { weekday: number } | { moment: string }
  >,
  { messages, store }: SentenceReader,
): string {
  if ('day' in value) return messages.day(value.day);
  if ('days' in value) return messages.days(...value.days);
  if ('moment' in value) return formatMoment(value.moment, store);
  const monday = Date.UTC(2026, 0, 5);
  const format = new Intl.DateTimeFormat(messages.locale, { weekday: 'long', timeZone: 'UTC' });
  return format.format(monday + value.weekday * 86_400_000);
}

function writeEach(
  { each, more = 0 }: Extract<SentenceValue, { each: unknown }>,
  reader: SentenceReader,
): string {
  const written = each.map((one) => String(writeValue(one, reader))).join(', ');
  return more > 0 ? `${written} ${reader.messages.say('note.more', { count: more })}` : written;
}

/** A number with its sign; 0 has none. */
export function signed(number: number, format: (number: number) => string): string {
  const text = format(Math.abs(number));
  return number === 0 ? text : `${number > 0 ? '+' : '−'}${text}`;
}

function formatPercent(percent: number, { locale }: Messages): string {
  const format = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 2 });
  return format.format(percent / 100);
}
