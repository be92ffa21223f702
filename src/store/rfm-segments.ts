/** Scores of a rule: a customer fits with one of each list; null means any. */
export interface ScoreRule {
  readonly recency: readonly number[];
  readonly frequency: readonly number[];
  readonly monetary: readonly number[] | null;
}

interface Segment {
  readonly key: string;
  readonly name: string;
  /** The description that holds where the thresholds are the default ones. */
  readonly description: string;
  /** 1 is best: a customer who comes to a lower number moves up. */
  readonly value_rank: number;
  /** The scores of the default profile. A loaded profile may bring its own. */
  readonly scores: readonly ScoreRule[];
}

/** Customers whose last valid order is before the window: not scored, so in the rules of no profile. */
export const LOST = 'lost';

/** The map of recency and frequency: every pair of scores belongs to exactly one segment. The best first. */
export const RFM_SEGMENTS: readonly Segment[] = [
  {
    key: 'champions',
    name: 'Champions',
    description: 'At least 5 orders, the last at most 30 days ago.',
    value_rank: 1,
    scores: [{ recency: [5], frequency: [4, 5], monetary: null }],
  },
  {
    key: 'loyal',
    name: 'Loyal',
    description: 'At least 5 orders, the last 31 to 180 days ago.',
    value_rank: 2,
    scores: [{ recency: [3, 4], frequency: [4, 5], monetary: null }],
  },
  {
    key: 'potential_loyalist',
    name: 'Potential loyalist',
    description: '2 to 4 orders, the last at most 90 days ago.',
    value_rank: 3,
    scores: [{ recency: [4, 5], frequency: [2, 3], monetary: null }],
  },
  {
    key: 'new',
    name: 'New',
    description: '1 order, at most 30 days ago.',
    value_rank: 4,
    scores: [{ recency: [5], frequency: [1], monetary: null }],
  },
  {
    key: 'promising',
    name: 'Promising',
    description: '1 order, 31 to 90 days ago.',
    value_rank: 5,
    scores: [{ recency: [4], frequency: [1], monetary: null }],
  },
  {
    key: 'need_attention',
    name: 'Need attention',
    description: '3 to 4 orders, the last 91 to 180 days ago.',
    value_rank: 6,
    scores: [{ recency: [3], frequency: [3], monetary: null }],
  },
  {
    key: 'about_to_sleep',
    name: 'About to sleep',
    description: '1 to 2 orders, the last 91 to 180 days ago.',
    value_rank: 7,
    scores: [{ recency: [3], frequency: [1, 2], monetary: null }],
  },
  {
    key: 'cant_lose',
    name: "Can't lose",
    description: 'At least 8 orders, the last more than 180 days ago.',
    value_rank: 8,
    scores: [{ recency: [1, 2], frequency: [5], monetary: null }],
  },
  {
    key: 'at_risk',
    name: 'At risk',
    description: '3 to 7 orders, the last more than 180 days ago.',
    value_rank: 9,
    scores: [{ recency: [1, 2], frequency: [3, 4], monetary: null }],
  },
  {
    key: 'hibernating',
    name: 'Hibernating',
    description: '1 to 2 orders, the last more than 180 days ago.',
    value_rank: 10,
    scores: [{ recency: [1, 2], frequency: [1, 2], monetary: null }],
  },
  {
    key: LOST,
    name: 'Lost',
    description: 'The last order is before the window; not scored.',
    value_rank: 11,
    scores: [],
  },
];

export const SCORES = [1, 2, 3, 4, 5] as const;
