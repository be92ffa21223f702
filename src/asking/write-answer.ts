import type { Pieces } from '../main-thread/pieces.ts';

/** JSON of an object in parts, without its last brace, so that more fields can follow. */
interface OpenJson {
  readonly parts: readonly string[];
  /** The bytes of the whole, with the brace. */
  readonly bytes: number;
}

/**
 * Lists are written this many elements at a time: a part has about 50 KB at most, where elements are rows.
 */
const ELEMENTS_OF_PART = 100;

/**
 * Writes an answer once, a part at a time; `JSON.stringify` gives the same text.
 *
 * @throws what `tooLong` makes of the bytes as soon as there are more than `most`
 */
export function* writeAnswer(
  data: Readonly<Record<string, unknown>>,
  most: number,
  tooLong: (bytes: number) => Error,
): Pieces<OpenJson> {
  const parts: string[] = [];
  let bytes = '}'.length;
  for (const part of partsOf(data)) {
    parts.push(part);
    bytes += Buffer.byteLength(part);
    if (bytes > most) throw tooLong(bytes);
    yield;
  }
  return { parts, bytes };
}

function* partsOf(data: Readonly<Record<string, unknown>>): Generator<string, void> {
  let before = '{';
  for (const [key, value] of Object.entries(data)) {
    if (value === undefined) continue;
    const name = `${before}${JSON.stringify(key)}:`;
    before = ',';
    if (Array.isArray(value) && value.length > ELEMENTS_OF_PART) {
      yield* partsOfList(`${name}[`, value);
    } else {
      yield name + JSON.stringify(value);
    }
  }
  if (before === '{') yield before;
}

function* partsOfList(opening: string, list: readonly unknown[]): Generator<string, void> {
  let before = opening;
  for (let from = 0; from < list.length; from += ELEMENTS_OF_PART) {
    yield before + JSON.stringify(list.slice(from, from + ELEMENTS_OF_PART)).slice(1, -1);
    before = ',';
  }
  yield ']';
}
