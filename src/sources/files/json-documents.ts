/**
 * The JSON documents that a text begins with. Of the last one, which may be cut off, what stands before the cut; lines that are
 * no JSON are left out.
 */
export function documentsIn(text: string): readonly unknown[] {
  const json = text.replace(/^\uFEFF/, '');
  const lines = json
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => /^[[{].*[\]}]$/.test(line));
  const documents = [...new Set(lines)].flatMap(parsed);
  return documents.length > 0 ? documents : parsed(untilCut(json));
}

function parsed(json: string): unknown[] {
  try {
    return [JSON.parse(json)];
  } catch {
    return [];
  }
}

const STRINGS_AND_SIGNS = /"[^"\\]*(?:\\.[^"\\]*)*"?|[[\]{},]/gs;

/** The first document as far as its last whole value, with what is open closed. */
function untilCut(json: string): string {
  const closers: string[] = [];
  let [end, closing] = [0, ''];
  for (const { 0: sign, index } of json.matchAll(STRINGS_AND_SIGNS)) {
    if (sign === '{' || sign === '[') closers.unshift(sign === '{' ? '}' : ']');
    else if (sign === '}' || sign === ']') closers.shift();
    else if (sign !== ',') continue;
    // A value has ended before a comma; behind a bracket that opens there may be none.
    end = sign === ',' ? index : index + 1;
    closing = closers.join('');
    if (closers.length === 0) break;
  }
  return json.slice(0, end) + closing;
}
