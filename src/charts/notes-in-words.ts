import { formatMoment } from './dates.ts';
import type { DrawnStore } from './drawn-store.ts';
import { inWords } from './field-words.ts';
import { formatNumber } from './number-format.ts';

/** Rewrites the notes of an answer for people who look at its picture. */

const MOMENT = /\b\d{4}-\d\d-\d\dT[\d:.]+Z/g;
const NAMES = /(\["(?:[^"\\]|\\.)*"(?:,"(?:[^"\\]|\\.)*")*\])/;

/**
 * “Unknown in brands, so without rows: ["Fjord"]” becomes “Unknown in brands, so without rows: Fjord”.
 *
 * @returns null for a note about how to ask, or about what the picture says itself
 */
export function noteInWords(note: string, store: DrawnStore): string | null {
  // The picture itself says where something is hidden.
  if (/^This answer has \d+ KB|^Where is_hidden is true/.test(note)) return null;
  return note
    .split(NAMES)
    .map((part) => namesIn(part) ?? sentence(part, store))
    .join('');
}

/** Business data stay as they are. */
function namesIn(part: string): string | null {
  if (!part.startsWith('["')) return null;
  try {
    return JSON.parse(part).join(', ');
  } catch {
    return part;
  }
}

/** Makes a sentence of our own words only: names of a store may stand in it too. */
function sentence(part: string, store: DrawnStore): string {
  const { currency } = store;
  return (
    part
      .replace(/^Unknown in \w+/, inWords)
      // A picture draws no such zeros.
      .replace(/: its zeros are not the store's\.$/, '.')
      .replace(MOMENT, (moment) => formatMoment(moment, store))
      .replace(/ worth (\d+(?:\.\d+)?) ([A-Z]{3})\b/g, (said, amount, code) =>
        code === currency ? ` worth ${formatNumber(Number(amount), 'money', store)}` : said,
      )
  );
}
