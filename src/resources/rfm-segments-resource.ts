import type { Tool } from '../answers/tool.ts';
import { DEFAULT_PROFILE } from '../domains/rfm/definitions/default-profile.ts';
import { LOST, RFM_SEGMENTS, SCORES, type ScoreRule } from '../store/rfm-segments.ts';
import { list, sections, table } from './markdown.ts';
import { definitionSections } from './metrics/definition-sections.ts';
import type { Resource } from './resource.ts';

const URI = 'analytics://rfm-segments';

const { window_days, recency_thresholds_days, frequency_thresholds } = DEFAULT_PROFILE;

const SCORING = list([
  `R: days since the last order, F: number of orders, M: revenue; valid orders in the window of ${window_days} days before the moment, by the default profile. Score 5 is best.`,
  'Thresholds are those of a profile: list_rfm_profiles, get_rfm_profile. What is said below holds for the default one.',
  'Monetary thresholds that are not given are the 20, 40, 60 and 80 percentiles of revenue in the window before data_until.',
  'A profile with scoring quintiles ranks scored customers in fifths at each moment; its thresholds are void. Customers with the same value have the same score, that of their middle rank, so fifths are unequal where many are equal. Whoever ordered once in the window counts as F = 1 in the rules of segments, whatever that score.',
  'M is scored and told, but decides no segment unless a profile says so (`scores.monetary` of get_rfm_profile).',
  `\`${LOST}\`: the last order is before the window, so there are no scores. With a last recency threshold of ${window_days} days, as long as the window, nobody has R = 1.`,
]);

const MOVES = list([
  'The start is the state of the last second before from_date, the end that of to_date or of data_until when that is earlier.',
  'Up or down is by rank: a lower rank is better. New: no order before from_date.',
  "Today's thresholds are applied to past states, so a trend shows customers changing, not rules.",
  'Rows of one moment are a whole; customers of several moments must not be added.',
]);

const MEANING = list([
  'Segments describe what was bought, not why, and promise nothing: no share of customers who come back is implied.',
  'A shop of rare purchases (furniture) needs another profile: with 365 days most of its good customers look lost.',
  'reactivated_customers_count tells which of the new ones only came back after the window.',
  'Reachable counts are of now, whatever as_of is: they say whom a campaign could reach today.',
  'Where few customers are in a segment, moves of single ones change shares much.',
]);

export function rfmSegmentsResource(tools: readonly Tool[]): Resource {
  return {
    uri: URI,
    name: 'rfm-segments',
    title: 'RFM segments',
    description:
      'How customers are scored by recency, frequency and monetary value, which scores make which segment, how moves ' +
      'are counted, and every number of the RFM tools. Read it before interpreting RFM results.',
    text: `# RFM segments\n\n${sections({
      Scoring: SCORING,
      'Default thresholds': thresholdTable(),
      'Segments by scores': segmentTable(),
      'Moves between segments': MOVES,
      'What segments say and do not say': MEANING,
      ...definitionSections(tools, URI),
    })}\n`,
  };
}

function thresholdTable(): string {
  const [r5, r4, r3, r2] = recency_thresholds_days;
  const [f2, f3, f4, f5] = frequency_thresholds;
  const days = [`over ${r2}`, `${r3 + 1}–${r2}`, `${r4 + 1}–${r3}`, `${r5 + 1}–${r4}`, `0–${r5}`];
  const orders = [`below ${f2}`, between(f2, f3), between(f3, f4), between(f4, f5), `${f5} or more`];
  return table(
    ['score', ...SCORES.map(String)],
    [
      ['R, days since the last order', ...days],
      ['F, orders in the window', ...orders],
    ],
  );
}

/** The range from the first number to below the second. */
function between(from: number, below: number): string {
  return from === below - 1 ? String(from) : `${from}–${below - 1}`;
}

function segmentTable(): string {
  return table(
    ['key', 'name', 'R', 'F', 'rank', 'meaning with the default thresholds'],
    RFM_SEGMENTS.map(({ key, name, scores, value_rank, description }) => [
      `\`${key}\``,
      name,
      scoresText(scores, 'recency'),
      scoresText(scores, 'frequency'),
      String(value_rank),
      description,
    ]),
  );
}

function scoresText(rules: readonly ScoreRule[], dimension: 'recency' | 'frequency'): string {
  return rules.length === 0 ? '–' : rules.map((rule) => rule[dimension].join(', ')).join('; ');
}
