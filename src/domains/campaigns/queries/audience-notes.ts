/** Null says here that nobody knows who was skipped. */
export const NO_AUDIENCE = 'no audience loaded';

interface Campaign {
  readonly campaign_id: string;
  readonly has_audience: boolean;
  readonly sent_count: number;
}

/**
 * Notes that nobody knows who was skipped, because no audience is loaded.
 *
 * @param rows campaigns with `has_audience`
 */
export function audienceNotes(rows: readonly Campaign[]): string[] {
  const without = rows
    .filter(({ has_audience, sent_count }) => !has_audience && sent_count > 0)
    .map(({ campaign_id }) => campaign_id);
  if (without.length === 0) return [];
  return [
    `Of these campaigns no audience is loaded, so only those who got a message are counted: ${JSON.stringify(without)}`,
  ];
}
