/**
 * How many objects and lists may be in each other. Those of vendors have about ten; who follows them calls
 * itself for each.
 */
export const MOST_DEEP = 100;

const [QUOTE, BACKSLASH, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = Array.from('"\\[]{}', (sign) =>
  sign.charCodeAt(0),
);

/**
 * Whether a text of JSON is nested more deeply than allowed; looked at before it is parsed, which takes
 * memory for each level.
 */
export function isDeep(json: string): boolean {
  let depth = 0;
  for (let at = 0; at < json.length; at += 1) {
    const sign = json.charCodeAt(at);
    if (sign === QUOTE) at = endOfText(json, at);
    else if (sign === OPEN_LIST || sign === OPEN_OBJECT) {
      depth += 1;
      if (depth > MOST_DEEP) return true;
    } else if (sign === CLOSE_LIST || sign === CLOSE_OBJECT) depth -= 1;
  }
  return false;
}

/** The place of the closing quote of the text that begins here. */
function endOfText(json: string, start: number): number {
  for (let at = json.indexOf('"', start + 1); at >= 0; at = json.indexOf('"', at + 1)) {
    let backslashes = 0;
    while (json.charCodeAt(at - 1 - backslashes) === BACKSLASH) backslashes += 1;
    if (backslashes % 2 === 0) return at;
  }
  return json.length;
}
