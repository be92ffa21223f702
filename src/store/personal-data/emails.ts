import type { Span } from './written-forms.ts';

/**
 * E-mail addresses in a readable text, also `jana (at) obchod.cz`, `"Jana N."@obchod.cz` and addresses in
 * other scripts.
 *
 * @param isLoose whether a name without a dot may be a domain: `jana@obchod` is then an address that was cut
 *   off
 */
export function findEmails(text: string, isLoose: boolean): Span[] {
  const found: Span[] = [];
  let least = 0;
  for (const sign of text.matchAll(AT)) {
    const end = sign.index + sign[0].length;
    const domainEnd = endOfDomain(text, end, isLoose && sign[0] === '@');
    const start = startOfLocalPart(text, sign.index, least);
    if (domainEnd === null || start === sign.index) continue;
    found.push({ start, end: domainEnd });
    least = domainEnd;
  }
  return found;
}

const AT = /@|\s?[([{]\s?(?:at|zavin[aá]č)\s?[)\]}]\s?/gi;

/** A name may be any text in quotation marks, so only blanks and signs that part texts end it. */
const LOCAL = /[^\s@<>()[\],;:"&?/|\\]/u;
const LONGEST_LOCAL = 320;

function startOfLocalPart(text: string, end: number, least: number): number {
  const limit = Math.max(least, end - LONGEST_LOCAL);
  if (text[end - 1] === '"') {
    const opening = text.lastIndexOf('"', end - 2);
    return opening >= limit ? opening : end;
  }
  let start = end;
  while (start > limit && LOCAL.test(text[start - 1] ?? '')) start -= 1;
  return start;
}

const DOT = String.raw`(?:\.|\s?[([{]\s?(?:dot|te[cč]ka)\s?[)\]}]\s?)`;
const LABEL = String.raw`[\p{L}\p{N}_](?:[\p{L}\p{M}\p{N}_-]{0,62})`;
const DOMAIN = new RegExp(
  String.raw`(?:${LABEL}${DOT})+\p{L}[\p{L}\p{M}\p{N}-]{1,62}|\[[\da-fipv.:]+\]`,
  'iuy',
);
const LOOSE_DOMAIN = new RegExp(LABEL, 'iuy');
/** `logo@2x.png` is a picture for fine screens, not an address. */
const PICTURE = /[1-9]x\.(?:png|jpe?g|gif|webp|avif|svg)\b/iy;

function endOfDomain(text: string, start: number, isLoose: boolean): number | null {
  if (endOfMatch(PICTURE, text, start) !== null) return null;
  return endOfMatch(DOMAIN, text, start) ?? (isLoose ? endOfMatch(LOOSE_DOMAIN, text, start) : null);
}

function endOfMatch(pattern: RegExp, text: string, start: number): number | null {
  pattern.lastIndex = start;
  return pattern.test(text) ? pattern.lastIndex : null;
}
