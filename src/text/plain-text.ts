import { Tokenizer } from 'htmlparser2';

export interface PlainText {
  readonly text: string;
  readonly isTruncated: boolean;
}

/**
 * What people read of a text that may be HTML: without tags, comments and what browsers hide, entities as
 * their characters. White space between words is one blank, or one line break where the source or a block of
 * HTML breaks the line. The result is text: `&lt;b&gt;` becomes `<b>` and is no markup then.
 *
 * It reads as browsers do, but for one thing: a tag that never ends is text with all that follows, so that a
 * description that its exporter cut off, or one that holds `5 <b and 6`, loses no words.
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

/** The text never ends within a character, and has no blanks at its end. */
export function firstCharacters(text: string, most: number): string {
  return text
    .slice(0, most)
    .replace(/[\ud800-\udbff]$/, '')
    .trimEnd();
}

/** The elements whose contents are for browsers, and no markup. */
const HIDDEN = new Set(['script', 'style', 'iframe', 'title']);

const BLOCK =
  /^(address|article|aside|blockquote|br|caption|center|dd|details|div|dl|dt|fieldset|figcaption|figure|footer|form|h[1-6]|header|hr|legend|li|main|nav|ol|option|p|pre|section|summary|table|tbody|tfoot|thead|tr|ul)$/;

export interface Tag {
  /** The name in lower case. */
  readonly name: string;
  readonly isClosing: boolean;
  /** The attributes by name in lower case. The first one of a name counts. A closing tag has none. */
  readonly attributes: Readonly<Record<string, string>>;
}

/** The white space that a tag is between words. */
export function gapOf({ name }: Pick<Tag, 'name'>): string {
  if (BLOCK.test(name)) return '\n';
  return name === 'td' || name === 'th' ? ' ' : '';
}

/**
 * The tags, and the texts between them without comments and what browsers hide, entities as their characters.
 */
export function markupPieces(markup: string): readonly (string | Tag)[] {
  const pieces: (string | Tag)[] = [];
  let hiding: string | null = null;
  let text = '';
  /** The name of the tag that is being read. */
  let name = '';
  let attributes: Record<string, string> = {};
  let attribute = '';
  let value = '';
  /** The place up to which the markup is read. */
  let end = 0;

  function addText(piece: string) {
    if (hiding === null) text += piece;
  }
  function addTag(isClosing: boolean) {
    if (isClosing && name === hiding) hiding = null;
    if (hiding === null) {
      pieces.push(text, { name, isClosing, attributes });
      text = '';
    }
    if (!isClosing && HIDDEN.has(name)) hiding ??= name;
  }
  function addOpeningTag(last: number) {
    addTag(false);
    end = last + 1;
  }

  const tokenizer = new Tokenizer(
    { xmlMode: false, decodeEntities: true },
    {
      // The text goes on where the last piece ended: the tokenizer gives the text of a last `<script` without
      // its `<`.
      ontext(_, to) {
        addText(markup.slice(end, to));
        end = to;
      },
      ontextentity(code, to) {
        addText(String.fromCodePoint(code));
        end = to;
      },
      onopentagname(from, to) {
        name = markup.slice(from, to).toLowerCase();
        attributes = {};
      },
      onattribname(from, to) {
        attribute = markup.slice(from, to).toLowerCase();
        value = '';
      },
      onattribdata(from, to) {
        value += markup.slice(from, to);
      },
      onattribentity(code) {
        value += String.fromCodePoint(code);
      },
      onattribend() {
        if (!Object.hasOwn(attributes, attribute)) attributes[attribute] = value;
      },
      onopentagend: addOpeningTag,
      onselfclosingtag: addOpeningTag,
      onclosetag(from, to) {
        const closing = markup.indexOf('>', to);
        if (closing === -1) return;
        name = markup.slice(from, to).toLowerCase();
        attributes = {};
        addTag(true);
        end = closing + 1;
      },
      oncomment: (_, to) => {
        end = to + 1;
      },
      oncdata: (_, to) => {
        end = to + 1;
      },
      ondeclaration: (_, to) => {
        end = to + 1;
      },
      onprocessinginstruction: (_, to) => {
        end = to + 1;
      },
      onend() {},
    },
  );
  tokenizer.write(markup);
  tokenizer.end();
  // The tokenizer drops a tag that never ends.
  addText(markup.slice(end));
  pieces.push(text);
  return pieces;
}
