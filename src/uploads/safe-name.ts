const LONGEST = 100;
/** No disk has longer names; of what a browser made up the end is looked at. */
const LONGEST_TOLD = 1000;
/** Linux takes names of 255; the rest is for a number and extensions. */
const LONGEST_BYTES = 180;

/**
 * What a file is called on our disk and on pages: the end of the path that a browser told, without personal
 * data, separators, control characters and what hides a file; its extensions stay, by which it is told that
 * it is packed, or a table of our format.
 *
 * @param shown the gate for personal data
 * @param taken names of the other files
 */
export function safeName(told: string, shown: (text: string) => string, taken: ReadonlySet<string>): string {
  const last = told.slice(-LONGEST_TOLD).normalize('NFC').split(/[/\\]/).at(-1) ?? '';
  const passed = shown(last)
    .replace(/[^\p{L}\p{N}\p{M}._()+ -]/gu, '_')
    .replace(/\s+/g, ' ')
    .replace(/^[. -]+/, '')
    .trim();
  const [, stem = '', extensions = ''] = /^(.*?)((?:\.[A-Za-z0-9]{1,8}){0,2})$/su.exec(passed) ?? [];
  const short = cut(stem) || 'file';
  for (let number = 1; ; number += 1) {
    // `orders-2.csv` is a table of orders as `orders.csv` is.
    const name = `${short}${number === 1 ? '' : `-${number}`}${extensions}`;
    if (!taken.has(name)) return name;
  }
}

function cut(stem: string): string {
  let [short, bytes] = ['', 0];
  for (const letter of [...stem].slice(0, LONGEST)) {
    bytes += Buffer.byteLength(letter);
    if (bytes > LONGEST_BYTES) break;
    short += letter;
  }
  return short;
}
