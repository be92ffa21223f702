import { html } from 'hono/html';
import { inWords } from '../../charts/field-words.ts';
import type { Messages } from '../../messages/messages.ts';
import type { PageSentence } from '../../overview/page-sentences.ts';
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

/** A sentence of an answer in a line, marked where it is English on a page that is not. */
export function sentenceHtml({ text, isEnglish }: PageSentence, messages: Messages): Html | string {
  return isEnglish ? quoted(plainLine(fieldsInWords(text), 2000), messages) : plainLine(text, 2000);
}

/** More are folded: nobody reads a wall of text. */
const SHOWN = 5;

/**
 * Sentences of answers, the first of them open. Names of the store's data may stand in them. What is not in
 * the page's language stands folded below a heading that says so, after all others.
 */
export function quotedSentences(
  told: readonly PageSentence[],
  messages: Messages,
  className?: 'detail',
): Html {
  const isForeign = ({ isEnglish }: PageSentence) => isEnglish && messages.language !== 'en';
  const [own, foreign] = [told.filter((one) => !isForeign(one)), told.filter(isForeign)];
  const list = (some: readonly PageSentence[], lang: ReturnType<typeof quotedLang> = false) =>
    html`<ul${className !== undefined && html` class="${className}"`}${lang}>${some.map(({ text, isEnglish }) => html`<li>${plainLine(isEnglish ? fieldsInWords(text) : text, 2000)}</li>`)}</ul>`;
  // One more sentence is as short as the line that would hide it.
  const open = own.length <= SHOWN + 1 ? own : own.slice(0, SHOWN);
  const folded = own.slice(open.length);
  return html`${open.length > 0 && list(open)}${folded.length > 0 && html`<details><summary>${messages.say('overview.more-notes', { count: folded.length })}</summary>${list(folded)}</details>`}${foreign.length > 0 && html`<details><summary>${messages.say('note.in-english')}</summary>${list(foreign, quotedLang(messages))}</details>`}`;
}

/** Shows the names of fields as words; text in quotes is the store's own and stays. */
function fieldsInWords(text: string): string {
  return text
    .split(/("[^"]*")/)
    .map((part) => (part.startsWith('"') ? part : inWords(part)))
    .join('');
}
