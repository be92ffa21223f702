import { shortText } from '../../../text/business-text.ts';
import { gapOf, joinWords, markupPieces, type Tag } from '../../../text/plain-text.ts';
import { withoutTracking } from '../definitions/tracking.ts';

/** The text that a message of HTML shows its reader. */
export interface MessageText {
  /** Links as `[label](url)`, images as `[image: what it shows]`. */
  readonly text: string;
  readonly links: readonly { readonly url: string; readonly label: string }[];
  /** The number of images without tracking pixels. */
  readonly images: number;
  /** The number of these images that have no `alt`. An empty `alt` says that there is nothing to tell. */
  readonly imagesWithoutAlt: number;
}

const LABEL_CHARACTERS = 300;
const URL_CHARACTERS = 2000;

export function messageText(html: string): MessageText {
  const parts: string[] = [];
  const links: { url: string; label: string }[] = [];
  let images = 0;
  let imagesWithoutAlt = 0;
  /** The link that is open: its URL, and where its label begins among the parts. */
  let open: { readonly url: string | null; readonly from: number } | null = null;

  function closeLink() {
    if (open === null) return;
    const written = parts.splice(open.from);
    const label = shortText(joinWords(written).text, LABEL_CHARACTERS)
      .replaceAll('[', '(')
      .replaceAll(']', ')');
    const { url } = open;
    open = null;
    if (url === null) {
      parts.push(...written);
      return;
    }
    links.push({ url, label });
    parts.push(gapAt('start', written), `[${label}](${url})`, gapAt('end', written));
  }

  for (const piece of markupPieces(html)) {
    if (typeof piece === 'string') {
      parts.push(withoutFiller(piece));
      continue;
    }
    if (piece.name === 'a') {
      closeLink();
      if (!piece.isClosing) open = { url: shownUrl(piece.attributes.href), from: parts.length };
      continue;
    }
    if (piece.name === 'img' && !piece.isClosing) {
      const { attributes } = piece;
      if (isPixel(attributes)) continue;
      const { alt } = attributes;
      images += 1;
      if (alt === undefined) imagesWithoutAlt += 1;
      if (alt?.trim()) parts.push(` [image: ${alt}] `);
      continue;
    }
    parts.push(gapOf(piece));
  }
  closeLink();
  return { text: joinWords(parts).text, links, images, imagesWithoutAlt };
}

/** Invisible characters between blanks: they only keep what follows out of the preview of a mailbox. */
function withoutFiller(text: string): string {
  return text.replace(/(?<!\S)(?:[\u00ad\u061c\u115f\u180e\u200b-\u200f\u2060-\u2064]|\u034f)+(?!\S)/g, '');
}

/** The white space with which a label begins or ends parts the link from what is beside it. */
function gapAt(edge: 'start' | 'end', parts: readonly string[]): string {
  const text = parts.join('');
  const [gap = ''] = (edge === 'start' ? /^\s*/ : /(?<!\s)\s*$/).exec(text) ?? [];
  return gap.includes('\n') ? '\n' : gap && ' ';
}

function isPixel({ width = '', height = '' }: Tag['attributes']): boolean {
  return [width, height].every((side) => /^[01](px)?$/.test(side.trim()));
}

/** A URL that people follow, for between brackets: null for scripts and data, and for none. */
function shownUrl(href: string | undefined): string | null {
  const url = (href ?? '').replace(/[\t\n\r]/g, '').trim();
  const [, scheme] = /^[\0-\x20]*([a-z][a-z\d+.-]*):/i.exec(url) ?? [];
  if (url === '' || (scheme !== undefined && !/^(https?|mailto|tel|sms)$/i.test(scheme))) return null;
  const plain = withoutTracking(shortText(url, URL_CHARACTERS));
  return plain.replace(/[()<>[\]]/g, (character) => `%${character.charCodeAt(0).toString(16)}`);
}
