/** What a merchant notes. */
export const CALENDAR_KINDS = [
  'tv',
  'press',
  'price_change',
  'outage',
  'site_change',
  'delivery',
  'competitor',
  'weather',
  'holiday',
  'other',
] as const;
