import { decodeEntities } from './html-entities.ts';

export interface PlainText {
  readonly text: string;
  readonly isTruncated: boolean;
}

/**
 * What people read of a text that may be HTML: without tags, comments and what browsers hide, entities as their
 * characters. White space between words is one blank, or one line break where the source or a block of HTML breaks the
 * line. The result is text: `&lt;b&gt;` becomes `<b>` and is no markup then.
 *
 * `<` is markup only before a letter, before `/` with a letter, `!` or `?`, and a tag that never ends is text with all
 * that follows, so that `size < 5` and a description cut off by its exporter lose no words. Otherwise it reads as
 * browsers do. Every character is looked at a few times at most, however the markup is broken.
 *
 * @param most characters of the result, in UTF-16 units; never half a character
 */
export function plainText(markup: string, most: number): PlainText {
  return joinWords(textParts(markup), most);
}

function* textParts(markup: string): Generator<string> {
  for (const piece of markupPieces(markup)) yield typeof piece === 'string' ? piece : gapOf(piece);
}

/** Words of the parts, with one blank or line break between them. */
export function joinWords(parts: Iterable<string>, most = Number.POSITIVE_INFINITY): PlainText {
  let text = '';
  let gap = '';
  for (const part of parts) {
    for (const [run] of part.matchAll(/\s+|\S+/g)) {
      if (/^\s/.test(run)) {
        gap = gap === '\n' || /[\n\r]/.test(run) ? '\n' : ' ';
        continue;
      }
      text += text === '' ? run : gap + run;
      gap = '';
      if (text.length > most) return { text: firstCharacters(text, most), isTruncated: true };
    }
  }
  return { text, isTruncated: false };
}

/** Never half a character, and no blanks at the end. */
export function firstCharacters(text: string, most: number): string {
  return text
    .slice(0, most)
    .replace(/[\ud800-\udbff]$/, '')
    .trimEnd();
}

/** Their contents are for browsers, and no markup. */
const HIDDEN = new Set(['script', 'style', 'iframe', 'title']);

const BLOCK =
  /^(address|article|aside|blockquote|br|caption|center|dd|details|div|dl|dt|fieldset|figcaption|figure|footer|form|h[1-6]|header|hr|legend|li|main|nav|ol|option|p|pre|section|summary|table|tbody|tfoot|thead|tr|ul)$/;

export interface Tag {
  /** In lower case. */
  readonly name: string;
  readonly isClosing: boolean;
  /** As written, up to the `>`. */
  readonly attributes: string;
}

/** The white space that a tag is between words. */
export function gapOf({ name }: Tag): string {
  if (BLOCK.test(name)) return '\n';
  return name === 'td' || name === 'th' ? ' ' : '';
}

/** The tags, and the texts between them without comments and what browsers hide, entities as their characters. */
export function* markupPieces(markup: string): Generator<string | Tag> {
  const start = /<(?:(!--|[!?])|(\/?)([a-z][^\s/>]*))/gi;
  let position = 0;
  for (let found = start.exec(markup); found !== null; found = start.exec(markup)) {
    const [, comment, slash, written = ''] = found;
    const name = written.toLowerCase();
    const end =
      comment === undefined ? tagEnd(markup, start.lastIndex) : commentEnd(markup, found.index, comment);
    if (end === -1) break;
    yield decodeEntities(markup.slice(position, found.index));
    if (comment === undefined) {
      yield { name, isClosing: slash === '/', attributes: markup.slice(start.lastIndex, end - 1) };
    }
    position = slash === '' && HIDDEN.has(name) ? closingTag(markup, name, end) : end;
    start.lastIndex = position;
  }
  yield decodeEntities(markup.slice(position));
}

/** A comment that never ends hides the rest, as in browsers; a declaration is a comment up to the next `>`, or text. */
function commentEnd(markup: string, position: number, opening: string): number {
  if (opening !== '!--') return markup.indexOf('>', position) + 1 || -1;
  const end = markup.indexOf('-->', position + 2);
  return end === -1 ? markup.length : end + 3;
}

/** After the `>` that is not part of a quoted value; -1 when there is none. */
function tagEnd(markup: string, position: number): number {
  const next = /=\s*(["'])|>/g;
  next.lastIndex = position;
  for (let found = next.exec(markup); found !== null; found = next.exec(markup)) {
    const [, quote] = found;
    if (quote === undefined) return next.lastIndex;
    const closing = markup.indexOf(quote, next.lastIndex);
    if (closing === -1) return -1;
    next.lastIndex = closing + 1;
  }
  return -1;
}

/** Where the tag that closes a hidden element begins; without one it hides the rest. */
function closingTag(markup: string, name: string, position: number): number {
  const closing = new RegExp(`</${name}(?=[\\s/>])`, 'gi');
  closing.lastIndex = position;
  return closing.exec(markup)?.index ?? markup.length;
}
