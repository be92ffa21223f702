import type { FigureWords, Known } from './figure.ts';

/** Words of keys with a spelling of their own. */
const WRITTEN: Readonly<Record<string, string>> = {
  sms: 'SMS',
  rfm: 'RFM',
  vip: 'VIP',
  cant: "can't",
  url: 'URL',
};

/** Words that are abbreviated in keys of fields. */
const WORDS: Readonly<Record<string, string>> = {
  ...WRITTEN,
  avg: 'average',
  aov: 'average order value',
};

/** Parts of keys that a label leaves out: `opens_then_count` is “Opens”. */
const LEFT_OUT = ['count', 'then', 's'];

/** Keys that merchants know by other words. */
const CALLED: Readonly<Record<string, string>> = {
  orders_revenues: 'revenue',
  unique_orders_count: 'orders',
  new_orders_count: 'first orders of new customers',
  sent_count: 'messages sent',
};

/** `rfm_segment` is “RFM segment”, within a sentence. */
export function wordsOf(key: string): string {
  const called = CALLED[key];
  if (called !== undefined) return called;
  return key
    .split('_')
    .filter((word) => !LEFT_OUT.includes(word))
    .map((word) => WORDS[word] ?? word)
    .join(' ');
}

/**
 * A definition names other fields by their keys: “orders_revenues / orders_count.” is “orders revenues /
 * orders.”
 */
export function inWords(definition: string): string {
  return definition.replace(/\b[a-z]+(_[a-z0-9]+)+\b/g, wordsOf);
}

/** The label of a field: `open_rate` is “Open rate”. Charts and documents share it. */
export function labelOf(path: string): string {
  return capitalised(wordsOf(path.slice(path.lastIndexOf('.') + 1)));
}

/**
 * A key in words, such that no two keys become the same: `vip_s` is “VIP s”. A text that is no key, such as a
 * domain, stays as it is.
 */
export function keyInWords(text: string): string {
  // The group of the rest may stand next to a group that is called “other”.
  if (text === '(other)') return '(other: the rest)';
  if (!/^[a-z0-9]+(_[a-z0-9]+)*$/.test(text)) return text;
  const words = text.split('_').map((word) => WRITTEN[word] ?? word);
  return capitalised(words.join(' '));
}

export function capitalised(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The singular of a unit: “order” for “orders”. */
export function singular(unit: string): string {
  return unit.replace(/s$/, '');
}

/** Units with words of their own in a heading; other units are written as they are. */
const UNIT_WORDS: Readonly<Record<string, string>> = {
  percent: '%',
  '0 to 1': '0 to 1',
  ratio: '',
  cents: 'money',
  place: '',
  rank: '',
  score: '',
};

/** @param currency of the store; null if it has none */
export function unitWord(unit: string | undefined, currency: string | null): string {
  if (unit === undefined) return '';
  if (unit === 'money' || unit === 'cents') return currency ?? '';
  return UNIT_WORDS[unit] ?? unit;
}

/** What is added to the name of a period: “ (not over yet)”. */
export function stateAfter(known: Known, { say }: FigureWords): string {
  if (known === 'incomplete') return ` (${say('picture.not-over')})`;
  return known === 'forecast' ? ' (forecast)' : '';
}
