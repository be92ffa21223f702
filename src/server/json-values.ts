const [QUOTE, BACKSLASH] = ['"', '\\'].map((character) => character.charCodeAt(0));
const STARTS = new Set(['{', '[', ','].map((character) => character.charCodeAt(0)));

/**
 * Whether JSON has more names and elements than this, told by its commas and brackets outside of texts. It is far quicker than to parse it: of
 * 60,000 names that takes 50 ms.
 */
export function hasMoreValues(json: Uint8Array, most: number): boolean {
  let values = 0;
  let isText = false;
  for (let index = 0; index < json.length; index += 1) {
    const byte = json[index] as number;
    if (isText) {
      if (byte === BACKSLASH) index += 1;
      else if (byte === QUOTE) isText = false;
    } else if (byte === QUOTE) {
      isText = true;
    } else if (STARTS.has(byte)) {
      values += 1;
      if (values > most) return true;
    }
  }
  return false;
}
