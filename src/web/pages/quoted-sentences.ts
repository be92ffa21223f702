import { html } from 'hono/html';
import { inWords } from '../../charts/field-words.ts';
import type { Messages } from '../../messages/messages.ts';
import { plainLine } from './untrusted-text.ts';
import type { Html } from './views.ts';

/** The attribute `lang` for an element with an English text of a tool; empty on an English page. */
export function quotedLang({ language }: Messages) {
  return language !== 'en' && html` lang="en"`;
}

/** An English text of a program, within a text of the page. */
export function quoted(text: string, { language }: Messages): Html | string {
  return language === 'en' ? text : html`<span lang="en">${text}</span>`;
}

/** More are folded: nobody reads a wall of text. */
const SHOWN = 5;

/**
 * Sentences of tools, the first ones open and the others folded. They may hold names from the store's data.
 */
export function quotedSentences(told: readonly string[], messages: Messages, className?: 'detail'): Html {
  if (told.length === 0) return html``;
  const list = (some: readonly string[]) =>
    html`<ul${className !== undefined && html` class="${className}"`}${quotedLang(messages)}>${some.map((one) => html`<li>${plainLine(fieldsInWords(one), 2000)}</li>`)}</ul>`;
  // One more sentence is as short as the line that would hide it.
  if (told.length <= SHOWN + 1) return list(told);
  return html`${list(told.slice(0, SHOWN))}<details><summary>${messages.say('overview.more-notes', { count: told.length - SHOWN })}</summary>${list(told.slice(SHOWN))}</details>`;
}

/**
 * Puts notes of different kinds first: notes that begin alike say the same about other numbers, so the first
 * of each comes before all others.
 */
export function onesOfAKind(notes: readonly string[]): readonly string[] {
  const kinds = new Set<string>();
  const isFirst = notes.map((note) => {
    const kind = note.slice(0, KIND);
    const isNew = !kinds.has(kind);
    kinds.add(kind);
    return isNew;
  });
  return [...notes.filter((_, index) => isFirst[index]), ...notes.filter((_, index) => !isFirst[index])];
}

const KIND = 24;

/** Shows the names of fields as words; text in quotes is the store's own and stays. */
function fieldsInWords(text: string): string {
  return text
    .split(/("[^"]*")/)
    .map((part) => (part.startsWith('"') ? part : inWords(part)))
    .join('');
}
