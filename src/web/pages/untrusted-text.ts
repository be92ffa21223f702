import { html } from 'hono/html';
import type { Html } from './views.ts';

const LONGEST_NAME = 100;
const LONGEST_LINE = 600;
const LONGEST_HOST = 253;
/** Something to see: not only joiners, marks or the blank pattern of Braille. */
const INK = /[^\s\p{M}\p{Cf}\u2800]/u;

/**
 * The name of an app or a business, which may hold anything, as one short line that cannot reorder or imitate the
 * text around it: no control characters, line breaks, invisible characters or changes of the writing direction.
 */
export function untrustedName(name: string | null, without: string): Html {
  const line = plainLine(name ?? '', LONGEST_NAME);
  return html`<bdi>${INK.test(line) ? line : without}</bdi>`;
}

/**
 * A host that the reader is to judge by. TRICKY: when it is too long the beginning goes, since the end of a host
 * says whose it is: `claude.ai.example.com` belongs to example.com.
 */
export function untrustedHost(host: string): Html {
  const line = visibleLine(host);
  return html`<bdi class="host">${line.length > LONGEST_HOST ? `…${line.slice(-LONGEST_HOST)}` : line}</bdi>`;
}

/** The same without markup, for a sentence of our own that may quote a name. */
export function plainLine(text: string, longest = LONGEST_LINE): string {
  const characters = [...visibleLine(text)];
  return characters.length > longest
    ? `${characters
        .slice(0, longest - 1)
        .join('')
        .trimEnd()}…`
    : characters.join('');
}

/** A text of several lines, such as a refusal with examples. */
export function plainLines(text: string): Html {
  const lines = text.split('\n').slice(0, 30);
  return html`${lines.map((line, index) => html`${index > 0 && html`<br>`}${plainLine(line, 2000)}`)}`;
}

function visibleLine(text: string): string {
  return (
    text
      .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
      // Joiners and variation selectors stay: Persian, Hindi and emoji are written with them.
      .replace(/(?!\u200c|\u200d|\ufe0e|\ufe0f)[\p{Cf}\p{Co}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu, '')
      // Marks piled on a letter would cover the lines above and below.
      .replace(/(\p{M}{3})\p{M}+/gu, '$1')
      .replace(/ +/g, ' ')
      .trim()
  );
}
