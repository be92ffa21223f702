import { globSync, readFileSync } from 'node:fs';
import { IntlMessageFormat } from 'intl-messageformat';
import { expect, it } from 'vitest';
import { ENGLISH_WORDS } from '../../src/charts/picture-words.ts';
import { CATALOGUE } from '../../src/messages/catalogue.ts';
import { LANGUAGES } from '../../src/messages/languages.ts';
import type { Message } from '../../src/messages/message.ts';
import { messagesIn } from '../../src/messages/messages.ts';
import { PICTURES } from '../../src/messages/pictures.ts';

type Element = ReturnType<IntlMessageFormat['getAst']>[number];

/** The parser's kinds of an argument: simple, `select` and `plural`. */
const [SIMPLE, SELECT, PLURAL] = [1, 5, 6];

/** `from`, `count (plural)`, as the parser reads a message. */
function argumentsOf(elements: readonly Element[]): string[] {
  return elements.flatMap((element) => {
    const { type } = element as { readonly type: number };
    if (type === SIMPLE) return [(element as { value: string }).value];
    if (type !== SELECT && type !== PLURAL) return [];
    const { value, options } = element as { value: string; options: Record<string, { value: Element[] }> };
    const within = Object.values(options).flatMap((option) => argumentsOf(option.value));
    return [`${value} (${type === PLURAL ? 'plural' : 'select'})`, ...within];
  });
}

const read = (text: string, language: string) =>
  new IntlMessageFormat(text, language, undefined, { ignoreTag: true }).getAst();
const namesIn = (text: string, language: string) => [...new Set(argumentsOf(read(text, language)))].sort();

it('has every message in every language, with the same arguments', () => {
  for (const [key, texts] of Object.entries<Message>(CATALOGUE)) {
    expect(Object.keys(texts), key).toEqual([...LANGUAGES]);
    const wanted = namesIn(texts.en, 'en');
    for (const language of LANGUAGES) {
      const text = texts[language];
      expect(text.trim() === text && text !== '', `${key}, ${language}`).toBe(true);
      expect(namesIn(text, language), `${key}, ${language}`).toEqual(wanted);
      // A straight apostrophe before a brace would make the argument a text.
      expect(text, `${key}, ${language}`).not.toMatch(/'[{}]|''/);
    }
    // What the types take for the names of arguments: a text within a plural has a blank or a #.
    const simple = [...texts.en.matchAll(/\{([^{},]*)[,}]/g)].map(([, name = '']) => name);
    const plain = simple.filter((name) => !/[ #]/.test(name));
    expect([...new Set(plain)].sort(), key).toEqual(wanted.map((name) => name.split(' ')[0]));
  }
});

it('has the words for each kind of number that a language knows', () => {
  for (const [key, texts] of Object.entries(CATALOGUE))
    for (const language of LANGUAGES) {
      const kinds = new Intl.PluralRules(language).resolvedOptions().pluralCategories.toSorted();
      const plurals = read(texts[language], language).filter(({ type }) => Number(type) === PLURAL);
      for (const plural of plurals)
        expect(Object.keys((plural as { options: object }).options).sort(), `${key}, ${language}`).toEqual(
          kinds,
        );
    }
});

it('has no message that nothing says', () => {
  const sources = globSync('src/**/*.ts', { exclude: ['src/messages/**', 'src/charts/view-script.ts'] })
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
  const unused = Object.keys(CATALOGUE).filter((key) => !sources.includes(`'${key}'`));
  expect(unused).toEqual([]);
});

it('days are written as in the region of the reader', () => {
  const [british, american] = [messagesIn('en-GB'), messagesIn('en-US')];
  expect(british.day('2026-07-01')).toBe('1 July 2026');
  expect(american.day('2026-07-01')).toBe('July 1, 2026');
  expect(british.days('2026-07-01', '2026-07-01')).toBe('1 July 2026');
  expect(british.days('2026-06-28', '2026-07-01')).toBe('28 June – 1 July 2026');
});

it('a list ends with the word of its language', () => {
  expect(messagesIn('de-AT').and(['Land', 'Kanal'])).toBe('Land und Kanal');
});

it('a count takes the form that its language has for it', () => {
  const { say } = messagesIn('cs-CZ');
  const after = (seconds: number) => say('overview.too-many-requests', { seconds }).split(' za ')[1];
  expect(after(1)).toBe('1 sekundu');
  expect(after(3)).toBe('3 sekundy');
  expect(after(5)).toBe('5 sekund');
});

it('numbers and sizes are written as in the region of the reader', () => {
  const [british, german] = [messagesIn('en-GB'), messagesIn('de-DE')];
  expect(british.number(1234.5)).toBe('1,234.5');
  expect(german.number(1234.5)).toBe('1.234,5');
  expect(british.bytes(0)).toBe('0 bytes');
  expect(british.bytes(12)).toBe('12 bytes');
  expect(british.bytes(1_234_567)).toBe('1.23 MB');
  expect(german.bytes(2e9)).toBe('2\u00a0GB');
});

it('a currency has its name in the language of the reader', () => {
  expect(messagesIn('cs-CZ').currency('CZK')).toBe('česká koruna');
});

it('a message can be written around a piece that is no text', () => {
  const piece = { bold: 7 };
  expect(messagesIn('en-GB').around('value.before', { value: piece })).toEqual(['before: ', piece]);
});

it('what pictures say is said alike without a library', () => {
  for (const [key, texts] of Object.entries<Message>(PICTURES)) {
    const names = namesIn(texts.en, 'en');
    const values = Object.fromEntries(names.map((name, index) => [name, `<${index}>`]));
    const [say, english] = [messagesIn('en-GB').say, ENGLISH_WORDS.say] as ((
      key: string,
      values: object,
    ) => string)[];
    expect(english?.(key, values)).toBe(say?.(key, values));
  }
});
