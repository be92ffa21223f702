import { html } from 'hono/html';
import { hasInk, visibleLine } from '../../text/visible-line.ts';
import type { Html } from './views.ts';

const LONGEST_NAME = 100;
const LONGEST_LINE = 600;
const LONGEST_HOST = 253;

/**
 * The name of an app or a business, which may hold anything, as one short line that cannot reorder or imitate
 * the text around it: no control characters, line breaks, invisible characters or changes of the writing
 * direction.
 */
export function untrustedName(name: string | null, without: string): Html {
  const line = plainLine(name ?? '', LONGEST_NAME);
  return html`<bdi>${hasInk(line) ? line : without}</bdi>`;
}

/**
 * A host for the reader to judge by. TRICKY: if it is too long, its beginning is cut, since the end of a host
 * says whose it is: `claude.ai.example.com` belongs to example.com.
 */
export function untrustedHost(host: string): Html {
  const line = visibleLine(host, Number.POSITIVE_INFINITY);
  return html`<bdi class="host">${line.length > LONGEST_HOST ? `…${line.slice(-LONGEST_HOST)}` : line}</bdi>`;
}

/** The same without markup, for a sentence of our own that may quote a name. */
export function plainLine(text: string, longest = LONGEST_LINE): string {
  return visibleLine(text, longest);
}

/** A text of several lines, such as a refusal with examples, as lines that cannot imitate the page. */
export function plainLines(text: string): Html {
  const lines = text.split('\n').slice(0, 30);
  return html`${lines.map((line, index) => html`${index > 0 && html`<br>`}${plainLine(line, 2000)}`)}`;
}
