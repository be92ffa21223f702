import { ANY_TEXT, columnName } from './column-name.ts';

/**
 * What an export calls its columns in other languages than English: by the language (ISO 639-1), then by the
 * English title. `<currency>`, or another word in such brackets, stands for any text, which is the same in
 * both titles.
 */
export type TitlesInLanguages = Readonly<
  Record<string, Readonly<Record<string, string | readonly string[]>>>
>;

interface Known {
  readonly exact: ReadonlyMap<string, string>;
  readonly patterns: readonly { readonly pattern: RegExp; readonly english: readonly string[] }[];
}

const KNOWN = new WeakMap<TitlesInLanguages, Known>();

/**
 * A header with English titles where it has those of another language, each at its place. Titles of several
 * languages may stand beside each other. A title is left as it is where the English one stands there too:
 * then it is a column of the merchant's own.
 */
export function inEnglish(
  titles: TitlesInLanguages | undefined,
  header: readonly string[],
): readonly string[] {
  if (titles === undefined) return header;
  const known = knownOf(titles);
  const names = new Set(header.map(columnName));
  return header.map((title) => {
    const english = englishOf(known, plain(title));
    return english === undefined || names.has(columnName(english)) ? title : english;
  });
}

function englishOf({ exact, patterns }: Known, title: string): string | undefined {
  const found = exact.get(title);
  if (found !== undefined) return found;
  for (const { pattern, english } of patterns) {
    const [, ...texts] = pattern.exec(title) ?? [];
    if (texts.length > 0)
      return english.reduce((before, part, index) => `${before}${texts[index - 1] ?? ''}${part}`);
  }
  return undefined;
}

function knownOf(titles: TitlesInLanguages): Known {
  const before = KNOWN.get(titles);
  if (before !== undefined) return before;
  const pairs = Object.values(titles).flatMap((language) =>
    Object.entries(language).flatMap(([english, others]) =>
      [others].flat().map((title) => [plain(title), english] as const),
    ),
  );
  const hasAnyText = ([title]: (typeof pairs)[number]) => title.search(ANY_TEXT) >= 0;
  const made = {
    exact: new Map(pairs.filter((pair) => !hasAnyText(pair))),
    patterns: pairs.filter(hasAnyText).map(([title, english]) => ({
      pattern: new RegExp(
        `^${title
          .split(ANY_TEXT)
          .map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
          .join('(.+)')}$`,
        'u',
      ),
      english: english.split(ANY_TEXT),
    })),
  };
  KNOWN.set(titles, made);
  return made;
}

/**
 * A title as titles are compared: French has unbroken blanks before `?`, and some files have other
 * apostrophes and accents in two characters.
 */
function plain(title: string): string {
  return columnName(title.normalize('NFC').replace(/\s+/g, ' ').replaceAll('’', "'"));
}
