import type { CanonicalTable } from '../canonical-table.ts';
import * as column from '../column-kinds.ts';
import { LOST, RFM_SEGMENTS, SCORES } from '../rfm-segments.ts';

const keys = RFM_SEGMENTS.map(({ key }) => key);
const scored = keys.filter((key) => key !== LOST);

export const rfmProfiles: CanonicalTable = {
  name: 'rfm_profiles',
  meaning: `How customers are scored by recency, frequency and money, 1 to 5 each. Four thresholds part the five scores: at most
the first of \`recency_thresholds_days\` since the last order is 5, more than the fourth is 1; at least the first of
\`frequency_thresholds\` (orders) is 2, at least the fourth is 5, and alike \`monetary_thresholds\` (revenue).
Orders of the last \`window_days\` count. With \`scoring\` \`quintiles\` the fifths of the customers take the place
of all thresholds.`,
  key: ['rfm_profile_id'],
  columns: {
    rfm_profile_id: column.itemId({ required: true }),
    name: column.name({ required: true }),
    is_default: column.flag({ fallback: 'false' }),
    window_days: column.integer(),
    scoring: column.oneOf(['thresholds', 'quintiles'], { fallback: 'thresholds' }),
    recency_thresholds_days: column.wholeThresholds(0),
    frequency_thresholds: column.wholeThresholds(1),
    monetary_thresholds: column.moneyThresholds(),
    rules: column.rfmRules(),
    created_at: column.moment(),
  },
  rules: [
    {
      column: 'window_days',
      condition: 'window_days is null or window_days between 1 and 3650',
      expected: 'must be between 1 and 3650',
    },
    {
      column: 'rules',
      condition: `len(list_filter(rules, lambda rule: rule.segment is null
        or rule.segment not in (${keys.map((key) => `'${key}'`).join(', ')})
        or rule.segment = '${LOST}' and len(rule.scores) > 0)) = 0`,
      expected: `must give scores to the segments ${scored.join(', ')} and no others`,
    },
    {
      column: 'rules',
      condition: `list_sort(${cellsOf('rules')}) = [${allCells().join(', ')}]`,
      expected: 'must cover each of the 25 cells of recency and frequency scores (1 to 5) exactly once',
    },
  ],
};

/**
 * The cells that rules cover, each as a number of three digits; rules that say nothing of monetary cover all
 * five.
 */
function cellsOf(rules: string): string {
  return `flatten(list_transform(${rules}, lambda rule:
    flatten(list_transform(rule.scores, lambda score:
      flatten(list_transform(score.recency, lambda recency:
        flatten(list_transform(score.frequency, lambda frequency:
          list_transform(coalesce(score.monetary, [${SCORES.join(', ')}]), lambda monetary:
            100 * recency + 10 * frequency + monetary)))))))))`;
}

function allCells(): number[] {
  return SCORES.flatMap((recency) =>
    SCORES.flatMap((frequency) => SCORES.map((monetary) => 100 * recency + 10 * frequency + monetary)),
  );
}
