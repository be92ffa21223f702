import { ReasonError } from '../errors.ts';

/** This much of a text tells its encoding. */
const LOOKED_AT = 2 ** 12;

/** A text of shops is for the most part letters of ASCII: names of columns, digits, what parts them. */
const LEAST_ASCII = 0.6;

/**
 * Says in which encoding of UTF-16 a text begins, by its byte order mark or, where it has none, by the zeros
 * beside each letter of ASCII. Null means another encoding.
 *
 * @throws ReasonError where it is UTF-32, which nothing here reads
 */
export function utf16Of(beginning: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  const bytes = beginning.subarray(0, LOOKED_AT - (LOOKED_AT % 4));
  const [first, second, third, fourth] = bytes;
  const isMarkedUtf32 =
    (first === 0xff && second === 0xfe && third === 0 && fourth === 0) ||
    (first === 0 && second === 0 && third === 0xfe && fourth === 0xff);
  if (isMarkedUtf32 || hasLetters(bytes, 4, 0) || hasLetters(bytes, 4, 3))
    throw new ReasonError('it is UTF-32, which is not read. Save it as UTF-8');
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  if (hasLetters(bytes, 2, 0)) return 'utf-16le';
  return hasLetters(bytes, 2, 1) ? 'utf-16be' : null;
}

/**
 * Whether most characters of these bytes are ASCII: the one byte of each that is not zero stands at `place`.
 */
function hasLetters(bytes: Uint8Array, width: number, place: number): boolean {
  const characters = Math.floor(bytes.length / width);
  let letters = 0;
  for (let at = 0; at < characters * width; at += width) {
    let isLetter = true;
    for (let i = 0; i < width; i += 1) {
      const byte = bytes[at + i] as number;
      isLetter &&= i === place ? byte > 0 && byte < 0x80 : byte === 0;
    }
    if (isLetter) letters += 1;
  }
  return characters >= 4 && letters >= LEAST_ASCII * characters;
}
