/**
 * SVG as text. Text from a store is only ever the value of an attribute or a text node, and is escaped here.
 */
export type Attributes = Readonly<Record<string, string | number | null | undefined>>;

/** @param inner SVG; texts go through `text` or `escapeXml` first */
export function tag(name: string, attributes: Attributes, ...inner: readonly string[]): string {
  const written = Object.entries(attributes)
    .map(([key, value]) => (value == null ? '' : ` ${key}="${escapeXml(String(value))}"`))
    .join('');
  return inner.length === 0 ? `<${name}${written}/>` : `<${name}${written}>${inner.join('')}</${name}>`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/**
 * Escapes a text for XML. It leaves out what XML cannot hold, and marks that change the direction of writing.
 */
export function escapeXml(text: string): string {
  return (
    text
      .toWellFormed()
      // biome-ignore lint/suspicious/noControlCharactersInRegex: XML knows no other control characters
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff\u202a-\u202e\u2066-\u2069]/g, '')
      .replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '')
  );
}

export interface TextOptions {
  readonly x: number;
  readonly y: number;
  readonly class?: string;
  readonly anchor?: 'start' | 'middle' | 'end';
  readonly turned?: number;
  /** The language of the text, if it differs from the picture's. */
  readonly lang?: string;
}

/**
 * A text, cut to the width; the whole text shows when the pointer is over it.
 *
 * @param after SVG that is never cut
 */
export function text(
  content: string,
  { x, y, anchor, turned, ...more }: TextOptions,
  width = 10_000,
  after = '',
): string {
  const shown = cutText(content, width, /axis|why|note/.test(more.class ?? '') ? 11 : 12);
  return tag(
    'text',
    {
      x: round(x),
      y: round(y),
      class: more.class,
      lang: more.lang,
      'text-anchor': anchor,
      transform: turned === undefined ? undefined : `rotate(${turned} ${round(x)} ${round(y)})`,
    },
    shown === content ? '' : tag('title', {}, escapeXml(content)),
    escapeXml(shown),
    after,
  );
}

/**
 * The width of a text. Nothing can measure it here, so these are the widths of letters in the widest of the
 * usual fonts, as parts of their size.
 */
export function textWidth(content: string, size = 12): number {
  let ems = 0;
  for (const character of content) {
    const width = known.get(character) ?? WIDTHS.find(([letters]) => letters.test(character))?.[1] ?? 0.6;
    known.set(character, width);
    ems += width;
  }
  return ems * size;
}

/** Remembered, since thousands of labels have few different letters. */
const known = new Map<string, number>();

const WIDTHS: readonly (readonly [RegExp, number])[] = [
  [/[a-hknopq-suvxyz]/, 0.6],
  [/[ ijlft.,:;'|!()\u00a0\u202f]/, 0.37],
  [/[\u1100-\u11ff\u2e80-\u9fff\uac00-\ud7af\uff00-\uffef]/, 1.05],
  [/[mwMW%@→…]/, 0.95],
  [/[A-Z0-9]/, 0.65],
];

/**
 * Cuts a text to a width. An address keeps its site and its end, which distinguish it, and loses its query.
 */
export function cutText(content: string, width: number, size = 12): string {
  const address = content.replace(/(^| )https?:\/\/(www\.)?/, '$1');
  if (textWidth(address, size) <= width) return address;
  const room = width - textWidth('…', size);
  if (address === content) return `${firstOf(content, room, size).trimEnd()}…`;
  const end = [...firstOf([...address].reverse().join(''), room / 2, size)].reverse().join('');
  return `${firstOf(address, room - textWidth(end, size), size)}…${end}`;
}

function firstOf(content: string, width: number, size: number): string {
  let [kept, used] = ['', 0];
  for (const character of content) {
    used += textWidth(character, size);
    if (used > width) break;
    kept += character;
  }
  return kept;
}

export function wrapText(content: string, width: number, size = 12): string[] {
  const lines: string[] = [];
  for (const word of content.split(' ')) {
    const last = lines.at(-1);
    const longer = last === undefined ? word : `${last} ${word}`;
    if (last === undefined || textWidth(longer, size) > width) lines.push(word);
    else lines[lines.length - 1] = longer;
  }
  return lines.map((each) => cutText(each, width, size));
}

/** A hundredth of a pixel is enough to read a number back. */
export function round(pixels: number): number {
  return Math.round(pixels * 100) / 100;
}
