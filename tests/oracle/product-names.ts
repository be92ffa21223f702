// What products, brands, categories and master products are called.
import { cell } from './loaded-rows.ts';
import type { Row } from './store.ts';
import { compareText } from './text-order.ts';

export const notSet = '(not set)';

/**
 * `(not set)` where there is no name; a real name like that is shown in quotation marks, and so is one that
 * has them.
 */
export function shownName(name: string | null): string {
  if (name === null) return notSet;
  return /^"*\(not set\)"*$/.test(name) ? `"${name}"` : name;
}

/**
 * The name of each master product that variants name: its own, else what all its variants' names have in
 * common.
 */
export function masterNames(rows: readonly Row<'products'>[]): Map<string, string | null> {
  const variants = new Map<string, string[]>();
  for (const row of rows) {
    const master = cell(row.external_master_product_id);
    if (master !== null) variants.set(master, [...(variants.get(master) ?? []), row.name ?? '']);
  }
  const ownName = (master: string) =>
    rows.find((row) => row.external_product_id === master && cell(row.external_master_product_id) !== master)
      ?.name;
  return new Map([...variants].map(([master, names]) => [master, ownName(master) ?? commonPart(names)]));
}

/** Letters and digits with whatever stands between them; nothing for a dash alone. */
function bareWord(word: string): string {
  return /[\p{L}\p{M}\p{N}](?:.*[\p{L}\p{M}\p{N}])?/su.exec(word)?.[0].toLowerCase() ?? '';
}

const bareWords = (words: string[]) => words.map(bareWord).filter((word) => word !== '');

const holds = (words: string[], run: string[]) =>
  words.some((_, start) => run.every((word, index) => words[start + index] === word));

/** `for` alone, which two names of other things have in common, is the name of neither. */
function isTelling(run: string[], shortest: string[]): boolean {
  const lettersOf = (word: string) => word.match(/\p{L}/gu)?.length ?? 0;
  return (
    run.some((word) => lettersOf(word) >= 4) ||
    (lettersOf(run.join(' ')) > 0 && 3 * [...run.join(' ')].length >= [...shortest.join(' ')].length)
  );
}

/**
 * Every run of words of the shortest name, the longest first that all names have and that tells what they
 * are.
 */
export function commonPart(names: string[]): string | null {
  const texts = [...new Set(names)].map((name) => ({ name, bare: bareWords(name.trim().split(/\s+/)) }));
  const length = (words: string[]) => [...words.join(' ')].length;
  texts.sort(
    (one, other) =>
      length(one.bare) - length(other.bare) ||
      compareText(one.bare.join(' '), other.bare.join(' ')) ||
      compareText(one.name, other.name),
  );
  const shortest = texts[0]?.name ?? '';
  if (texts.length === 1) return shortest;
  const words = shortest.trim().split(/\s+/).slice(0, 40);
  const runs = words.flatMap((_, from) =>
    words.slice(from).map((_, more) => words.slice(from, from + more + 1)),
  );
  const shared = runs
    .map((run) => ({ run, bare: bareWords(run) }))
    .filter(
      ({ bare }) => isTelling(bare, texts[0]?.bare ?? []) && texts.every((text) => holds(text.bare, bare)),
    )
    .sort((one, other) => length(other.bare) - length(one.bare));
  const longest = shared[0]?.run;
  return longest === undefined ? null : trimmed(longest.join(' '));
}

/** Takes off what only separated the part from the rest of the name. */
function trimmed(part: string): string {
  const ends = part.replace(/^[\s,;:/|–—·+&)\]}-]+/u, '').replace(/[\s,;:/|–—·+&([{-]+$/u, '');
  const isOpen = ends.search(/[([{][^)\]}]*$/u);
  const closed = isOpen < 0 ? ends : ends.slice(0, isOpen) + ends.slice(isOpen + 1);
  return closed.replace(/^([^([{]*)[)\]}]/u, '$1').trim();
}
