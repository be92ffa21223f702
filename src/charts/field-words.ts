import type { FigureWords, Known } from './figure.ts';

/** How words of keys are written. */
const WRITTEN: Readonly<Record<string, string>> = {
  sms: 'SMS',
  rfm: 'RFM',
  vip: 'VIP',
  cant: "can't",
  url: 'URL',
};

/** Words that keys of fields are short for. */
const WORDS: Readonly<Record<string, string>> = {
  ...WRITTEN,
  avg: 'average',
  aov: 'average order value',
};

/** A label does without them: `opens_then_count` is “Opens”. */
const LEFT_OUT = ['count', 'then', 's'];

/** Keys that merchants call otherwise. */
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

/** A definition names other fields by their keys: “orders_revenues / orders_count.” is “orders revenues / orders.” */
export function inWords(definition: string): string {
  return definition.replace(/\b[a-z]+(_[a-z0-9]+)+\b/g, wordsOf);
}

/** The words for a field are those of its key, so that charts and documents name it alike: `open_rate` is “Open rate”. */
export function labelOf(path: string): string {
  return capitalised(wordsOf(path.slice(path.lastIndexOf('.') + 1)));
}

/**
 * A key in words, such that no two keys become the same: `vip_s` is “VIP s”. A text that is no key, such as a
 * domain, stays as it is.
 */
export function keyInWords(text: string): string {
  // The group of the rest stands beside a group that is called “other”.
  if (text === '(other)') return '(other: the rest)';
  if (!/^[a-z0-9]+(_[a-z0-9]+)*$/.test(text)) return text;
  const words = text.split('_').map((word) => WRITTEN[word] ?? word);
  return capitalised(words.join(' '));
}

export function capitalised(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** One of what a unit counts: of “orders” it is “order”. */
export function singular(unit: string): string {
  return unit.replace(/s$/, '');
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

/** What is added to the name of a period: “ (not over yet)”. */
export function stateAfter(known: Known, { say }: FigureWords): string {
  if (known === 'incomplete') return ` (${say('picture.not-over')})`;
  return known === 'forecast' ? ' (forecast)' : '';
}
