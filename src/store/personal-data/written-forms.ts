/**
 * A text as a person reads it. `starts` tells where each of its characters begins in the text as it was
 * written.
 */
export interface Readable {
  readonly text: string;
  /** One place more than the text has characters: the end. Null where both texts are the same. */
  readonly starts: readonly number[] | null;
}

/** A part of a text, from `start` up to `end`. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** `jana%2540obchod.cz` needs two; what was encoded more often than this is nobody's habit. */
const MOST_ENCODINGS = 4;

/**
 * Undoes the ways in which programs write characters: percent-encoding of URLs, also twice (`%40`, `%2540`),
 * character references of HTML (`&#64;`, `&commat;`), escapes of JSON and JavaScript (`\u0040`, `\x40`),
 * full-width and other forms of digits and signs (`＠`, `٣`), dashes and blanks of typography, characters
 * without a width.
 */
export function readable(written: string): Readable {
  let current: Readable = { text: written, starts: null };
  for (let time = 0; time < MOST_ENCODINGS && MAY_BE_ENCODED.test(current.text); time += 1) {
    const next = decodeOnce(current);
    if (next.text === current.text) break;
    current = next;
  }
  return current;
}

/** The part of the written text that a part of the readable one stands for. */
export function writtenSpan({ starts }: Readable, { start, end }: Span): Span {
  return starts === null ? { start, end } : { start: starts[start] ?? start, end: starts[end] ?? end };
}

const MAY_BE_ENCODED = /[%&\\]|[^\0-\x7f]/;

const REFERENCES: Readonly<Record<string, string>> = {
  commat: '@',
  period: '.',
  plus: '+',
  amp: '&',
  nbsp: ' ',
  lowbar: '_',
  hyphen: '-',
  dash: '-',
  lpar: '(',
  rpar: ')',
  sol: '/',
  equals: '=',
  colon: ':',
};

const ENCODED = new RegExp(
  [
    String.raw`%([0-7][\da-f])`,
    String.raw`&#0*(\d{2,6});?`,
    String.raw`&#x0*([\da-f]{2,5});?`,
    `&(${Object.keys(REFERENCES).join('|')});?`,
    String.raw`\\u\{?0{0,4}([\da-f]{2})\}?|\\x([\da-f]{2})`,
    String.raw`([^\0-\x7f])`,
  ].join('|'),
  'giu',
);

function decodeOnce({ text, starts }: Readable): Readable {
  let decoded = '';
  const decodedStarts: number[] = [];
  const startOf = (index: number) => starts?.[index] ?? index;
  const copy = (from: number, to: number) => {
    for (let index = from; index < to; index += 1) decodedStarts.push(startOf(index));
    decoded += text.slice(from, to);
  };
  let position = 0;
  for (const match of text.matchAll(ENCODED)) {
    copy(position, match.index);
    const characters = decodedCharacters(match);
    for (let index = 0; index < characters.length; index += 1) decodedStarts.push(startOf(match.index));
    decoded += characters;
    position = match.index + match[0].length;
  }
  copy(position, text.length);
  decodedStarts.push(startOf(text.length));
  return { text: decoded, starts: decodedStarts };
}

function decodedCharacters([all, percent, decimal, hex, reference, u, x, other]: RegExpExecArray): string {
  if (other !== undefined) return plainCharacter(other);
  if (reference !== undefined) return REFERENCES[reference.toLowerCase()] ?? all;
  const code = decimal === undefined ? Number.parseInt(percent ?? hex ?? u ?? x ?? '', 16) : Number(decimal);
  return code >= 0x20 && code <= 0x10ffff ? String.fromCodePoint(code) : all;
}

/**
 * Characters and their plain form. In a language some tens of characters come again and again, and telling
 * what one is takes half a microsecond.
 */
const plainCharacters = new Map<string, string>();
const MOST_REMEMBERED = 5000;

function plainCharacter(character: string): string {
  const known = plainCharacters.get(character);
  if (known !== undefined) return known;
  if (plainCharacters.size >= MOST_REMEMBERED) plainCharacters.clear();
  const plain = readCharacter(character);
  plainCharacters.set(character, plain);
  return plain;
}

function readCharacter(character: string): string {
  if (/\p{Cf}/u.test(character)) return '';
  if (/\p{Zs}/u.test(character)) return ' ';
  if (/\p{Pd}|\u2212/u.test(character)) return '-';
  const compatible = character.normalize('NFKC');
  return /^\p{Nd}$/u.test(compatible) ? asciiDigit(compatible) : compatible;
}

/** The digits of a script stand together, 0 first. */
function asciiDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let zero = code;
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return String((code - zero) % 10);
}
