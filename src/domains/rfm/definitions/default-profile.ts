/** The profile of every business that has marked no profile of its own as the default. */
export const DEFAULT_PROFILE = {
  rfm_profile_id: 'default',
  name: 'Default',
  window_days: 365,
  recency_thresholds_days: [30, 90, 180, 365],
  frequency_thresholds: [2, 3, 5, 8],
} as const;
