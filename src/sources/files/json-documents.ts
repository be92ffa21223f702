/**
 * The JSON documents at the beginning of a text. If its first line alone is not JSON, the text is one
 * document over several lines, up to its cut if it is cut off. Of a text that is neither, the lines that are
 * JSON.
 */
export function documentsIn(text: string): readonly unknown[] {
  const json = text.replace(/^\uFEFF/, '');
  const documents = isLineOfJson(json) ? [] : parsed(untilCut(json));
  return documents.length > 0 ? documents : linesOf(json).flatMap(parsed);
}

/** Whether the first line is a document by itself. */
export function isLineOfJson(text: string): boolean {
  const line = text.replace(/^\uFEFF?\s*/, '').split(/[\r\n]/, 1)[0] ?? '';
  return parsed(line).some((document) => !Array.isArray(document));
}

function linesOf(json: string): string[] {
  const lines = json.split('\n').map((line) => line.trim());
  return [...new Set(lines.filter((line) => /^[[{].*[\]}]$/.test(line)))];
}

function parsed(json: string): unknown[] {
  try {
    return [JSON.parse(json)];
  } catch {
    return [];
  }
}

const STRINGS_AND_SIGNS = /"[^"\\]*(?:\\.[^"\\]*)*"?|[[\]{},]/gs;

/** This is deeper than any document of a source. */
const DEEPEST = 100;

/**
 * The first document as far as its last whole value, with what is open closed; nothing where it is too deep,
 * or no JSON.
 */
function untilCut(json: string): string {
  const closers: string[] = [];
  let end = 0;
  for (const { 0: sign, index } of json.matchAll(STRINGS_AND_SIGNS)) {
    if (sign === '{' || sign === '[') closers.push(sign === '{' ? '}' : ']');
    else if (sign === '}' || sign === ']') closers.pop();
    // JSON has no line break in a string.
    else if (sign.includes('\n')) return '';
    else if (sign !== ',') continue;
    if (closers.length > DEEPEST) return '';
    // A value has ended before a comma; behind a bracket that opens there may be none.
    end = sign === ',' ? index : index + 1;
    if (closers.length === 0) break;
  }
  return json.slice(0, end) + closers.reverse().join('');
}
