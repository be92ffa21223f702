import { DIMENSION_NAMES, DIMENSIONS, type DimensionName } from './dimensions.ts';
import { definitionOf, METRICS, type NamedMetric } from './metric-layer.ts';
import { nearNames, wordsOf } from './near-names.ts';

/** What people call a metric, by the words that its name has. */
const CALLED: Readonly<Record<string, readonly string[]>> = {
  sale: ['revenue'],
  turnover: ['revenue'],
  income: ['revenue'],
  basket: ['average', 'order', 'value'],
  aov: ['average', 'order', 'value'],
  roas: ['return', 'ad', 'spend'],
  cac: ['cost', 'new', 'customer'],
  cpc: ['cost', 'click'],
  ctr: ['click', 'rate'],
  advertising: ['ad'],
  marketing: ['ad', 'cost'],
  vat: ['tax'],
  visit: ['session'],
  traffic: ['session'],
  buyer: ['customer'],
  client: ['customer'],
  piece: ['quantity'],
  unit: ['quantity'],
  margin: ['profit', 'margin'],
  profit: ['gross', 'profit'],
  robot: ['bot'],
  newsletter: ['email'],
  mail: ['email'],
  delivery: ['shipping', 'delivery'],
  returned: ['refunded'],
  refund: ['refunded'],
  cancellation: ['cancelled', 'cancellation'],
};

/** The most metrics that answer a question. */
const MOST_FOUND = 12;
/** A metric with less of the words than this share of the best one is about something else. */
const LEAST_PART = 0.5;

/** Words of a question that say nothing of the metric. They stand as `wordsOf` cuts them: `was` is `wa`. */
const ASKING: ReadonlySet<string> = new Set(
  (
    'a and by did do each for from how i in is it many me much of on our per the to ' +
    'wa we were what which who with without'
  ).split(' '),
);

/** What is looked for: each word, and what it is called. */
function wordsLookedFor(search: string): readonly (readonly string[])[] {
  const called = new Map(
    Object.entries(CALLED).flatMap(([key, names]) => wordsOf(key).map((word) => [word, names])),
  );
  return [...new Set(wordsOf(search))]
    .filter((word) => !ASKING.has(word))
    .map((word) => [word, ...(called.get(word) ?? [])]);
}

/** Shorter ones are the beginning of too many words. */
const LEAST_LETTERS = 4;

/** "unsubscribed" is in the name of unsubscribes. */
function isAlike(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  return one === other || (short.length >= LEAST_LETTERS && long.startsWith(short));
}

/**
 * A word in the name tells more than one in the definition, and a name of other words is about something
 * narrower.
 */
function scoreOf(looked: readonly (readonly string[])[], name: string, text: string): number {
  const [ofName, ofText] = [wordsOf(name), wordsOf(text)];
  const matched = ofName.filter((own) => looked.flat().some((word) => isAlike(word, own)));
  const words = looked.reduce((score, [word = '', ...called]) => {
    const inName = [word, ...called].filter((one) => ofName.some((own) => isAlike(one, own))).length;
    return score + (inName > 0 ? 3 * inName : ofText.some((own) => isAlike(word, own)) ? 1 : 0);
  }, 0);
  return words + matched.length / (ofName.length + 1);
}

function best<One>(all: readonly One[], scored: (one: One) => number): One[] {
  const scores = all.map((one) => ({ one, score: scored(one) })).filter(({ score }) => score > 0);
  const least = LEAST_PART * Math.max(0, ...scores.map(({ score }) => score));
  return scores
    .filter(({ score }) => score >= least)
    .toSorted((one, other) => other.score - one.score)
    .slice(0, MOST_FOUND)
    .map(({ one }) => one);
}

/**
 * What the words look for, the best first: names as they are, else those whose names or definitions have most
 * of the words.
 */
export function foundMetrics(search: string): {
  readonly metrics: readonly NamedMetric[];
  readonly dimensions: readonly DimensionName[];
} {
  const exact = new Set(search.split(/[\s,]+/).filter((name) => name !== ''));
  const named = METRICS.filter(({ name }) => exact.has(name));
  const dimensions = DIMENSION_NAMES.filter((name) => exact.has(name));
  if (exact.size > 0 && named.length + dimensions.length === exact.size)
    return { metrics: named, dimensions };
  const words = wordsLookedFor(search);
  const metrics = best(METRICS, (one) =>
    scoreOf(words, one.name, `${definitionOf(one)} ${one.fact.name} ${one.fact.definition}`),
  );
  const near = nearNames(
    search,
    METRICS.map(({ name }) => name),
  );
  return {
    metrics: metrics.length > 0 ? metrics : METRICS.filter(({ name }) => near.includes(name)),
    dimensions: best(DIMENSION_NAMES, (name) => scoreOf(words, name, DIMENSIONS[name].definition)),
  };
}
