/** Something that a right answer says: a number, or one of some words. */
export type Fact =
  | { readonly what: string; readonly number: number }
  | { readonly what: string; readonly words: readonly string[] };

/** A number with blanks or commas between its thousands, and what stands behind it. */
const NUMBER = /(\d{1,3}(?:[,\u00A0\u202F ]\d{3})+|\d+)(\.\d+)?\s?(million|thousand|m|k)?\b/gi;
const FACTORS: Readonly<Record<string, number>> = { million: 1e6, m: 1e6, thousand: 1e3, k: 1e3 };
/** A wrong number with fewer digits than this would often look right by chance. */
const LEAST_DIGITS = 3;

/** What of the facts a text for people does not say. A number may be rounded, to three digits at least. */
export function missingIn(text: string, facts: readonly Fact[]): string[] {
  const numbers = [...text.matchAll(NUMBER)].map(([, whole = '', decimals = '', unit = '']) => {
    const digits = whole.replace(/\D/g, '');
    const factor = FACTORS[unit.toLowerCase()] ?? 1;
    return {
      value: Number(`${digits}${decimals}`) * factor,
      // "1.51 million" says a number between 1.505 and 1.515 million.
      halfStep: (factor / 10 ** Math.max(0, decimals.length - 1)) * 0.5,
      digits: `${digits}${decimals.slice(1)}`.replace(/^0+/, '').length,
    };
  });
  return facts.filter((fact) => !isSaid(text, numbers, fact)).map(({ what }) => what);
}

interface Said {
  readonly value: number;
  readonly halfStep: number;
  readonly digits: number;
}

function isSaid(text: string, numbers: readonly Said[], fact: Fact): boolean {
  if ('words' in fact) return fact.words.some((word) => text.toLowerCase().includes(word.toLowerCase()));
  return numbers.some(
    ({ value, halfStep, digits }) =>
      value === fact.number ||
      (digits >= LEAST_DIGITS && Math.abs(value - fact.number) <= halfStep * (1 + 1e-9)),
  );
}

/** What of the facts is not in the answers of tools: numbers to two decimals, words in texts. */
export function missingInAnswers(answers: readonly unknown[], facts: readonly Fact[]): string[] {
  const numbers = new Set<number>();
  const collect = (value: unknown): void => {
    if (typeof value === 'number') numbers.add(Math.round(value * 100));
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(collect);
  };
  answers.forEach(collect);
  const text = JSON.stringify(answers).toLowerCase();
  return facts
    .filter((fact) =>
      'words' in fact
        ? !fact.words.some((word) => text.includes(word.toLowerCase()))
        : !numbers.has(Math.round(fact.number * 100)),
    )
    .map(({ what }) => what);
}
