/**
 * Names of objects and elements of lists. More than any tool takes, and few enough for all that looks at each
 * of them.
 */
const MOST_VALUES = 10_000;
/**
 * Objects and lists within each other. The conditions of a segment have some ten; some thousands break what
 * goes through them.
 */
const MOST_DEPTH = 100;

/** The limit in words, for the client that sent more. */
export const TOO_MANY_VALUES = `the request has more than ${MOST_VALUES} arguments and elements of lists; send fewer in one request`;
export const TOO_DEEP = `objects and lists of the request lie more than ${MOST_DEPTH} deep within each other; send what is less deep`;

const codeOf = (character: string) => character.charCodeAt(0);
const [QUOTE, BACKSLASH, COMMA] = ['"', '\\', ','].map(codeOf);
const OPENING = new Set(['{', '['].map(codeOf));
const CLOSING = new Set(['}', ']'].map(codeOf));

/**
 * Why JSON is not to be parsed, in words for its sender; null: it may be. It is told by commas and brackets
 * outside of texts, far quicker than by parsing: of 60,000 names that takes 50 ms.
 */
export function tooMuchIn(json: Uint8Array): typeof TOO_MANY_VALUES | typeof TOO_DEEP | null {
  let values = 0;
  let depth = 0;
  let isText = false;
  for (let index = 0; index < json.length; index += 1) {
    const byte = json[index] as number;
    if (isText) {
      if (byte === BACKSLASH) index += 1;
      else if (byte === QUOTE) isText = false;
    } else if (byte === QUOTE) {
      isText = true;
    } else if (byte === COMMA) {
      values += 1;
    } else if (OPENING.has(byte)) {
      values += 1;
      depth += 1;
      if (depth > MOST_DEPTH) return TOO_DEEP;
    } else if (CLOSING.has(byte)) {
      depth -= 1;
    }
    if (values > MOST_VALUES) return TOO_MANY_VALUES;
  }
  return null;
}

const ID = String.raw`"id"\s*:\s*("[^"\\]{0,100}"|\d{1,15})`;
const OTHER = String.raw`"(?:jsonrpc|method)"\s*:\s*"[^"\\]{0,100}"`;
/** What stands at either end of a message belongs to the message itself, and not to something within it. */
const ID_AT_HEAD = new RegExp(String.raw`^\s*\{\s*(?:${OTHER}\s*,\s*){0,2}${ID}`);
const ID_AT_TAIL = new RegExp(String.raw`,\s*${ID}\s*(?:,\s*${OTHER}\s*){0,2}\}\s*$`);
/** This many bytes of either end of a message are looked at. */
export const END_BYTES = 256;

/**
 * Finds which request a message is that was not parsed, so that its client does not wait for an answer; null
 * where that cannot be told.
 *
 * @param head its first bytes, `END_BYTES` of them or more
 * @param tail its last ones, which may be the same
 */
export function idAtEnds(head: Uint8Array, tail: Uint8Array): string | number | null {
  const [, id] =
    ID_AT_HEAD.exec(textOf(head.subarray(0, END_BYTES))) ??
    ID_AT_TAIL.exec(textOf(tail.subarray(Math.max(0, tail.byteLength - END_BYTES)))) ??
    [];
  return id === undefined ? null : (JSON.parse(id) as string | number);
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
}
