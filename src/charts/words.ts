/** Words that keys are short for. */
const WORDS: Readonly<Record<string, string>> = {
  avg: 'average',
  aov: 'average order value',
  sms: 'SMS',
  rfm: 'RFM',
  s: '',
  count: '',
};

/** `new_orders_count` is “New orders”: the field's own words, so that charts and documents name it alike. */
function shorterKey(key: string): string {
  const words = key
    .split('_')
    .map((word) => WORDS[word] ?? word)
    .filter((word) => word !== '')
    .join(' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The words for a field: those of its key. */
export function labelOf(path: string): string {
  return shorterKey(path.slice(path.lastIndexOf('.') + 1));
}

/** Units that a heading names in words of their own; of the others it is the unit itself. */
const UNIT_WORDS: Readonly<Record<string, string>> = {
  percent: '%',
  '0 to 1': '0 to 1',
  ratio: '',
  cents: 'money',
  place: '',
  rank: '',
  score: '',
};

/** @param currency of the store; null where it has none */
export function unitWord(unit: string | undefined, currency: string | null): string {
  if (unit === undefined) return '';
  if (unit === 'money' || unit === 'cents') return currency ?? '';
  return UNIT_WORDS[unit] ?? unit;
}
