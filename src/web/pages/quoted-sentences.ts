import { html } from 'hono/html';
import { inWords } from '../../charts/field-words.ts';
import type { Messages } from '../../messages/messages.ts';
import { plainLine } from './untrusted-text.ts';
import type { Html } from './views.ts';

/** The attribute `lang` of an element with what tools tell, which is English. */
export function quotedLang({ language }: Messages) {
  return language !== 'en' && html` lang="en"`;
}

/** What programs tell in English, within a text of the page. */
export function quoted(text: string, { language }: Messages): Html | string {
  return language === 'en' ? text : html`<span lang="en">${text}</span>`;
}

/** More are folded: nobody reads a wall of text. */
const SHOWN = 5;

/** What tools tell, the first of it open. Names of the store's data may stand in it. */
export function quotedSentences(told: readonly string[], messages: Messages, className?: 'detail'): Html {
  if (told.length === 0) return html``;
  const list = (some: readonly string[]) =>
    html`<ul${className !== undefined && html` class="${className}"`}${quotedLang(messages)}>${some.map((one) => html`<li>${plainLine(fieldsInWords(one), 2000)}</li>`)}</ul>`;
  // A single one more is as short as the line that would hide it.
  if (told.length <= SHOWN + 1) return list(told);
  return html`${list(told.slice(0, SHOWN))}<details><summary>${messages.say('overview.more-notes', { count: told.length - SHOWN })}</summary>${list(told.slice(SHOWN))}</details>`;
}

/** Notes that begin alike are about the same in different numbers: one of each first, and the others after all of these. */
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

/** Names of fields are words to a reader, and what stands in quotes is the store's own. */
function fieldsInWords(text: string): string {
  return text
    .split(/("[^"]*")/)
    .map((part) => (part.startsWith('"') ? part : inWords(part)))
    .join('');
}
